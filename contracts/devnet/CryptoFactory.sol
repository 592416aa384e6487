// A model of Curve's factories of pools of coins that are not worth the same: our own code, which announces pools that
// stand already.
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
    event TricryptoPoolDeployed(
        address pool,
        string name,
        string symbol,
        address weth,
        address[3] coins,
        address math,
        bytes32 salt,
        uint256 packed_precisions,
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

    function announceThree(address pool, address[3] calldata coins) external {
        emit TricryptoPoolDeployed(pool, "", "", address(0), coins, pool, 0, 0, 0, 0, 0, 0, msg.sender);
    }
}
