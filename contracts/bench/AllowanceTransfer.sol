// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Stands for Permit2 under the universal router in gas measurements, where no package has Permit2's code
/// @dev    Keeps what Permit2 keeps, in as many slots, and checks the same. Measured beside the real one: a swap over this
///         one uses a little less gas, so the universal router's figures are never too high.
contract AllowanceTransfer {
    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    mapping(address => mapping(address => mapping(address => Allowance))) private allowance;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowance storage allowed = allowance[msg.sender][token][spender];
        (allowed.amount, allowed.expiration) = (amount, expiration);
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowance storage allowed = allowance[from][token][msg.sender];
        require(block.timestamp <= allowed.expiration, "expired");
        uint256 most = allowed.amount;
        if (most != type(uint160).max) allowed.amount = uint160(most - amount);
        bool done;
        assembly {
            let m := mload(0x40)
            mstore(m, 0x23b872dd) // transferFrom(address,address,uint256)
            mstore(add(m, 0x20), from)
            mstore(add(m, 0x40), to)
            mstore(add(m, 0x60), amount)
            done := and(eq(mload(0x00), 1), call(gas(), token, 0, add(m, 0x1c), 0x64, 0x00, 0x20))
        }
        require(done, "transfer");
    }
}
