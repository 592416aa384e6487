// A model of Curve's factory of two-coin pools: our own code, which announces pools that stand already.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Says of a pool what its maker would; only the addresses are true.
contract CryptoFactory {
    event TwocryptoPoolDeployed(
        address pool,
        string name,
        string symbol,
        address[2] coins,
        address math,
        bytes32 salt,
        uint256[2] precisions,
        uint256 packed_A_gamma,
        uint256 packed_fee_params,
        uint256 packed_rebalancing_params,
        uint256 packed_prices,
        address deployer
    );

    function announce(address pool, address[2] calldata coins) external {
        uint256[2] memory precisions;
        emit TwocryptoPoolDeployed(pool, "", "", coins, pool, 0, precisions, 0, 0, 0, 0, msg.sender);
    }
}
