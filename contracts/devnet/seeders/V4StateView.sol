// A model of Uniswap v4's StateView: our own code after the manager's storage layout, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IReadableManager {
    function extsload(bytes32 slot) external view returns (bytes32);
}

/// @notice Reads pools out of the manager's storage: slot 6 maps ids to pools, whose words are slot0, two growths,
///         liquidity, ticks and bitmap.
contract V4StateView {
    uint256 private constant POOLS = 6;
    uint256 private constant LIQUIDITY = 3;
    uint256 private constant TICKS = 4;
    uint256 private constant BITMAP = 5;

    IReadableManager public poolManager;

    error AlreadyOpen();

    function open(IReadableManager manager) external {
        if (address(poolManager) != address(0)) revert AlreadyOpen();
        poolManager = manager;
    }

    function getSlot0(bytes32 poolId)
        external
        view
        returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)
    {
        uint256 word = _read(_pool(poolId));
        sqrtPriceX96 = uint160(word);
        tick = int24(uint24(word >> 160));
        protocolFee = uint24(word >> 184);
        lpFee = uint24(word >> 208);
    }

    function getLiquidity(bytes32 poolId) external view returns (uint128) {
        return uint128(_read(_pool(poolId) + LIQUIDITY));
    }

    function getTickBitmap(bytes32 poolId, int16 word) external view returns (uint256) {
        return _read(uint256(keccak256(abi.encode(int256(word), _pool(poolId) + BITMAP))));
    }

    function getTickLiquidity(bytes32 poolId, int24 tick)
        external
        view
        returns (uint128 liquidityGross, int128 liquidityNet)
    {
        uint256 word = _read(uint256(keccak256(abi.encode(int256(tick), _pool(poolId) + TICKS))));
        return (uint128(word), int128(uint128(word >> 128)));
    }

    function _pool(bytes32 poolId) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(poolId, POOLS)));
    }

    function _read(uint256 slot) private view returns (uint256) {
        return uint256(poolManager.extsload(bytes32(slot)));
    }
}
