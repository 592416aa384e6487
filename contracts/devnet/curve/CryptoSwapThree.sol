// A model of a Curve pool of three coins that are not worth the same (tricrypto-ng): our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoCurve} from "./CryptoCurve.sol";
import {CryptoMathThree} from "./CryptoMathThree.sol";
import {CryptoPool} from "./CryptoPool.sol";

contract CryptoSwapThree is CryptoPool {
    /// @notice Opens the pool with the coins that it holds, at prices of the others in the first, 18 digits. The coins
    ///         say how many decimals they have.
    function open(address[3] calldata coins_, uint256[2] calldata prices, Terms calldata given) external {
        _open(coins_, prices, given);
    }

    function price_scale(uint256 k) external view returns (uint256) {
        return scales[k];
    }

    function _count() internal pure override returns (uint256) {
        return 3;
    }

    function _balanceFor(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 d, uint256 i)
        internal
        pure
        override
        returns (uint256, uint256)
    {
        return CryptoMathThree.balanceFor(shape, xp, d, i);
    }

    function _invariant(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 k0)
        internal
        pure
        override
        returns (uint256)
    {
        return CryptoMathThree.invariant(shape, xp, k0);
    }

    function _mean(uint256[3] memory x) internal pure override returns (uint256) {
        return CryptoMathThree.mean(x[0], x[1], x[2]);
    }

    function _evenness(uint256[3] memory xp) internal pure override returns (uint256 share) {
        uint256 sum = xp[0] + xp[1] + xp[2];
        share = ONE;
        for (uint256 k = 0; k < 3; k++) share = (share * 3 * xp[k]) / sum;
    }
}
