// A model of a rate provider: our own code.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What a share is worth, 18 decimals. It stands still once it is set.
contract FixedRate {
    uint256 public getRate;

    error AlreadyOpen();

    function open(uint256 rate) external {
        if (getRate != 0) revert AlreadyOpen();
        getRate = rate;
    }
}
