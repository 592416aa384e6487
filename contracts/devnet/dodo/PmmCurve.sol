// A model of DODO's pricing: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice P(V) = i·(1 - k + k·(V0/V)²) for the token that is short of its target V0. 18 decimals; amounts are rounded
///         down.
library PmmCurve {
    uint256 private constant ONE = 1e18;
    uint256 private constant ONE_SQUARED = 1e36;

    /// @dev A pool with no quote target: all of its quote was sold to it.
    struct Pool {
        uint256 i;
        uint256 k;
        uint256 base;
        uint256 quote;
        uint256 baseTarget;
    }

    function atQuoteTarget(uint256 i, uint256 k, uint256 base, uint256 quote) internal pure returns (Pool memory) {
        return Pool(i, k, base, quote, _target(base, quote, ONE_SQUARED / i, k));
    }

    /// @return What the base brings on the way back to its target; past it there is no more than all the quote
    function sellBase(Pool memory pool, uint256 amount) internal pure returns (uint256) {
        uint256 lack = pool.baseTarget - pool.base;
        if (amount == lack) return pool.quote;
        if (amount < lack) {
            uint256 paid = _integrate(pool.baseTarget, pool.base + amount, pool.base, pool.i, pool.k);
            return paid > pool.quote ? pool.quote : paid;
        }
        return pool.quote + _trade(0, 0, amount - lack, pool.i, pool.k);
    }

    function sellQuote(Pool memory pool, uint256 amount) internal pure returns (uint256) {
        return _trade(pool.baseTarget, pool.base, amount, ONE_SQUARED / pool.i, pool.k);
    }

    /// @dev i·(v1 - v2)·(1 - k + k·v0²/(v1·v2)), v0 ≥ v1 ≥ v2
    function _integrate(uint256 v0, uint256 v1, uint256 v2, uint256 i, uint256 k) private pure returns (uint256) {
        require(v0 > 0, "TARGET_IS_ZERO");
        uint256 fair = i * (v1 - v2);
        if (k == 0) return fair / ONE;
        uint256 ratio = (((v0 * v0) / v1) * ONE) / v2;
        return ((ONE - k + (k * ratio) / ONE) * fair) / ONE_SQUARED;
    }

    /// @dev v1·(1 + (√(1 + 4·k·i·delta/v1) - 1)/2k)
    function _target(uint256 v1, uint256 delta, uint256 i, uint256 k) private pure returns (uint256) {
        if (k == 0) return v1 + (i * delta) / ONE;
        if (v1 == 0) return 0;
        uint256 ki = 4 * k * i;
        uint256 root = ONE;
        if (ki != 0) root = _root(_product(ki, delta) ? (ki * delta) / v1 + ONE_SQUARED : (ki / v1) * delta + ONE_SQUARED);
        return (v1 * (((root - ONE) * ONE) / (k * 2) + ONE)) / ONE;
    }

    /// @dev What a reserve v1 with the target v0 pays for `delta` of the other token, worth `i` each
    function _trade(uint256 v0, uint256 v1, uint256 delta, uint256 i, uint256 k) private pure returns (uint256) {
        require(v0 > 0, "TARGET_IS_ZERO");
        if (delta == 0) return 0;
        if (k == 0) {
            uint256 fair = (i * delta) / ONE;
            return fair > v1 ? v1 : fair;
        }
        if (k == ONE) {
            uint256 share =
                _product(i * delta, v1) ? (i * delta * v1) / (v0 * v0) : (((delta * v1) / v0) * i) / v0;
            return (v1 * share) / (share + ONE);
        }
        return _quadratic(v0, v1, i * delta, k);
    }

    function _quadratic(uint256 v0, uint256 v1, uint256 worth, uint256 k) private pure returns (uint256) {
        uint256 part = ((k * v0) / v1) * v0 + worth;
        uint256 rest = (ONE - k) * v1;
        bool rises = part > rest;
        uint256 b = (rises ? part - rest : rest - part) / ONE;
        uint256 root = _root(b * b + ((ONE - k) * 4 * (((k * v0) / ONE) * v0)) / ONE);
        uint256 above = rises ? root - b : root + b;
        require(above > 0, "DIVIDING_ERROR");
        uint256 below = (ONE - k) * 2;
        uint256 v2 = (above * ONE + below - 1) / below;
        return v2 > v1 ? 0 : v1 - v2;
    }

    /// @dev Whether a·b fits 256 bits
    function _product(uint256 a, uint256 b) private pure returns (bool) {
        return b == 0 || a <= type(uint256).max / b;
    }

    /// @dev ⌊√x⌋ by Newton's method from above
    function _root(uint256 x) private pure returns (uint256 root) {
        uint256 next = x / 2 + 1;
        root = x;
        while (next < root) {
            root = next;
            next = (x / next + next) / 2;
        }
    }
}
