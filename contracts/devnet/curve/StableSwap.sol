// A model of a Curve pool: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ICoin {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice Coins of one worth on the stableswap invariant A·n^n·Σx + D = A·D·n^n + D^(n+1) / (n^n·Πx). The amplification
///         and the fees stand still, and there is no LP token.
contract StableSwap {
    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_DENOMINATOR = 1e10;
    uint256 private constant A_PRECISION = 100;
    uint256 private constant MOST_STEPS = 255;
    uint256 private constant MOST_COINS = 4;

    address[MOST_COINS] public coins;
    /// Smallest units that belong to the providers: the admin's part of the fees lies beside them
    uint256[MOST_COINS] public balances;
    Terms private terms;

    /// @dev Two words
    struct Terms {
        /// A·n^(n-1) · A_PRECISION
        uint64 amp;
        uint64 fee;
        uint64 adminFee;
        uint8 count;
        uint8[MOST_COINS] decimals;
    }

    event TokenExchange(
        address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
    );

    error AlreadyOpen();
    error TooLittle(uint256 bought, uint256 least);
    error NoConvergence();
    error TooManyCoins();

    /// @notice Opens the pool with the coins that it holds.
    /// @param amp_      A·n^(n-1) · 100
    /// @param fee_      On the output, of 10^10
    /// @param adminFee_ Share of the fee that leaves the pool, of 10^10
    function open(address[] calldata coins_, uint256 amp_, uint256 fee_, uint256 adminFee_) external {
        if (terms.count != 0) revert AlreadyOpen();
        if (coins_.length > MOST_COINS) revert TooManyCoins();
        Terms memory opened;
        (opened.amp, opened.fee, opened.adminFee) = (uint64(amp_), uint64(fee_), uint64(adminFee_));
        opened.count = uint8(coins_.length);
        for (uint256 k = 0; k < coins_.length; k++) {
            coins[k] = coins_[k];
            balances[k] = ICoin(coins_[k]).balanceOf(address(this));
            opened.decimals[k] = ICoin(coins_[k]).decimals();
        }
        terms = opened;
    }

    function fee() external view returns (uint256) {
        return terms.fee;
    }

    function admin_fee() external view returns (uint256) {
        return terms.adminFee;
    }

    function initial_A() external view returns (uint256) {
        return terms.amp;
    }

    function future_A() external view returns (uint256) {
        return terms.amp;
    }

    function initial_A_time() external pure returns (uint256) {
        return 0;
    }

    function future_A_time() external pure returns (uint256) {
        return 0;
    }

    function is_killed() external pure returns (bool) {
        return false;
    }

    /// @return dy Smallest units of coin `j` for `dx` of coin `i`, the fee taken
    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,) = _price(uint128(i), uint128(j), dx);
    }

    /// @notice Takes `dx` of coin `i` from the caller and pays coin `j` to it.
    function exchange(int128 i, int128 j, uint256 dx, uint256 leastDy) external returns (uint256) {
        (uint256 sold, uint256 bought) = (uint128(i), uint128(j));
        (uint256 dy, uint256 adminDy) = _price(sold, bought, dx);
        if (dy < leastDy) revert TooLittle(dy, leastDy);

        balances[sold] += dx;
        balances[bought] -= dy + adminDy;
        SafeTransfer.take(coins[sold], msg.sender, dx);
        SafeTransfer.send(coins[bought], msg.sender, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
        return dy;
    }

    /// @dev One unit is kept against rounding, then the fee is taken, and only then come the coin's own units.
    function _price(uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256 adminDy) {
        Terms memory t = terms;
        uint256[] memory xp = new uint256[](t.count);
        for (uint256 k = 0; k < xp.length; k++) xp[k] = (balances[k] * _rate(t, k)) / ONE;
        uint256 ann = t.amp * xp.length;
        uint256 d = _invariant(xp, ann);
        xp[i] += (dx * _rate(t, i)) / ONE;
        uint256 gross = xp[j] - _balanceFor(j, xp, d, ann) - 1;
        uint256 taken = (gross * t.fee) / FEE_DENOMINATOR;
        dy = ((gross - taken) * ONE) / _rate(t, j);
        adminDy = (((taken * t.adminFee) / FEE_DENOMINATOR) * ONE) / _rate(t, j);
    }

    function _rate(Terms memory t, uint256 k) private pure returns (uint256) {
        return 10 ** (36 - t.decimals[k]);
    }

    /// @dev D by Newton's method from Σx on
    function _invariant(uint256[] memory xp, uint256 ann) private pure returns (uint256 d) {
        uint256 n = xp.length;
        uint256 sum;
        for (uint256 k = 0; k < n; k++) sum += xp[k];
        d = sum;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 product = d;
            for (uint256 k = 0; k < n; k++) product = (product * d) / (xp[k] * n);
            uint256 before = d;
            uint256 above = ((ann * sum) / A_PRECISION + product * n) * d;
            d = above / (((ann - A_PRECISION) * d) / A_PRECISION + (n + 1) * product);
            if (_settled(d, before)) return d;
        }
        revert NoConvergence();
    }

    /// @dev The balance of coin `j` that keeps D beside the other balances, by Newton's method from D on
    function _balanceFor(uint256 j, uint256[] memory xp, uint256 d, uint256 ann)
        private
        pure
        returns (uint256 y)
    {
        uint256 n = xp.length;
        uint256 c = d;
        uint256 sum;
        for (uint256 k = 0; k < n; k++) {
            if (k == j) continue;
            sum += xp[k];
            c = (c * d) / (xp[k] * n);
        }
        c = (c * d * A_PRECISION) / (ann * n);
        uint256 b = sum + (d * A_PRECISION) / ann;
        y = d;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            y = (y * y + c) / (2 * y + b - d);
            if (_settled(y, before)) return y;
        }
        revert NoConvergence();
    }

    function _settled(uint256 now_, uint256 before) private pure returns (bool) {
        return now_ > before ? now_ - before <= 1 : before - now_ <= 1;
    }
}
