// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Assertions} from "../world/Vm.sol";
import {Design} from "./RogueWorld.sol";
import {Taker} from "./Taker.sol";

/// Whatever pools and tokens do, a taker gets its minimum from the route or keeps its tokens.
contract TakersTest is Assertions {
    Taker private taker;

    struct Selected {
        address target;
        bytes4[] selectors;
    }

    function setUp() public {
        taker = new Taker();
        taker.setUp();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(taker);
    }

    function targetSelectors() external view returns (Selected[] memory selected) {
        selected = new Selected[](1);
        selected[0].target = address(taker);
        selected[0].selectors = new bytes4[](1);
        selected[0].selectors[0] = Taker.take.selector;
    }

    function invariant_aTakerGetsItsMinimumOrKeepsItsTokens() external view {
        _nothingBroken();
    }

    function _nothingBroken() private view {
        if (bytes(taker.broken()).length > 0) revert Broken(taker.brokenBy(), taker.broken());
    }

    /// In long sequences, of every kind a tenth and more succeeds.
    function afterInvariant() external view {
        for (uint256 index = 0; index < taker.KINDS(); ++index) {
            uint256 which = taker.routeOf(index);
            if (taker.calls(which) < 100) continue;
            if (taker.successes(which) * 10 < taker.calls(which)) revert NotOften(which, taker.successes(which));
        }
    }

    /// Guards the invariant against passing because nothing ever succeeds: of every honest kind, a tenth and more does.
    function test_everyKindSucceedsOften() external {
        for (uint256 index = 0; index < taker.HONEST(); ++index) {
            _takeOften(index, 20);
        }
    }

    function _takeOften(uint256 kind, uint256 times) private {
        uint256 kinds = taker.KINDS();
        for (uint256 index = 0; index < times; ++index) {
            uint256 seed = uint256(keccak256(abi.encode(kind, index)));
            taker.take(seed - seed % kinds + kind, 1e18);
        }
        _nothingBroken();
        uint256 which = taker.routeOf(kind);
        yes(taker.calls(which) == times, "every swap counts");
        if (taker.successes(which) * 10 < times) revert NotOften(which, taker.successes(which));
    }

    /// One hostile design: each of these has a mutant of the router with the hole that it would get in by.
    function _takeThrough(Design design) private {
        _takeOften(taker.HONEST() + uint256(design), 250);
    }

    function test_hostilePair() external {
        _takeThrough(Design.V2);
    }

    function test_hostilePairOfAFeeToken() external {
        _takeThrough(Design.V2_FEE);
    }

    function test_hostileSolidlyPair() external {
        _takeThrough(Design.SOLIDLY);
    }

    function test_hostileV3Pool() external {
        _takeThrough(Design.V3);
    }

    function test_hostileAlgebraPool() external {
        _takeThrough(Design.ALGEBRA);
    }

    function test_hostileV4Manager() external {
        _takeThrough(Design.V4);
    }

    function test_hostileV4ManagerInARun() external {
        _takeThrough(Design.V4_RUN);
    }

    function test_hostileV4Hook() external {
        _takeThrough(Design.V4_HOOK);
    }

    function test_hostileBalancerV2Vault() external {
        _takeThrough(Design.BALANCER_V2);
    }

    function test_hostileBalancerV3Vault() external {
        _takeThrough(Design.BALANCER_V3);
    }

    function test_hostileBuffer() external {
        _takeThrough(Design.BUFFER);
    }

    function test_hostileCurvePool() external {
        _takeThrough(Design.CURVE);
    }

    function test_hostileDodoPool() external {
        _takeThrough(Design.DODO_V2);
    }

    function test_hostileClassicalDodoPool() external {
        _takeThrough(Design.DODO_V1);
    }

    function test_hostileOldBook() external {
        _takeThrough(Design.BOOK_OLD);
    }

    function test_hostileBook() external {
        _takeThrough(Design.BOOK);
    }

    function test_hostileWooPool() external {
        _takeThrough(Design.WOO);
    }

    function test_hostileMaverickPool() external {
        _takeThrough(Design.MAVERICK);
    }

    function test_hostileMaverickV2Pool() external {
        _takeThrough(Design.MAVERICK_V2);
    }

    function test_hostileIZiSwapPool() external {
        _takeThrough(Design.IZISWAP);
    }

    function test_hostileConverter() external {
        _takeThrough(Design.CONVERTER);
    }

    function test_hostileFluidPool() external {
        _takeThrough(Design.FLUID);
    }

    function test_hostileFluidLite() external {
        _takeThrough(Design.FLUID_LITE);
    }

    function test_hostileInfinityVault() external {
        _takeThrough(Design.INFINITY);
    }

    function test_hostileSettler() external {
        _takeThrough(Design.AIRSWAP);
    }

    function test_hostileEkuboCore() external {
        _takeThrough(Design.EKUBO);
    }

    function test_hostileVault() external {
        _takeThrough(Design.VAULT);
    }

    function test_hostileWrapper() external {
        _takeThrough(Design.WRAPPER);
    }

    function test_hostileTokenBetweenPairs() external {
        _takeThrough(Design.TOKEN_BETWEEN_PAIRS);
    }

    function test_hostileTokenBetweenPools() external {
        _takeThrough(Design.TOKEN_BETWEEN_POOLS);
    }

    function test_hostileTokenSold() external {
        _takeThrough(Design.TOKEN_SOLD);
    }

    function test_hostileTokenBought() external {
        _takeThrough(Design.TOKEN_BOUGHT);
    }

    /// Rule 8: the swap succeeds and the taker is robbed where a pool pays it directly behind a hostile token; the same route
    /// in custody fails.
    function test_aHostileTokenFakesAMinimumThatIsPaidDirectly() external {
        yes(taker.fakeMinimum(true), "the swap succeeds");
        eq(bytes(taker.broken()).length, bytes("the route itself paid less than the minimum").length, taker.broken());
        setUp();
        yes(!taker.fakeMinimum(false), "in custody it fails");
        _nothingBroken();
    }

    error Broken(uint256 which, string what);
    error NotOften(uint256 which, uint256 successes);
}
