// A model of Gyroscope's E-CLP on Balancer's third vault: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {GyroEllipse} from "../gyroscope/GyroEllipse.sol";

/// @notice Two tokens along an ellipse; rates are the vault's work.
contract BalancerV3EllipsePool {
    GyroEllipse.Params private params;

    error AlreadyOpen();

    function open(GyroEllipse.Params calldata given) external {
        if (params.lambda != 0) revert AlreadyOpen();
        params = given;
    }

    /// @dev The price bounds, which no swap reads and this pool does not keep, c, s, λ, then what is derived: τ(α),
    ///      τ(β), u, v, w, z, dSq
    function getECLPParams() external view returns (int256[14] memory) {
        GyroEllipse.Params memory p = params;
        return [
            int256(0),
            0,
            p.c,
            p.s,
            p.lambda,
            p.tauAlphaX,
            p.tauAlphaY,
            p.tauBetaX,
            p.tauBetaY,
            p.u,
            p.v,
            p.w,
            p.z,
            p.dSq
        ];
    }

    function onSwap(BalancerV3Types.PoolSwapParams calldata asked) external view returns (uint256) {
        uint256[] memory balances = asked.balancesScaled18;
        (uint256 x, uint256 y) = (balances[asked.indexIn], balances[asked.indexOut]);
        uint256 amount = asked.amountGivenScaled18;
        return asked.kind == BalancerV3Types.SwapKind.EXACT_IN
            ? y - GyroEllipse.outcome(params, balances, asked.indexIn, x + amount)
            : GyroEllipse.cost(params, balances, asked.indexOut, y - amount) - x;
    }
}
