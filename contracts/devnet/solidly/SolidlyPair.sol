// A model of a Solidly pair: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ISolidlyFees {
    function getFee(bool stable) external view returns (uint256);
}

interface ISolidlyToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice Two tokens on x·y = k, or on x³y + y³x = k; the fee leaves the pair at once. There is no share token.
contract SolidlyPair {
    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_DENOMINATOR = 10_000;
    uint256 private constant MOST_STEPS = 255;

    address public factory;
    address public token0;
    address public token1;
    bool public stable;
    uint256 public reserve0;
    uint256 public reserve1;
    /// 10^decimals
    uint256 private unit0;
    uint256 private unit1;

    event Sync(uint256 reserve0, uint256 reserve1);
    event Fees(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    error AlreadyOpen();
    error NothingBought();
    error NothingSold();
    error InvariantFell(uint256 before, uint256 left);
    error NoReserve();

    /// @notice Opens the pair with the tokens that it holds. The caller is its factory.
    function open(address token0_, address token1_, bool stable_) external {
        if (factory != address(0)) revert AlreadyOpen();
        (factory, token0, token1, stable) = (msg.sender, token0_, token1_, stable_);
        unit0 = 10 ** ISolidlyToken(token0_).decimals();
        unit1 = 10 ** ISolidlyToken(token1_).decimals();
        sync();
    }

    function metadata() external view returns (uint256, uint256, uint256, uint256, bool, address, address) {
        return (unit0, unit1, reserve0, reserve1, stable, token0, token1);
    }

    /// @param amountIn Smallest units of `tokenIn`
    /// @return Smallest units of the other token, rounded down
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        uint256 net = amountIn - _fee(amountIn);
        bool forward = tokenIn == token0;
        (uint256 held, uint256 other) = forward ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) return (net * other) / (held + net);

        (uint256 unitIn, uint256 unitOut) = forward ? (unit0, unit1) : (unit1, unit0);
        uint256 y = (other * ONE) / unitOut;
        uint256 x = (held * ONE) / unitIn + (net * ONE) / unitIn;
        return ((y - _solve(x, _invariant(reserve0, reserve1), y)) * unitOut) / ONE;
    }

    /// @notice Pays first, then asks what came in, sends the fee on and holds the rest to the invariant.
    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        if (out0 + out1 == 0) revert NothingBought();
        (uint256 before0, uint256 before1) = (reserve0, reserve1);
        if (out0 >= before0 || out1 >= before1) revert NoReserve();
        if (out0 > 0) SafeTransfer.send(token0, to, out0);
        if (out1 > 0) SafeTransfer.send(token1, to, out1);

        (uint256 in0, uint256 in1) = _received(before0 - out0, before1 - out1);
        if (in0 + in1 == 0) revert NothingSold();
        _sendFees(in0, in1);
        sync();

        (uint256 before, uint256 left) = (_invariant(before0, before1), _invariant(reserve0, reserve1));
        if (left < before) revert InvariantFell(before, left);
        emit Swap(msg.sender, in0, in1, out0, out1, to);
    }

    function sync() public {
        reserve0 = ISolidlyToken(token0).balanceOf(address(this));
        reserve1 = ISolidlyToken(token1).balanceOf(address(this));
        emit Sync(reserve0, reserve1);
    }

    function _received(uint256 left0, uint256 left1) private view returns (uint256, uint256) {
        uint256 held0 = ISolidlyToken(token0).balanceOf(address(this));
        uint256 held1 = ISolidlyToken(token1).balanceOf(address(this));
        return (held0 - left0, held1 - left1);
    }

    function _sendFees(uint256 in0, uint256 in1) private {
        (uint256 fee0, uint256 fee1) = (_fee(in0), _fee(in1));
        if (fee0 > 0) SafeTransfer.send(token0, factory, fee0);
        if (fee1 > 0) SafeTransfer.send(token1, factory, fee1);
        emit Fees(msg.sender, fee0, fee1);
    }

    function _fee(uint256 amountIn) private view returns (uint256) {
        return (amountIn * ISolidlyFees(factory).getFee(stable)) / FEE_DENOMINATOR;
    }

    /// @dev x·y, or x·y·(x² + y²) in 18 digits
    function _invariant(uint256 balance0, uint256 balance1) private view returns (uint256) {
        if (!stable) return balance0 * balance1;
        uint256 x = (balance0 * ONE) / unit0;
        uint256 y = (balance1 * ONE) / unit1;
        return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
    }

    /// @dev Newton's method from `y` on, until a step moves by a unit at most
    function _solve(uint256 x, uint256 k, uint256 y) private pure returns (uint256) {
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 reached = (x * _cube(y)) / ONE + (_cube(x) * y) / ONE;
            uint256 slope = (3 * x * ((y * y) / ONE)) / ONE + _cube(x);
            uint256 gap = reached < k ? k - reached : reached - k;
            uint256 dy = (gap * ONE) / slope;
            y = reached < k ? y + dy : y - dy;
            if (dy <= 1) return y;
        }
        return y;
    }

    function _cube(uint256 z) private pure returns (uint256) {
        return (((z * z) / ONE) * z) / ONE;
    }
}
