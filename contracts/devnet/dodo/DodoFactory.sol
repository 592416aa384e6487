// A model of DODO's factory of vending machines: our own code, with the events of the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IVendingMachine {
    function open(address base, address quote, uint256 i, uint256 k, uint256 lp, uint256 mt) external;
}

/// @notice Announces machines that stand already and keeps what they earn.
contract DodoFactory {
    event NewDVM(address baseToken, address quoteToken, address creator, address dvm);

    /// @param pool Holds its reserves; for the other parameters see `DodoVendingMachine.open`
    function announce(address pool, address base, address quote, uint256 i, uint256 k, uint256 lp, uint256 mt)
        external
    {
        IVendingMachine(pool).open(base, quote, i, k, lp, mt);
        emit NewDVM(base, quote, msg.sender, pool);
    }
}
