// Roots in integers, for models: our own code, not any protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

library Roots {
    uint256 private constant ONE = 1e18;
    /// Above these a cube root's argument is scaled less, so that it fits
    uint256 private constant LARGE = 115792089237316195423570985008687907853269;
    uint256 private constant HUGE = LARGE * 1e18;

    /// @notice floor(sqrt(x))
    function sqrt(uint256 x) internal pure returns (uint256 root) {
        if (x == 0) return 0;
        root = 1 << ((_log2(x) >> 1) + 1);
        while (true) {
            uint256 next = (root + x / root) >> 1;
            if (next >= root) return root;
            root = next;
        }
    }

    /// @notice 10^12 times the cube root, about: seven steps of Newton's method from a power of two
    function cbrt(uint256 x) internal pure returns (uint256 root) {
        if (x == 0) return 0;
        uint256 scaled = x >= HUGE ? x : x >= LARGE ? x * ONE : x * ONE * ONE;
        uint256 log = _log2(scaled);
        uint256 rest = log % 3;
        root = (2 ** (log / 3) * 1260 ** rest) / 1000 ** rest;
        for (uint256 step = 0; step < 7; step++) root = (2 * root + scaled / (root * root)) / 3;
        if (x >= HUGE) root *= 1e12;
        else if (x >= LARGE) root *= 1e6;
    }

    function _log2(uint256 x) private pure returns (uint256 log) {
        for (uint256 bits = 128; bits > 0; bits >>= 1) {
            if (x >> bits == 0) continue;
            x >>= bits;
            log += bits;
        }
    }
}
