// A model of the buffers of Balancer's third vault: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Register, IVaultToken} from "./BalancerV3Register.sol";
import {BalancerV3Types as T} from "./BalancerV3Types.sol";

interface IWrapped {
    function asset() external view returns (address);
    function approve(address spender, uint256 amount) external returns (bool);
    function previewDeposit(uint256 assets) external view returns (uint256);
    function previewMint(uint256 shares) external view returns (uint256);
    function previewRedeem(uint256 shares) external view returns (uint256);
    function previewWithdraw(uint256 assets) external view returns (uint256);
    function deposit(uint256 assets, address receiver) external returns (uint256);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256);
}

/// @notice Stocks of an ERC-4626 token and of what it wraps, exchanged at the wrapper's own price. A stock that is short is
///         filled by the wrapper, so that both halves are worth the same. Sales only; nobody owns shares of a buffer.
abstract contract BalancerV3Buffers is BalancerV3Register {
    enum WrappingDirection {
        WRAP,
        UNWRAP
    }

    struct BufferWrapOrUnwrapParams {
        T.SwapKind kind;
        WrappingDirection direction;
        address wrappedToken;
        uint256 amountGivenRaw;
        uint256 limitRaw;
    }

    struct Buffer {
        address asset;
        uint256 underlying;
        uint256 wrapped;
    }

    uint256 private constant LEAST_WRAP = 1000;

    mapping(address wrappedToken => Buffer) private buffers;
    bool internal transient unlocked;

    event Wrap(address indexed wrappedToken, uint256 deposited, uint256 minted, bytes32 bufferBalances);
    event Unwrap(address indexed wrappedToken, uint256 burned, uint256 withdrawn, bytes32 bufferBalances);
    event LiquidityAddedToBuffer(
        address indexed wrappedToken, uint256 amountUnderlying, uint256 amountWrapped, bytes32 bufferBalances
    );

    error NotUnlocked();
    error SwapLimit(uint256 amount, uint256 limit);
    error SalesOnly();
    error BufferNotInitialized(address wrappedToken);
    error BufferAlreadyInitialized(address wrappedToken);
    error WrapAmountTooSmall(address wrappedToken);

    /// @dev Adds to what the unlocker owes of a token.
    function _owe(address token, int256 more) internal virtual;

    /// @notice Opens a buffer with tokens that the vault holds already.
    function openBuffer(address wrappedToken, uint256 underlying, uint256 wrapped) external {
        Buffer storage buffer = buffers[wrappedToken];
        if (buffer.asset != address(0)) revert BufferAlreadyInitialized(wrappedToken);
        (buffer.asset, buffer.underlying, buffer.wrapped) = (IWrapped(wrappedToken).asset(), underlying, wrapped);
        _count(buffer.asset, wrappedToken);
        emit LiquidityAddedToBuffer(wrappedToken, underlying, wrapped, _packed(buffer));
    }

    function getBufferAsset(address wrappedToken) external view returns (address) {
        return buffers[wrappedToken].asset;
    }

    function getBufferBalance(address wrappedToken) external view returns (uint256, uint256) {
        return (buffers[wrappedToken].underlying, buffers[wrappedToken].wrapped);
    }

    function areBuffersPaused() external pure returns (bool) {
        return false;
    }

    function getMinimumWrapAmount() external pure returns (uint256) {
        return LEAST_WRAP;
    }

    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata given)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut)
    {
        if (!unlocked) revert NotUnlocked();
        if (given.kind != T.SwapKind.EXACT_IN) revert SalesOnly();
        address wrapper = given.wrappedToken;
        Buffer storage buffer = buffers[wrapper];
        address asset = buffer.asset;
        if (asset == address(0)) revert BufferNotInitialized(wrapper);
        amountIn = given.amountGivenRaw;
        if (amountIn < LEAST_WRAP) revert WrapAmountTooSmall(wrapper);
        bool wraps = given.direction == WrappingDirection.WRAP;
        amountOut = wraps ? _wrap(buffer, IWrapped(wrapper), amountIn) : _unwrap(buffer, IWrapped(wrapper), amountIn);
        if (amountOut < given.limitRaw) revert SwapLimit(amountOut, given.limitRaw);
        if (amountOut < LEAST_WRAP) revert WrapAmountTooSmall(wrapper);
        _owe(wraps ? asset : wrapper, int256(amountIn));
        _owe(wraps ? wrapper : asset, -int256(amountOut));
        if (wraps) emit Wrap(wrapper, amountIn, amountOut, _packed(buffer));
        else emit Unwrap(wrapper, amountIn, amountOut, _packed(buffer));
        calculated = amountOut;
    }

    /// @dev The preview of a unit less than is given, and a unit less than that.
    function _wrap(Buffer storage buffer, IWrapped wrapper, uint256 amount) private returns (uint256 out) {
        out = wrapper.previewDeposit(amount - 1) - 1;
        if (buffer.wrapped >= out) {
            buffer.underlying += amount;
            buffer.wrapped -= out;
            return out;
        }
        uint256 stock = buffer.wrapped == 0 ? 0 : wrapper.previewMint(buffer.wrapped);
        uint256 sold = uint256(int256(amount) + (int256(buffer.underlying) - int256(stock)) / 2);
        IWrapped(buffer.asset).approve(address(wrapper), sold);
        uint256 minted = wrapper.deposit(sold, address(this));
        _count(buffer.asset, address(wrapper));
        buffer.underlying = buffer.underlying + amount - sold;
        buffer.wrapped = buffer.wrapped + minted - out;
    }

    function _unwrap(Buffer storage buffer, IWrapped wrapper, uint256 amount) private returns (uint256 out) {
        out = wrapper.previewRedeem(amount - 1) - 1;
        if (buffer.underlying >= out) {
            buffer.underlying -= out;
            buffer.wrapped += amount;
            return out;
        }
        uint256 stock = buffer.underlying == 0 ? 0 : wrapper.previewWithdraw(buffer.underlying);
        uint256 sold = uint256(int256(amount) + (int256(buffer.wrapped) - int256(stock)) / 2);
        uint256 paid = wrapper.redeem(sold, address(this), address(this));
        _count(buffer.asset, address(wrapper));
        buffer.underlying = buffer.underlying + paid - out;
        buffer.wrapped = buffer.wrapped + amount - sold;
    }

    function _count(address asset, address wrapper) private {
        getReservesOf[asset] = IVaultToken(asset).balanceOf(address(this));
        getReservesOf[wrapper] = IVaultToken(wrapper).balanceOf(address(this));
    }

    function _packed(Buffer storage buffer) private view returns (bytes32) {
        return bytes32((buffer.wrapped << 128) | buffer.underlying);
    }
}
