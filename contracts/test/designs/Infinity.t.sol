// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";
import {InfinityManagerModel, InfinityVaultModel} from "../models/Infinity.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";

/// PancakeSwap Infinity: a Vault with the tokens, a manager with the prices.
contract InfinityTest is Crossings {
    address private constant THIEF = address(0xbad);
    bytes4 private constant LOCK = bytes4(keccak256("lock(bytes)"));
    bytes4 private constant VAULT = bytes4(keccak256("vault()"));
    bytes4 private constant TICKS = 0xcd0cc1ce;

    InfinityVaultModel private vault;
    InfinityManagerModel private manager;
    Puppet private evil;

    function setUp() public override {
        super.setUp();
        vault = new InfinityVaultModel();
        manager = new InfinityManagerModel(vault);
        manager.setRate(9e17);
        _stock(address(vault));
        vm.deal(address(vault), 1e24);
        evil = new Puppet();
        tokenA.mint(THIEF, 1e24);
        vm.prank(THIEF);
        tokenA.approve(address(router), type(uint256).max);
    }

    function _stepAt(address there, uint8 pool, uint8 flags, uint8 path, uint32 share) private view returns (bytes memory) {
        bytes memory key = abi.encodePacked(manager.HOOKS(), uint24(3000), pool, uint40(manager.PARAMETERS()));
        return bytes.concat(Routes.step(20, flags, path, share, there), key);
    }

    /// @param way tokens sold and bought, for the direction bit
    function _step(uint8 pool, uint8 flags, uint8 path, address[2] memory way) private view returns (bytes memory) {
        (address sold, address bought) = (_currency(way[0]), _currency(way[1]));
        return _stepAt(address(manager), pool, flags | (sold < bought ? Routes.ZERO_FOR_ONE : 0), path, 0);
    }

    function _currency(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }

    function test_bothKindsOfPoolsInEveryPlace() public {
        for (uint8 pool = 0; pool < 2; ++pool) {
            uint256 out = AMOUNT * 9e17 / 1e18;
            _alone(_step(pool, 0, 0x01, [a, b]), out);
            _alone(_step(pool, DIRECT, 0x01, [a, b]), out);
            _behind(_step(pool, 0, 0x12, [b, c]), 9e17);
            _behind(_step(pool, DIRECT, 0x12, [b, c]), 9e17);
            _before(_step(pool, Routes.TO_NEXT, 0x01, [a, b]), out);
        }
    }

    function test_theOtherWay() public {
        for (uint8 pool = 0; pool < 2; ++pool) {
            uint256 out = _swap(AMOUNT, bytes.concat(Routes.tokens(b, a), _step(pool, DIRECT, 0x01, [b, a])));
            eq(out, AMOUNT * 9e17 / 1e18, "paid");
        }
        eq(manager.swapsOfTicks() * 10 + manager.swapsOfBins(), 11, "each by its own function");
        _holdsNothing();
    }

    function test_nativeInAndOut() public {
        for (uint8 pool = 0; pool < 2; ++pool) {
            bytes memory sells = bytes.concat(Routes.tokens(NATIVE, b), _step(pool, DIRECT, 0x01, [NATIVE, b]));
            vm.prank(USER);
            eq(router.swap{value: 1e18}(1e18, 1, address(0), Terms.PLAIN, sells), 9e17, "native in");
            bytes memory buys = bytes.concat(Routes.tokens(a, NATIVE), _step(pool, pool * DIRECT, 0x01, [a, NATIVE]));
            eq(_swap(1e18, buys), 9e17, "native out");
        }
        _holdsNothing();
    }

    function test_aLieAboutTheDirectionNamesNoPool() public {
        uint8 lie = a < b ? 0 : Routes.ZERO_FOR_ONE;
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(manager), 0, lie, 0x01, 0));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "PoolNotInitialized"));
        _swap(AMOUNT, route);
    }

    function test_aPartialFill() public {
        for (uint8 pool = 0; pool < 2; ++pool) {
            manager.setTakes(999);
            bytes memory route = bytes.concat(Routes.tokens(a, b), _step(pool, DIRECT, 0x01, [a, b]));
            vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(manager), 1e18, 999e15));
            _swap(1e18, route);
        }
    }

    function test_aPoolThatPaysNothing() public {
        manager.setRate(0);
        bytes memory step = _step(1, 0, 0x01, [a, b]);
        bytes memory half = Routes.v2(_way(a, b), 0x01, Routes.HALF, pairAB);
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(manager)));
        _swap(AMOUNT, bytes.concat(Routes.tokens(a, b), half, step));
    }

    function test_amountsThatAreNoInt128() public {
        uint256 huge = 1 << 127;
        tokenA.mint(USER, huge);
        for (uint8 pool = 0; pool < 2; ++pool) {
            bytes memory route = bytes.concat(Routes.tokens(a, b), _step(pool, 0, 0x01, [a, b]));
            vm.prank(USER);
            (bool done,) = address(router).call(
                abi.encodeCall(IRouter.swap, (huge + 1, 1, address(0), Terms.PLAIN, route))
            );
            yes(!done, "refused");
        }
    }

    function test_aManagerWithoutAVault() public {
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(evil), 0, 0, 0x01, 0));
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(evil)));
        _swap(AMOUNT, route);
        evil.onCall(VAULT, hex"00000000000000000000000000000000000000000000000000000000000001");
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(evil)));
        _swap(AMOUNT, route);
    }

    function test_anInfinityVaultThatNeverAsks() public {
        evil.onCall(VAULT, abi.encode(address(evil)));
        evil.onCall(LOCK, abi.encode(abi.encode(uint256(7))));
        evil.thenCall(LOCK, b, abi.encodeCall(PlainToken.transfer, (address(router), 7)), true);
        tokenB.mint(address(evil), 7);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(evil), 0, 0, 0x01, 0));
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        _swap(AMOUNT, route);
    }

    /// The words of the debt that a step of the thief's at `there` leaves, as the callback sends them.
    function _demand(address payer, address there, uint256 amount) private view returns (bytes memory) {
        bytes memory key = abi.encodePacked(manager.HOOKS(), uint24(3000), uint8(0), uint40(manager.PARAMETERS()));
        bytes memory payload = abi.encode(a, b, payer, address(router), amount, there, uint256(uint232(bytes29(key))) << 24);
        return abi.encodeWithSignature("lockAcquired(bytes)", payload);
    }

    /// A manager and Vault in one that is paid as agreed, then makes `calls` of the router that it is not entitled to.
    function _rob(bytes[] memory calls, uint256 refused) private {
        evil.onCall(VAULT, abi.encode(address(evil)));
        evil.onCall(TICKS, abi.encode((int256(1) << 128) | int256(uint256(uint128(int128(-1e18))))));
        evil.onCall(LOCK, abi.encode(abi.encode(uint256(1))));
        for (uint256 index = 0; index < calls.length; ++index) {
            evil.thenCall(LOCK, address(router), calls[index], false);
        }
        evil.thenCall(LOCK, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        tokenB.mint(address(evil), 1);
        uint256 before = tokenA.balanceOf(THIEF);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(evil), 0, 0, 0x01, 0));
        vm.prank(THIEF);
        (bool done,) = address(router).call{gas: 1e7}(
            abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, route))
        );
        yes(done, "the swap is served");
        eq(evil.failures(), refused, "refused");
        eq(before - tokenA.balanceOf(THIEF), 1e18, "the seller pays once");
        eq(tokenA.balanceOf(address(evil)), 1e18, "the Vault gets that");
        eq(tokenA.balanceOf(USER), 1e30, "the victim keeps all");
    }

    /// Without the check of the debt, each of these demands would be paid by the user, who has approved the router.
    function test_anInfinityVaultAsksForWhatItIsNotOwed() public {
        bytes[] memory calls = new bytes[](5);
        calls[0] = _demand(USER, address(evil), 1e18);
        calls[1] = _demand(THIEF, address(evil), 1e18 + 1);
        calls[2] = _demand(THIEF, address(manager), 1e18);
        calls[3] = _demand(THIEF, address(evil), 1e18);
        calls[4] = _demand(THIEF, address(evil), 1e18);
        // The right words with another length say another thing.
        assembly {
            mstore(add(mload(add(calls, 0x80)), 0x44), 0xc0)
        }
        _rob(calls, 4);
    }

    function test_anInfinityVaultAsksTwice() public {
        bytes[] memory calls = new bytes[](3);
        calls[0] = _demand(THIEF, address(evil), 1e18);
        calls[1] = _demand(THIEF, address(evil), 1e18);
        calls[2] = _demand(USER, address(evil), 1e18);
        _rob(calls, 2);
    }

    /// The demand in the Vault's words, made by the manager or by somebody else: the debt names the Vault.
    function test_somebodyElseAsksInTheVaultsPlace() public {
        Puppet other = new Puppet();
        evil.onCall(VAULT, abi.encode(address(other)));
        evil.onCall(TICKS, abi.encode((int256(1) << 128) | int256(uint256(uint128(int128(-1e18))))));
        other.onCall(LOCK, abi.encode(abi.encode(uint256(1))));
        evil.thenCall(bytes4(0x11111111), address(router), _demand(THIEF, address(evil), 1e18), true);
        other.thenCall(LOCK, address(evil), hex"11111111", true);
        other.thenCall(LOCK, address(router), _demand(THIEF, address(evil), 1e18), true);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(evil), 0, 0, 0x01, 0));
        vm.prank(THIEF);
        (bool done, bytes memory answer) = address(router).call{gas: 1e7}(
            abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, route))
        );
        yes(!done && bytes4(answer) == CallbackRefused.selector, "refused");
        eq(tokenA.balanceOf(address(evil)) + tokenA.balanceOf(address(other)), 0, "nobody is paid");
    }

    /// A hostile manager before the real Vault: what it claims to have sold is not its to give.
    function test_aHostileManagerOfTheRealVault() public {
        evil.onCall(VAULT, abi.encode(address(vault)));
        evil.onCall(TICKS, abi.encode((int256(7e18) << 128) | int256(uint256(uint128(int128(-1e18))))));
        bytes memory route = bytes.concat(Routes.tokens(a, b), _stepAt(address(evil), 0, 0, 0x01, 0));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "CurrencyNotSettled"));
        _swap(1e18, route);
    }

    /// Nothing is owed: neither between swaps nor in a swap of another design.
    function test_anInfinityCallbackOutOfTurn() public {
        bytes memory demand = _demand(USER, address(manager), 1e18);
        (bool done, bytes memory answer) = address(router).call(demand);
        yes(!done && bytes4(answer) == CallbackRefused.selector, "between swaps");
        eq(tokenA.balanceOf(USER), 1e30, "nothing moved");
    }
}
