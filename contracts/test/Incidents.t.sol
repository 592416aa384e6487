// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../Errors.sol";
import {Routes, Terms} from "./Routes.sol";
import {Skeletons} from "./Skeletons.sol";
import {vm} from "./Vm.sol";
import {IRouter} from "./World.sol";
import {CurveModel} from "./models/Pools.sol";
import {HookedToken, PlainToken} from "./models/Tokens.sol";
import {Puppet} from "./models/Puppet.sol";

/// What has emptied the users of other routers, tried on this one. USER has approved it without limit for everything.
contract IncidentsTest is Skeletons {
    // The highest kind that exists; those between are refused.
    uint8 private constant KINDS = 24;

    /// The call that every attacker wants the router to make.
    function _theft() private pure returns (bytes memory) {
        return abi.encodeCall(PlainToken.transferFrom, (USER, ATTACKER, 1e24));
    }

    function _try(bytes memory data) private returns (bool done, bytes memory answer) {
        vm.prank(ATTACKER);
        (done, answer) = address(router).call(data);
        _unharmed();
    }

    function _tryRoute(bytes memory route) private returns (bool done, bytes memory answer) {
        return _try(abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, route)));
    }

    function _unharmed() private view {
        yes(!_userLost(), "the user lost nothing");
        eq(tokenA.balanceOf(ATTACKER) <= 1e24 ? 1 : 0, 1, "the attacker got nothing of A");
        for (uint256 index = 0; index < 4; ++index) {
            eq(PlainToken([a, b, c, w][index]).allowance(address(router), ATTACKER), 0, "no allowance");
        }
    }

    /// Every kind of step with the victim's token for its target and the theft behind it.
    function _tokenAsTarget() private {
        bytes memory theft = _theft();
        for (uint8 kind = 0; kind <= KINDS; ++kind) {
            for (uint8 flags = 0; flags < 16; ++flags) {
                bytes memory step = bytes.concat(Routes.step(kind, flags, 0x01, 0, a), theft);
                _tryRoute(bytes.concat(Routes.tokens(b, c), step));
                _tryRoute(bytes.concat(Routes.tokens(a, b), step));
            }
        }
    }

    function test_LiFi_2022_03_and_2024_07_callerChosenTargetAndCalldata() public {
        _tokenAsTarget();
        bytes4[3] memory shapes = [bytes4(0), bytes4(0xdeadbeef), IRouter.swap.selector];
        for (uint256 index = 0; index < 3; ++index) {
            _try(abi.encodePacked(shapes[index], abi.encode(a, _theft())));
            _try(abi.encodePacked(shapes[index], abi.encode(a, a, ATTACKER, 1e18, _theft())));
        }
        _try(_theft());
    }

    function test_TransitSwap_2022_10_callerChosenPayer() public {
        // There is no field for a payer; the nearest is the payload of a callback.
        _arm(2, 1e18, USER);
        (bool done,) = _tryRoute(_skeleton(FIRST_HOSTILE, false));
        yes(!done || tokenA.balanceOf(USER) == 1e30, "the user does not pay");
    }

    function test_Rabby_Rubic_Dexible_2022_10_to_2023_02_arbitraryCall() public {
        _tokenAsTarget();
    }

    function test_CoW_2023_02_approvalGivenToAHelper() public {
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (a, b);
        CurveModel greedy = new CurveModel(coins);
        tokenB.mint(address(greedy), 1e24);
        bytes memory step = bytes.concat(Routes.step(Routes.CURVE, 0, 0x01, 0, address(greedy)), hex"000100");
        greedy.setPulls(0);
        (bool done, bytes memory answer) = _tryRoute(bytes.concat(Routes.tokens(a, b), step));
        yes(!done && bytes4(answer) == NotTaken.selector, "an allowance that stays is refused");
        greedy.setPulls(1000);
        (done,) = _tryRoute(bytes.concat(Routes.tokens(a, b), step));
        yes(done, "one that is used up is not");
        eq(tokenA.allowance(address(router), address(greedy)), 0, "nothing is left of it");
    }

    function test_SushiRouteProcessor2_2023_04_fakePoolNamesAPayer() public {
        _fakePool(abi.encode(a, USER));
    }

    /// A pool of the attacker's asks for the user's tokens, with every callback name that forks use.
    function _fakePool(bytes memory payload) private {
        bytes4[6] memory names = [
            bytes4(0xfa461e33), // uniswapV3SwapCallback
            bytes4(0x23a69e75), // pancakeV3SwapCallback
            bytes4(0x2c8958f6), // algebraSwapCallback
            bytes4(0x923b8a2a), // swapCallback
            bytes4(0x91dd7346), // unlockCallback
            bytes4(0x12345678)
        ];
        for (uint256 index = 0; index < names.length; ++index) {
            evil.onCall(V3_SWAP, abi.encode(int256(1e18), -int256(1e18)));
            evil.thenCall(V3_SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 1e18)), true);
            bytes memory ask = abi.encodeWithSelector(names[index], int256(1e18), -int256(1e18), payload);
            evil.thenCall(V3_SWAP, address(router), ask, false);
            uint256 before = tokenA.balanceOf(ATTACKER);
            (bool done,) = _tryRoute(bytes.concat(Routes.tokens(a, b), Routes.v3(1, 0x01, 0, address(evil))));
            // A pool may have what the attacker itself sells to it; the payment then costs the attacker alone.
            yes(!done || tokenA.balanceOf(ATTACKER) == before - 1e18, "refused");
        }
    }

    function test_Maestro_Unibot_2023_10_arbitraryCall() public {
        _tokenAsTarget();
    }

    function test_OkxDex_2023_12_leakedAdminKey() public view {
        bytes memory code = address(router).code;
        for (uint256 index = 0; index < code.length; ++index) {
            uint8 op = uint8(code[index]);
            if (op >= 0x60 && op <= 0x7f) {
                index += op - 0x5f;
                continue;
            }
            // SLOAD, SSTORE, CREATE, CALLCODE, DELEGATECALL, CREATE2, SELFDESTRUCT: nothing to own, nothing to upgrade.
            bool power = op == 0x54 || op == 0x55 || op == 0xf0 || op == 0xf2 || op == 0xf4 || op == 0xf5 || op == 0xff;
            yes(!power, "an opcode of power");
        }
        (bool done,) = address(router).staticcall(abi.encodeWithSignature("owner()"));
        yes(!done, "no owner");
    }

    function test_Transit_2023_12_fakeV3Pool() public {
        _fakePool(abi.encode(b, USER));
        _fakePool(abi.encode(a, address(router)));
        _fakePool(abi.encode(a, ATTACKER));
    }

    function test_Socket_2024_01_unvalidatedRouteData() public {
        bytes memory theft = _theft();
        for (uint8 kind = 0; kind <= KINDS; ++kind) {
            _tryRoute(bytes.concat(Routes.tokens(NATIVE, b), Routes.step(kind, 0, 0x01, 0, a), theft));
            _tryRoute(bytes.concat(Routes.tokens(a, NATIVE), Routes.step(kind, 0, 0x01, 0, address(evil)), theft));
        }
    }

    function test_Unizen_2024_03_unverifiedCall() public {
        _tokenAsTarget();
    }

    function test_ParaSwapAugustusV6_2024_03_callbackOpenToAll() public {
        bytes memory payload = abi.encode(a, USER);
        (bool done, bytes memory answer) =
            _try(abi.encodeWithSelector(V3_CALLBACK, int256(1e24), -int256(1), payload));
        yes(!done && bytes4(answer) == CallbackRefused.selector, "v3");
        (done, answer) = _try(abi.encodeWithSelector(V3_CALLBACK, -int256(1), int256(1e24), payload));
        yes(!done && bytes4(answer) == CallbackRefused.selector, "v3, the other token");
        bytes memory single = abi.encode(a, b, USER, ATTACKER, uint256(1e24), uint256(1));
        (done, answer) = _try(abi.encodeWithSelector(0x91dd7346, single));
        yes(!done && bytes4(answer) == CallbackRefused.selector, "v4");
        (done, answer) = _try(abi.encodeWithSelector(0x91dd7346, new bytes(600)));
        yes(!done && bytes4(answer) == CallbackRefused.selector, "v4, a run");
        bytes4 balancer = bytes4(keccak256("braidBalancerV3(bytes)"));
        (done, answer) = _try(abi.encodeWithSelector(balancer, a, a, b, USER, ATTACKER, uint256(1e24)));
        yes(!done && bytes4(answer) == CallbackRefused.selector, "Balancer v3");
    }

    /// ERC-6492 signatures make the verifier call a factory of the signer's choosing. Permit2 knows none of that, and
    /// a signature here is 65 bytes, whatever follows it.
    function test_OdosLimitOrders_2025_01_signatureThatCalls() public {
        vm.etch(0x000000000022D473030F116dDEE9F6B43aC78BA3, hex"5f5ffd");
        bytes32 magic = 0x6492649264926492649264926492649264926492649264926492649264926492;
        bytes memory wrapped = bytes.concat(abi.encode(a, _theft(), new bytes(65)), magic);
        bytes memory head = Routes.step(15, 0, 0x01, 0, USER);
        bytes memory order = abi.encodePacked(uint128(1e18), uint128(1e24), uint256(0), type(uint40).max);
        (bool done, bytes memory answer) =
            _tryRoute(bytes.concat(Routes.tokens(b, a), head, order, wrapped));
        yes(!done && bytes4(answer) == MakerRefused.selector, "refused");
    }

    /// Lengths and offsets that point before, behind and around what they should.
    function test_1inchFusionV1_2025_03_lengthsThatUnderflow() public {
        uint256[8] memory tricks = [
            uint256(0),
            1,
            31,
            type(uint256).max,
            type(uint256).max - 31,
            uint256(1) << 255,
            uint256(1) << 64,
            type(uint256).max - 0x203
        ];
        for (uint256 index = 0; index < tricks.length; ++index) {
            for (uint256 word = 1; word < 6; ++word) {
                bytes memory data =
                    abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, _skeleton(0, false)));
                uint256 trick = tricks[index];
                assembly {
                    mstore(add(add(data, 0x24), shl(5, word)), trick)
                }
                uint256 before = tokenA.balanceOf(ATTACKER);
                vm.prank(ATTACKER);
                (bool done,) = address(router).call{gas: 1e7}(data);
                yes(before - tokenA.balanceOf(ATTACKER) <= (done ? 1e18 : 0), "no more than the amount");
                _unharmed();
            }
            bytes memory unlock = abi.encodePacked(bytes4(0x91dd7346), uint256(0x20), tricks[index], new bytes(300));
            vm.prank(ATTACKER);
            (bool called,) = address(router).call{gas: 1e7}(unlock);
            yes(!called, "refused");
        }
        for (uint256 count = 0; count < 256; ++count) {
            bytes memory route = _skeleton(3, true);
            route[0] = bytes1(uint8(count));
            _tryRoute(route);
        }
    }

    function test_Kame_2025_09_arbitraryExecutor() public {
        // An executor is a pool that does as it likes: it gets what the caller sells, and no more.
        evil.onCall(V2_SWAP, "");
        evil.onCall(GET_RESERVES, abi.encode(1e24, 1e24, 0));
        evil.thenCall(V2_SWAP, a, _theft(), false);
        evil.thenCall(V2_SWAP, address(router), _theft(), false);
        (bool done,) = _tryRoute(bytes.concat(Routes.tokens(a, b), Routes.v2(1, 0x01, 0, address(evil))));
        yes(!done, "it pays nothing, so it gets nothing");
        eq(evil.failures(), 0, "and nothing of it has happened");
    }

    function test_SwapNet_Aperture_2026_01_arbitraryCallOverEndlessApprovals() public {
        _tokenAsTarget();
    }

    function test_SquidRouterModule_2026_05_missingCallerCheck() public {
        // While an honest pool is being paid, somebody else tries to be paid in its place: a token with hooks gives
        // the attacker its turn within the callback.
        HookedToken hooked = new HookedToken();
        address pool = _pool(address(hooked), b, 3000, 200, 1e22);
        hooked.mint(USER, 1e24);
        vm.prank(USER);
        hooked.approve(address(router), type(uint256).max);
        Puppet thief = new Puppet();
        bytes4 moved = bytes4(keccak256("tokensMoved(address,address,uint256)"));
        thief.onCall(moved, "");
        bytes memory payload = abi.encode(address(hooked), USER);
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(1e18), -int256(1), payload);
        thief.thenCall(moved, address(router), ask, false);
        vm.prank(USER);
        hooked.setHook(address(thief));
        _swap(1e18, bytes.concat(Routes.tokens(address(hooked), b), Routes.v3(_way(address(hooked), b), 0x01, 0, pool)));
        eq(thief.failures(), 1, "refused");
        eq(hooked.balanceOf(USER), 1e24 - 1e18, "paid once");
    }

    /// Re-entry in the middle of a route, to sweep what the router holds of it.
    function test_UniversalRouter_2022_12_reentrySweepsTheRoute() public {
        HookedToken hooked = new HookedToken();
        address first = pairs.createPair(a, address(hooked));
        tokenA.mint(first, 1e24);
        hooked.mint(first, 1e24);
        (bool ready,) = first.call(abi.encodeWithSignature("mint(address)", address(this)));
        address second = _pool(address(hooked), b, 3000, 200, 1e22);
        Puppet sweeper = new Puppet();
        bytes4 moved = bytes4(keccak256("tokensMoved(address,address,uint256)"));
        sweeper.onCall(moved, "");
        bytes memory sweep = abi.encodeCall(
            IRouter.swap, (1, 1, ATTACKER, Terms.PLAIN, Routes.tokens(c, address(hooked)))
        );
        sweeper.thenCall(moved, address(router), sweep, false);
        vm.prank(second);
        hooked.setHook(address(sweeper));
        _swap(
            1e18,
            bytes.concat(
                Routes.tokens(a, address(hooked), b),
                Routes.v2(_way(a, address(hooked)), 0x01, 0, first),
                Routes.v3(_way(address(hooked), b), 0x12, 0, second)
            )
        );
        eq(uint32(bytes4(sweeper.lastFailure())), uint32(Reentered.selector), "refused");
        eq(hooked.balanceOf(ATTACKER), 0, "nothing swept");
        yes(ready, "the pair is ready");
    }
}
