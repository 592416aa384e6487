// A model of a Curve pool of two coins that are not worth the same (twocrypto-ng): our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoCurve} from "./CryptoCurve.sol";
import {CryptoMath} from "./CryptoMath.sol";
import {CryptoPool} from "./CryptoPool.sol";
import {Roots} from "../shared/Roots.sol";

contract CryptoSwap is CryptoPool {
    /// @notice Opens the pool with the coins that it holds, at a price of the second in the first, 18 digits. The coins
    ///         say how many decimals they have.
    function open(address[2] calldata coins_, uint256 price, Terms calldata given) external {
        _open([coins_[0], coins_[1], address(0)], [price, 0], given);
    }

    function price_scale() external view returns (uint256) {
        return scales[0];
    }

    function _count() internal pure override returns (uint256) {
        return 2;
    }

    function _balanceFor(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 d, uint256 i)
        internal
        pure
        override
        returns (uint256, uint256)
    {
        return CryptoMath.balanceFor(shape, xp[1 - i], d);
    }

    function _invariant(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 k0)
        internal
        pure
        override
        returns (uint256)
    {
        return CryptoMath.invariant(shape, xp[0], xp[1], k0);
    }

    function _mean(uint256[3] memory x) internal pure override returns (uint256) {
        return Roots.sqrt(x[0] * x[1]);
    }

    function _evenness(uint256[3] memory xp) internal pure override returns (uint256) {
        uint256 sum = xp[0] + xp[1];
        return (((4 * ONE * xp[0]) / sum) * xp[1]) / sum;
    }
}
