// A model of Gyroscope's E-CLP: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GyroPool} from "./GyroPool.sol";
import {GyroEllipse} from "./GyroEllipse.sol";

interface IRateProvider {
    function getRate() external view returns (uint256);
}

/// @notice Two tokens along an ellipse, each of them counted by a rate where it has a provider.
contract GyroEclpPool is GyroPool {
    GyroEllipse.Params private params;
    /// Price bounds, which no swap reads
    int256 private alpha;
    int256 private beta;

    /// Zero for a token that counts as it is
    address public rateProvider0;
    address public rateProvider1;

    function open(
        address[] calldata tokens,
        int256[2] calldata bounds,
        GyroEllipse.Params calldata params_,
        uint256 fee,
        address[2] calldata providers
    ) external {
        _open(tokens, fee);
        (rateProvider0, rateProvider1) = (providers[0], providers[1]);
        (alpha, beta, params) = (bounds[0], bounds[1], params_);
    }

    function getTokenRates() external view returns (uint256, uint256) {
        return (_rate(0), _rate(1));
    }

    function _rate(uint256 k) internal view override returns (uint256) {
        address provider = k == 0 ? rateProvider0 : rateProvider1;
        return provider == address(0) ? 1e18 : IRateProvider(provider).getRate();
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
