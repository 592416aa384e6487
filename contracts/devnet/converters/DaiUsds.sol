// A model of Sky's converter of DAI and USDS: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

/// @notice One for one. The real one burns what it gets and mints what it pays; this one pays out of a stock that no
///         trade of the devnet exhausts.
contract DaiUsds {
    address public dai;
    address public usds;

    event DaiToUsds(address indexed caller, address indexed usr, uint256 wad);
    event UsdsToDai(address indexed caller, address indexed usr, uint256 wad);

    error AlreadyOpen();

    function open(address dai_, address usds_) external {
        if (dai != address(0)) revert AlreadyOpen();
        (dai, usds) = (dai_, usds_);
    }

    function daiToUsds(address usr, uint256 wad) external {
        SafeTransfer.take(dai, msg.sender, wad);
        SafeTransfer.send(usds, usr, wad);
        emit DaiToUsds(msg.sender, usr, wad);
    }

    function usdsToDai(address usr, uint256 wad) external {
        SafeTransfer.take(usds, msg.sender, wad);
        SafeTransfer.send(dai, usr, wad);
        emit UsdsToDai(msg.sender, usr, wad);
    }
}
