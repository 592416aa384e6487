// A model of what PancakeSwap Infinity's managers share: our own code after their published rules, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IInfinityVault {
    function accountAppBalanceDelta(address currency0, address currency1, int256 delta, address settler) external;
}

/// @notice Keys of pools without hooks, fees, and the Vault that accounts for swaps.
abstract contract InfinityManager {
    /// @dev parameters: callbacks of the hook in bits 0 to 15, which are zero here; the tick spacing or bin step above
    struct PoolKey {
        address currency0;
        address currency1;
        address hooks;
        address poolManager;
        uint24 fee;
        bytes32 parameters;
    }

    uint256 internal constant PPM = 1_000_000;
    address private constant NOBODY = address(0);

    IInfinityVault public vault;
    mapping(address currency => uint256) public protocolFeesAccrued;

    error AlreadyOpen();
    error PoolNotInitialized();
    error PoolAlreadyInitialized();
    error HookConfigValidationError();

    function open(IInfinityVault vault_) external {
        if (address(vault) != NOBODY) revert AlreadyOpen();
        vault = vault_;
    }

    /// @dev A pool of the devnet never rests.
    function paused() external pure returns (bool) {
        return false;
    }

    function _newId(PoolKey calldata key) internal returns (bytes32) {
        // A real manager has had fees in every currency.
        (protocolFeesAccrued[key.currency0], protocolFeesAccrued[key.currency1]) = (1, 1);
        if (key.hooks != NOBODY || uint16(uint256(key.parameters)) != 0) revert HookConfigValidationError();
        if (key.poolManager != address(this) || key.currency0 >= key.currency1) revert HookConfigValidationError();
        return _idOf(key);
    }

    function _idOf(PoolKey calldata key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    function _spacingOf(PoolKey calldata key) internal pure returns (uint256) {
        return uint256(key.parameters) >> 16;
    }

    /// @return protocolFee of one direction, in parts per million, and the whole fee: the protocol's, then the providers' of
    ///         what is left
    function _fees(uint24 packed, uint24 lpFee, bool zeroForOne) internal pure returns (uint256 protocolFee, uint256 fee) {
        protocolFee = zeroForOne ? packed & 0xfff : packed >> 12;
        fee = protocolFee + lpFee - (protocolFee * lpFee) / PPM;
    }

    function _accrue(PoolKey calldata key, bool zeroForOne, uint256 amount) internal {
        if (amount > 0) protocolFeesAccrued[zeroForOne ? key.currency0 : key.currency1] += amount;
    }

    /// @param sold above 0, as `bought`
    function _settle(PoolKey calldata key, bool zeroForOne, uint256 sold, uint256 bought) internal returns (int256 delta) {
        (int256 first, int256 second) =
            zeroForOne ? (-int256(sold), int256(bought)) : (int256(bought), -int256(sold));
        delta = (first << 128) | int256(uint256(uint128(int128(second))));
        vault.accountAppBalanceDelta(key.currency0, key.currency1, delta, msg.sender);
    }
}
