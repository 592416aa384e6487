// A model of Gyroscope's 2-CLP: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "../shared/FixedPoint.sol";
import {GyroMath} from "./GyroMath.sol";
import {GyroPool} from "./GyroPool.sol";
import {GyroVirtual} from "./GyroVirtual.sol";

/// @notice Constant product of two balances that are lengthened by virtual offsets, so that prices end at two bounds.
contract GyroTwoPool is GyroPool {
    using FixedPoint for uint256;

    uint256 private constant ONE = 1e18;

    /// Square roots of the price bounds, 18 decimals
    uint128 private sqrtAlpha;
    uint128 private sqrtBeta;

    function open(address[] calldata tokens, uint128[2] calldata bounds, uint256 fee) external {
        _open(tokens, fee);
        (sqrtAlpha, sqrtBeta) = (bounds[0], bounds[1]);
    }

    function getSqrtParameters() external view returns (uint256[2] memory) {
        return [uint256(sqrtAlpha), uint256(sqrtBeta)];
    }

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        return GyroVirtual.outGivenIn(_pair(balances, i), amount);
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        return GyroVirtual.inGivenOut(_pair(balances, i), amount);
    }

    function _pair(uint256[] memory balances, uint256 i) private view returns (GyroVirtual.Pair memory) {
        (uint256 alpha, uint256 beta) = (sqrtAlpha, sqrtBeta);
        uint256 invariant = _invariant(balances[0], balances[1], alpha, beta);
        (uint256 a, uint256 b) = (invariant.divDown(beta), invariant.mulDown(alpha));
        (uint256 offsetIn, uint256 offsetOut) = i == 0 ? (a, b) : (b, a);
        return GyroVirtual.pair(balances, i, 1 - i, offsetIn, offsetOut);
    }

    /// @dev Root of (1 - √(α/β))·L² - (y/√β + x·√α)·L - x·y
    function _invariant(uint256 x, uint256 y, uint256 alpha, uint256 beta) private pure returns (uint256) {
        uint256 a = ONE - alpha.divDown(beta);
        uint256 b = y.divDown(beta) + x.mulDown(alpha);
        uint256 product = x.mulDown(y);
        uint256 square = x.mulDown(x).mulDown(alpha).mulDown(alpha);
        square += product.mulDown(2 * ONE).mulDown(alpha).divDown(beta);
        square += y.mulDown(y).divDown(beta.mulUp(beta));
        square += product.mulDown(4 * ONE).mulDown(a);
        return (b + GyroMath.sqrt(square)).divDown(a.mulUp(2 * ONE));
    }
}
