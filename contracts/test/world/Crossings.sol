// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes} from "./Routes.sol";
import {vm} from "./Vm.sol";
import {World} from "./World.sol";

/// Ways across one pool: sold by the user and out of the router, paid to the router and to the recipient, between two
/// pairs. A route is pair A→B, design B→C, or design A→B alone.
abstract contract Crossings is World {
    uint256 internal constant AMOUNT = 3e18 + 7;
    uint8 internal constant DIRECT = Routes.TO_RECIPIENT;

    address internal a;
    address internal b;
    address internal c;
    address internal pairAB;

    function setUp() public virtual override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        pairAB = _pair(a, 1e24, b, 1e24);
    }

    function _stock(address pool) internal {
        tokenA.mint(pool, 1e24);
        tokenB.mint(pool, 1e24);
        tokenC.mint(pool, 1e24);
    }

    /// Sells A for B by the step alone: the user pays.
    function _alone(bytes memory step, uint256 wanted) internal {
        uint256 state = vm.snapshotState();
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b), step)), wanted, "alone");
        eq(tokenA.balanceOf(USER), 1e30 - AMOUNT, "spent");
        _holdsNothing();
        vm.revertToState(state);
    }

    /// Sells A for B by the pair, B for C by the step: the router pays.
    function _behind(bytes memory step, uint256 rate) internal {
        uint256 state = vm.snapshotState();
        uint256 middle = _quotePair(pairAB, a, AMOUNT);
        bytes memory first = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), first, step)), middle * rate / 1e18, "behind");
        _holdsNothing();
        vm.revertToState(state);
    }

    /// Sells A for B by the step, which pays the pair that sells B for C.
    function _before(bytes memory step, uint256 middle) internal {
        uint256 state = vm.snapshotState();
        address pairBC = _pair(b, 1e24, c, 1e24);
        uint256 wanted = _quotePair(pairBC, b, middle);
        bytes memory last = Routes.v2(_way(b, c) | Routes.PREFUNDED | DIRECT, 0x12, 0, pairBC);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), step, last)), wanted, "before");
        _holdsNothing();
        vm.revertToState(state);
    }
}
