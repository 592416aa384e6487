// A model of Gyroscope's E-CLP: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GyroPool} from "./GyroPool.sol";
import {GyroEllipse} from "./GyroEllipse.sol";

/// @notice Two tokens along an ellipse, without rates.
contract GyroEclpPool is GyroPool {
    GyroEllipse.Params private params;
    /// Price bounds, which no swap reads
    int256 private alpha;
    int256 private beta;

    function open(
        address[] calldata tokens,
        int256[2] calldata bounds,
        GyroEllipse.Params calldata params_,
        uint256 fee
    ) external {
        _open(tokens, fee);
        (alpha, beta, params) = (bounds[0], bounds[1], params_);
    }

    /// @dev α, β, c, s, λ, then what is derived: τ(α), τ(β), u, v, w, z, dSq
    function getECLPParams() external view returns (int256[14] memory) {
        GyroEllipse.Params memory p = params;
        return [
            alpha,
            beta,
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

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        return balances[j] - GyroEllipse.outcome(params, balances, i, balances[i] + amount);
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        return GyroEllipse.cost(params, balances, j, balances[j] - amount) - balances[i];
    }
}
