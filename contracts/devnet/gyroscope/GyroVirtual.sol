// A model of how Gyroscope's pools within price bounds trade: our own code after the published equations.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "../shared/FixedPoint.sol";

/// @notice Constant product of two balances that are lengthened by virtual offsets, all in 18 decimals. The offsets are
///         taken a little greater and smaller against errors of the invariant.
library GyroVirtual {
    using FixedPoint for uint256;

    uint256 private constant ONE = 1e18;

    /// @dev Lengthened by their offsets, for a trade
    struct Pair {
        uint256 sold;
        uint256 bought;
        /// What may be bought at most
        uint256 held;
    }

    error AssetBoundsExceeded();

    function pair(uint256[] memory balances, uint256 i, uint256 j, uint256 offsetIn, uint256 offsetOut)
        internal
        pure
        returns (Pair memory)
    {
        uint256 sold = balances[i] + offsetIn.mulUp(ONE + 2);
        return Pair(sold, balances[j] + offsetOut.mulDown(ONE - 1), balances[j]);
    }

    /// @dev Rounded down
    function outGivenIn(Pair memory p, uint256 amount) internal pure returns (uint256 out) {
        out = (p.bought * amount / ONE).divDown(p.sold + amount);
        if (out > p.held) revert AssetBoundsExceeded();
    }

    /// @dev Rounded up
    function inGivenOut(Pair memory p, uint256 amount) internal pure returns (uint256) {
        if (amount > p.held) revert AssetBoundsExceeded();
        return p.sold.mulUp(amount).divUp(p.bought - amount);
    }
}
