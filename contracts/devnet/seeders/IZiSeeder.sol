// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IIZiSwapFactory {
    function newPool(address tokenX, address tokenY, uint24 fee, int24 currentPoint) external returns (address);
}

interface IIZiSwapPool {
    function mint(address recipient, int24 leftPt, int24 rightPt, uint128 liquidDelta, bytes calldata data)
        external
        returns (uint256 amountX, uint256 amountY);
    function addLimOrderWithX(address recipient, int24 point, uint128 amountX, bytes calldata data)
        external
        returns (uint128 orderX, uint128 acquireY);
    function addLimOrderWithY(address recipient, int24 point, uint128 amountY, bytes calldata data)
        external
        returns (uint128 orderY, uint128 acquireX);
    function swapX2Y(address recipient, uint128 amount, int24 lowPt, bytes calldata data)
        external
        returns (uint256 amountX, uint256 amountY);
    function swapY2X(address recipient, uint128 amount, int24 highPt, bytes calldata data)
        external
        returns (uint256 amountX, uint256 amountY);
}

/// @notice Creates iZiSwap pools with given positions and limit orders, out of tokens that this contract holds.
contract IZiSeeder {
    struct Position {
        int24 left;
        int24 right;
        uint128 liquidity;
    }

    /// Sells tokenX at its point or above, or tokenY at its point or below.
    struct Order {
        int24 point;
        bool sellsX;
        uint128 amount;
    }

    struct Pool {
        address tokenX;
        address tokenY;
        uint24 fee;
        int24 point;
        Position[] positions;
        Order[] orders;
    }

    /// More than a pool of the devnet takes, and little enough to be worth less than 2^128 of the other token at a limit order.
    uint128 private constant ENOUGH = 2 ** 84;

    error NotThePool(address caller);

    address private _pool;

    /// @param wanted The new pool, tokenX < tokenY, at the price 1.0001^point; points are multiples of the fee's spacing
    function seed(IIZiSwapFactory factory, Pool calldata wanted) external {
        IIZiSwapPool pool =
            IIZiSwapPool(factory.newPool(wanted.tokenX, wanted.tokenY, wanted.fee, wanted.point));
        _pool = address(pool);
        bytes memory tokens = abi.encode(wanted.tokenX, wanted.tokenY);
        for (uint256 i = 0; i < wanted.positions.length; i++) {
            Position calldata position = wanted.positions[i];
            pool.mint(address(this), position.left, position.right, position.liquidity, tokens);
        }
        _place(pool, wanted.orders, tokens);
        _pool = address(0);
    }

    /// @notice Trades a pool down to `low`, up to `high` and back to its point, and places the orders anew, which that filled
    /// @dev    A point's first crossing and an order's first fill write fresh slots; a real pool's points have seen theirs.
    ///         Liquidity, point and orders end as they were.
    function age(IIZiSwapPool pool, Pool calldata wanted, int24 low, int24 high) external {
        _pool = address(pool);
        bytes memory tokens = abi.encode(wanted.tokenX, wanted.tokenY);
        pool.swapX2Y(address(this), ENOUGH, low, tokens);
        pool.swapY2X(address(this), ENOUGH, high, tokens);
        pool.swapX2Y(address(this), ENOUGH, wanted.point, tokens);
        _place(pool, wanted.orders, tokens);
        _pool = address(0);
    }

    function mintDepositCallback(uint256 x, uint256 y, bytes calldata data) external {
        _pay(x, y, data);
    }

    function payCallback(uint256 x, uint256 y, bytes calldata data) external {
        _pay(x, y, data);
    }

    function swapX2YCallback(uint256 x, uint256, bytes calldata data) external {
        _pay(x, 0, data);
    }

    function swapY2XCallback(uint256, uint256 y, bytes calldata data) external {
        _pay(0, y, data);
    }

    function _place(IIZiSwapPool pool, Order[] calldata orders, bytes memory tokens) private {
        for (uint256 i = 0; i < orders.length; i++) {
            Order calldata order = orders[i];
            if (order.sellsX) pool.addLimOrderWithX(address(this), order.point, order.amount, tokens);
            else pool.addLimOrderWithY(address(this), order.point, order.amount, tokens);
        }
    }

    function _pay(uint256 x, uint256 y, bytes calldata data) private {
        if (msg.sender != _pool) revert NotThePool(msg.sender);
        (address tokenX, address tokenY) = abi.decode(data, (address, address));
        if (x > 0) SafeTransfer.send(tokenX, msg.sender, x);
        if (y > 0) SafeTransfer.send(tokenY, msg.sender, y);
    }
}
