// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Drain, IncidentWorld} from "../world/IncidentWorld.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";
import {CurveModel} from "../models/Pools.sol";
import {Permit2Model} from "../models/Permit2Model.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";

/// What has emptied the users of other routers, tried on this one. USER has approved it without limit for everything.
///
/// Every attack is whole: on a router that has exactly the incident's hole (contracts/mutants/incidents.ts) it ends well,
/// pays the attacker its minimum and keeps the loot. Where a step does the harm, an honest one follows it, so that no
/// missed minimum undoes the theft.
contract IncidentsTest is IncidentWorld {
    bytes4 private constant SELL_BASE = bytes4(keccak256("sellBase(address)"));
    bytes4 private constant SWAP_V4 = 0xf3cd914c;
    bytes4 private constant GO = 0x12345678;

    /// A step that calls what the caller names with what the caller says. No kind of step may be one.
    function test_LiFi_2022_03_and_2024_07_callerChosenTargetAndCalldata() public {
        for (uint256 kind = 0; kind < 256; ++kind) {
            if (kind >= 1 && kind <= 22 || kind == 24) continue;
            _step(uint8(kind), a, _theft());
        }
    }

    /// The victim is named as the recipient, and a pool of the attacker's is what its tokens are sold to.
    function test_TransitSwap_2022_10_callerChosenPayer() public {
        evil.onCall(V3_SWAP, abi.encode(int256(LOOT), -int256(1)));
        evil.thenCall(V3_SWAP, b, abi.encodeCall(PlainToken.transfer, (USER, 1)), true);
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(LOOT), -int256(1), abi.encode(a, USER));
        evil.thenCall(V3_SWAP, address(router), ask, true);
        bytes memory step = Routes.v3(Routes.ZERO_FOR_ONE | Routes.TO_RECIPIENT, 0x01, 0, address(evil));
        _by(ATTACKER, LOOT, USER, bytes.concat(Routes.tokens(a, b), step));
        _unharmed();
    }

    /// Half of what the attacker sells is granted to the target that it names, which is then called as it says.
    function test_Rabby_Rubic_Dexible_2022_10_to_2023_02_arbitraryCall() public {
        bytes memory hostile = bytes.concat(Routes.step(29, 0, 0x01, Routes.HALF, a), _theft());
        _withHonest(Routes.tokens(c, b), hostile, honest);
    }

    /// A pool that never pulls leaves its allowance behind, if it may. The router holds nothing that it could be used on:
    /// what is refused is that it is there.
    function test_CoW_2023_02_approvalGivenToAHelper() public {
        address[] memory coins = new address[](2);
        (coins[0], coins[1]) = (a, b);
        CurveModel helper = new CurveModel(coins);
        tokenB.mint(address(helper), 1e24);
        bytes memory route = bytes.concat(
            Routes.tokens(a, b), Routes.step(Routes.CURVE, 0, 0x01, 0, address(helper)), hex"000100"
        );
        yes(_by(ATTACKER, SOLD, address(0), route), "a pool that pulls is served");
        helper.setPulls(0);
        bool done = _by(ATTACKER, SOLD, address(0), route);
        eq(tokenA.allowance(address(router), address(helper)), 0, "no allowance is left");
        yes(!done, "refused");
    }

    /// The attacker sells A to its own pool, which names the user as the payer.
    function test_SushiRouteProcessor2_2023_04_fakePoolNamesAPayer() public {
        evil.onCall(V3_SWAP, abi.encode(int256(SOLD), -int256(1)));
        evil.thenCall(V3_SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(SOLD), -int256(1), abi.encode(a, USER));
        evil.thenCall(V3_SWAP, address(router), ask, true);
        _by(ATTACKER, SOLD, address(0), bytes.concat(Routes.tokens(a, b), Routes.v3(1, 0x01, 0, address(evil))));
        _unharmed();
    }

    /// A function beside the swap that makes any call, under the names that such functions have.
    function test_Maestro_Unibot_2023_10_arbitraryCall() public {
        string[5] memory names = [
            "execute(address,bytes)",
            "call(address,bytes)",
            "exec(address,bytes)",
            "functionCall(address,bytes)",
            "performAction(address,bytes)"
        ];
        for (uint256 index = 0; index < names.length; ++index) {
            vm.prank(ATTACKER);
            (bool done,) = address(router).call(abi.encodeWithSignature(names[index], a, _theft()));
            _unharmed();
            yes(!done, "no such function");
        }
    }

    /// Whoever has the key of an owner changes the code; here there is none, and no opcode that could run other code.
    function test_OkxDex_2023_12_leakedAdminKey() public {
        bytes memory drain = abi.encodeCall(Drain.drain, (tokenA, USER, ATTACKER, LOOT));
        bytes memory upgrade = abi.encodeWithSignature("upgradeToAndCall(address,bytes)", new Drain(), drain);
        vm.prank(ATTACKER);
        (bool done,) = address(router).call(upgrade);
        _unharmed();
        yes(!done, "no upgrade");
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
    }

    /// The user sells one token to a pool that asks for a million of them.
    function test_Transit_2023_12_fakeV3Pool() public {
        evil.onCall(V3_SWAP, abi.encode(int256(SOLD), -int256(1)));
        evil.thenCall(V3_SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(LOOT), -int256(1), abi.encode(a, USER));
        evil.thenCall(V3_SWAP, address(router), ask, true);
        _by(USER, SOLD, address(0), bytes.concat(Routes.tokens(a, b), Routes.v3(1, 0x01, 0, address(evil))));
        yes(tokenA.balanceOf(USER) >= 1e30 - SOLD, "no more than what is sold");
    }

    /// The target is the route's own token, the data are the caller's.
    function test_Socket_2024_01_unvalidatedRouteData() public {
        bytes memory hostile = bytes.concat(Routes.step(27, 0, 0x12, 0, address(0)), _theft());
        bytes memory rest = Routes.v3(_way(c, b), 0x02, 0, poolBC);
        _withHonest(Routes.tokens(c, a, b), hostile, rest);
    }

    /// A permit's bytes as a call of the step's target, which no permit reads.
    function test_Unizen_2024_03_unverifiedCall() public {
        bytes memory hostile = bytes.concat(Routes.step(17, 0, 0x01, 0, a), _theft(), bytes2(0));
        _withHonest(Routes.tokens(c, b), hostile, honest);
    }

    /// Callbacks out of the blue, of a contract that answers as a pool, a manager and a vault would.
    function test_ParaSwapAugustusV6_2024_03_callbackOpenToAll() public {
        bytes memory payload = abi.encode(a, USER);
        _ask(abi.encodeWithSelector(V3_CALLBACK, int256(LOOT), -int256(1), payload));
        _ask(abi.encodeWithSelector(V3_CALLBACK, -int256(1), int256(LOOT), payload));
        evil.onCall(SWAP_V4, _delta(LOOT));
        _ask(abi.encodeWithSelector(0x91dd7346, uint256(0x20), 0xc0, a, b, USER, ATTACKER, LOOT, uint256(1)));
        evil.onCall(bytes4(0x2bfb780c), abi.encode(uint256(0), LOOT, uint256(1)));
        bytes4 balancer = bytes4(keccak256("braidBalancerV3(bytes)"));
        _ask(abi.encodeWithSelector(balancer, a, a, b, USER, ATTACKER, LOOT));
        evil.onCall(bytes4(0xcd0cc1ce), _delta(LOOT));
        bytes memory lent = abi.encode(a, b, USER, ATTACKER, LOOT, address(evil), uint256(1));
        _ask(abi.encodeWithSignature("lockAcquired(bytes)", lent));
    }

    /// What the hostile contract asks of the router must fail.
    function _ask(bytes memory data) private {
        uint256 before = evil.failures();
        evil.onCall(GO, "");
        evil.thenCall(GO, address(router), data, false);
        (bool done,) = address(evil).call(abi.encodePacked(GO));
        _unharmed();
        yes(done && evil.failures() == before + 1, "refused");
    }

    /// What a manager answers that has taken `amount` of the first currency and pays one unit of the second.
    function _delta(uint256 amount) private pure returns (bytes memory) {
        return abi.encode((uint256(-int256(amount)) << 128) | 1);
    }

    /// ERC-6492 signatures make the verifier call a factory of the signer's choosing. Permit2 knows none of that, and a
    /// signature here is 65 bytes, whatever follows it, be it behind the route.
    function test_OdosLimitOrders_2025_01_signatureThatCalls() public {
        bytes memory order = abi.encodePacked(uint128(1e18), uint128(1e18), uint256(9), type(uint40).max, new bytes(65));
        bytes memory head = Routes.step(15, Routes.TO_RECIPIENT, 0x01, Routes.HALF, address(evil));
        bytes memory route = bytes.concat(Routes.tokens(c, b), head, order, honest);
        bytes memory data = abi.encodeCall(IRouter.swap, (SOLD, 1, address(0), Terms.PLAIN, route));
        vm.prank(ATTACKER);
        (bool done, bytes memory answer) = address(router).call(bytes.concat(data, abi.encode(a, _theft())));
        _unharmed();
        yes(!done && bytes4(answer) == MakerRefused.selector, "refused");
    }

    /// A payload of the attacker's own making is read as a run of v4 steps: its payer, its registers, its lengths.
    function test_1inchFusionV1_2025_03_lengthsThatUnderflow() public {
        bytes memory facts = abi.encode(USER, address(evil), 0, 1, 0, 1, 0, LOOT, 0);
        bytes memory step = abi.encodePacked(Routes.step(Routes.V4, 1, 0x01, 0, address(evil)), new bytes(26));
        evil.onCall(SWAP_V4, _delta(LOOT));
        _ask(abi.encodeWithSignature("unlockCallback(bytes)", abi.encodePacked(facts, a, b, step)));
        _lengths();
    }

    /// Lengths and offsets that point before, behind and around what they should.
    function _lengths() private {
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
                    abi.encodeCall(IRouter.swap, (SOLD, 1, address(0), Terms.PLAIN, _skeleton(0, false)));
                uint256 trick = tricks[index];
                assembly {
                    mstore(add(add(data, 0x24), shl(5, word)), trick)
                }
                uint256 before = tokenA.balanceOf(ATTACKER);
                vm.prank(ATTACKER);
                (bool done,) = address(router).call{gas: 1e7}(data);
                yes(before - tokenA.balanceOf(ATTACKER) <= (done ? SOLD : 0), "no more than the amount");
                _unharmed();
            }
        }
    }

    /// An executor of the caller's choosing gets the bytes of an order: a token, and the theft.
    function test_Kame_2025_09_arbitraryExecutor() public {
        _step(15, a, bytes.concat(_theft(), new bytes(34)));
    }

    /// The bytes of an order of AirSwap's as a call of its settler, which is the route's word.
    function test_SwapNet_Aperture_2026_01_arbitraryCallOverEndlessApprovals() public {
        _step(19, a, bytes.concat(_theft(), new bytes(54)));
    }

    /// Somebody else's signature for Permit2, seen before it was mined, and its signer as the recipient of next to nothing.
    function test_SquidRouterModule_2026_05_missingCallerCheck() public {
        bytes32 kind = keccak256(
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 permissions =
            keccak256(abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), b, SOLD));
        bytes32 hash = keccak256(abi.encode(kind, permissions, address(router), 77, type(uint40).max));
        Permit2Model permit2 = Permit2Model(0x000000000022D473030F116dDEE9F6B43aC78BA3);
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", permit2.DOMAIN_SEPARATOR(), hash));
        // The maker of other tests is who has signed.
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(2, digest);
        bytes memory pull = abi.encodePacked(
            Routes.step(18, 0, 0x01, 0, address(0)), uint256(77), type(uint40).max, r, s, v
        );
        evil.onCall(SELL_BASE, abi.encode(uint256(1)));
        evil.thenCall(SELL_BASE, c, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        bytes memory sells = Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(evil));
        bytes memory route = bytes.concat(Routes.tokens(b, c), pull, sells);
        bool done = _by(ATTACKER, SOLD, maker, route);
        eq(tokenB.balanceOf(maker), 1e24, "the signer keeps all");
        yes(!done, "refused");
        yes(_by(maker, SOLD, address(0), route), "the signer itself may");
    }

    /// Re-entry in the middle of a route, to sweep what the router holds of it.
    function test_UniversalRouter_2022_12_reentrySweepsTheRoute() public {
        bytes memory sweep = abi.encodeCall(IRouter.swap, (0, 1, ATTACKER, Terms.PLAIN, Routes.tokens(c, b)));
        evil.onCall(SELL_BASE, abi.encode(uint256(0)));
        evil.thenCall(SELL_BASE, address(router), sweep, false);
        evil.thenCall(SELL_BASE, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        uint256 paid = _quotePair(pairAB, a, SOLD / 2);
        uint256 before = tokenB.balanceOf(USER);
        bytes memory first = Routes.v2(_way(a, b), 0x01, Routes.HALF, pairAB);
        bytes memory second = Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(evil));
        yes(_by(USER, SOLD, address(0), bytes.concat(Routes.tokens(a, b), first, second)), "swapped");
        eq(tokenB.balanceOf(ATTACKER), 1e24, "nothing swept");
        yes(tokenB.balanceOf(USER) - before >= paid, "the user has what the pair paid");
        eq(uint32(bytes4(evil.lastFailure())), uint32(Reentered.selector), "refused");
    }
}
