// A model of Curve's factories of pools of coins that are not worth the same: our own code, which announces pools that
// stand already.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Says of a pool what its maker would, and finds it by two of its coins; only the addresses are true.
contract CryptoFactory {
    /// By the exclusive or of two coins, as the protocol's factories keep them
    mapping(uint256 => address[]) private markets;
    /// The protocol's factories of two coins answer two words
    mapping(address pool => address[3]) private coinsOf;

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
        (coinsOf[pool][0], coinsOf[pool][1]) = (coins[0], coins[1]);
        _market(coins[0], coins[1]).push(pool);
        emit TwocryptoPoolDeployed(pool, "", "", coins, pool, 0, precisions, 0, 0, 0, 0, msg.sender);
    }

    function announceThree(address pool, address[3] calldata coins) external {
        coinsOf[pool] = coins;
        _market(coins[0], coins[1]).push(pool);
        _market(coins[0], coins[2]).push(pool);
        _market(coins[1], coins[2]).push(pool);
        emit TricryptoPoolDeployed(pool, "", "", address(0), coins, pool, 0, 0, 0, 0, 0, 0, msg.sender);
    }

    function find_pool_for_coins(address from, address to, uint256 i) external view returns (address) {
        address[] storage pools = _market(from, to);
        return i < pools.length ? pools[i] : address(0);
    }

    function get_coins(address pool) external view returns (address[3] memory) {
        return coinsOf[pool];
    }

    function _market(address a, address b) private view returns (address[] storage) {
        return markets[uint256(uint160(a)) ^ uint256(uint160(b))];
    }
}
