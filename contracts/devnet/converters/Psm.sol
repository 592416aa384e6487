// A model of Sky's peg stability module: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

/// @notice Sells DAI for a stablecoin of fewer digits and back, at par less a fee. The real one keeps the stablecoin in a
///         pocket of its own, and makes the DAI that it holds when somebody asks it to; here the pocket is this contract, and
///         the stock of DAI is what it was given.
contract Psm {
    uint256 private constant WAD = 10 ** 18;
    uint256 private constant HALTED = type(uint256).max;

    address public gem;
    address public dai;
    uint256 public to18ConversionFactor;
    uint256 public tin;
    uint256 public tout;

    event SellGem(address indexed owner, uint256 value, uint256 fee);
    event BuyGem(address indexed owner, uint256 value, uint256 fee);
    event File(bytes32 indexed what, uint256 data);

    error AlreadyOpen();
    error Halted();

    function open(address gem_, address dai_, uint256 factor) external {
        if (gem != address(0)) revert AlreadyOpen();
        (gem, dai, to18ConversionFactor) = (gem_, dai_, factor);
    }

    function pocket() external view returns (address) {
        return address(this);
    }

    /// @dev Anyone may set the fees of the model: they are for tests.
    function file(bytes32 what, uint256 data) external {
        if (what == "tin") tin = data;
        else tout = data;
        emit File(what, data);
    }

    function sellGem(address usr, uint256 gemAmt) external returns (uint256 daiOutWad) {
        if (tin == HALTED) revert Halted();
        uint256 whole = gemAmt * to18ConversionFactor;
        uint256 fee = whole * tin / WAD;
        daiOutWad = whole - fee;
        SafeTransfer.take(gem, msg.sender, gemAmt);
        SafeTransfer.send(dai, usr, daiOutWad);
        emit SellGem(usr, gemAmt, fee);
    }

    function buyGem(address usr, uint256 gemAmt) external returns (uint256 daiInWad) {
        if (tout == HALTED) revert Halted();
        uint256 whole = gemAmt * to18ConversionFactor;
        uint256 fee = whole * tout / WAD;
        daiInWad = whole + fee;
        SafeTransfer.take(dai, msg.sender, daiInWad);
        SafeTransfer.send(gem, usr, gemAmt);
        emit BuyGem(usr, gemAmt, fee);
    }
}
