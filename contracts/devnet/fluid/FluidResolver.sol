// A model of the resolver of Fluid's DEX: our own code after its published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FluidPool} from "./FluidPool.sol";

/// @notice Says what a pool holds, and that debts never run out. As the protocol's, it writes while it reads, so it cannot be asked by a static call.
contract FluidResolver {
    struct Collateral {
        uint256 token0RealReserves;
        uint256 token1RealReserves;
        uint256 token0ImaginaryReserves;
        uint256 token1ImaginaryReserves;
    }

    struct Debt {
        uint256 token0Debt;
        uint256 token1Debt;
        uint256 token0RealReserves;
        uint256 token1RealReserves;
        uint256 token0ImaginaryReserves;
        uint256 token1ImaginaryReserves;
    }

    struct PoolWithReserves {
        address pool;
        address token0;
        address token1;
        uint256 fee;
        uint256 centerPrice;
        Collateral collateral;
        Debt debt;
        FluidPool.Limit[4] limits;
    }

    uint256 private asked;

    function getPoolReservesAdjusted(FluidPool pool) external returns (PoolWithReserves memory found) {
        asked++;
        (found.pool, found.token0, found.token1) = (address(pool), pool.token0(), pool.token1());
        (found.fee,, found.centerPrice) = pool.terms();
        FluidPool.Half[2] memory halves;
        (halves, found.limits) = pool.reserves();
        found.collateral =
            Collateral(halves[0].real0, halves[0].real1, halves[0].imaginary0, halves[0].imaginary1);
        uint256 owed = type(uint96).max;
        found.debt =
            Debt(owed, owed, halves[1].real0, halves[1].real1, halves[1].imaginary0, halves[1].imaginary1);
    }
}
