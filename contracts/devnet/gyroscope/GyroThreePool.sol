// A model of Gyroscope's 3-CLP: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "../shared/FixedPoint.sol";
import {GyroMath} from "./GyroMath.sol";
import {GyroPool} from "./GyroPool.sol";
import {GyroVirtual} from "./GyroVirtual.sol";

/// @notice Constant product of three balances, each lengthened by the same virtual offset.
contract GyroThreePool is GyroPool {
    using FixedPoint for uint256;

    uint256 private constant ONE = 1e18;
    uint256 private constant MAX_BALANCE = 1e29;
    /// Up to here products do not overflow; the deployed pool goes on beyond
    uint256 private constant MAX_INVARIANT = 2e31;
    uint256 private constant MOST_STEPS = 255;
    uint256 private constant LEAST_STEPS = 5;
    uint256 private constant SHRINKING = 8;

    /// @dev (1 - α)·L³ - b·L² - c·L - d
    struct Cubic {
        uint256 b;
        uint256 c;
        uint256 d;
        /// The deployed pool takes a step below this for an error
        uint256 least;
    }

    /// Third root of the lowest price, 18 decimals
    uint256 private root3Alpha;

    error OutOfRange(uint256 value);
    error NoConvergence();

    function open(address[] calldata tokens, uint256 root3Alpha_, uint256 fee) external {
        _open(tokens, fee);
        root3Alpha = root3Alpha_;
    }

    function getRoot3Alpha() external view returns (uint256) {
        return root3Alpha;
    }

    function _isOfThree() internal pure override returns (bool) {
        return true;
    }

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        uint256 offset = _offset(balances[i], balances[j], balances[3 - i - j]);
        return GyroVirtual.outGivenIn(GyroVirtual.pair(balances, i, j, offset, offset), amount);
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        uint256 offset = _offset(balances[i], balances[j], balances[3 - i - j]);
        return GyroVirtual.inGivenOut(GyroVirtual.pair(balances, i, j, offset, offset), amount);
    }

    /// @dev L·∛α, whose last digit may depend on which balance is the third
    function _offset(uint256 sold, uint256 bought, uint256 third) private view returns (uint256) {
        uint256 alpha = root3Alpha;
        return _invariant(sold, bought, third, alpha).mulDown(alpha);
    }

    /// @dev Newton's method from 3/2 or twice the lowest point of the cubic
    function _invariant(uint256 x, uint256 y, uint256 z, uint256 alpha) private pure returns (uint256) {
        if (x > MAX_BALANCE || y > MAX_BALANCE || z > MAX_BALANCE) revert OutOfRange(x + y + z);
        uint256 a = ONE - alpha.mulDown(alpha).mulDown(alpha);
        uint256 b = (x + y + z).mulDown(alpha).mulDown(alpha);
        uint256 c = (x.mulDown(y) + y.mulDown(z) + z.mulDown(x)).mulDown(alpha);
        uint256 lowest = (b + GyroMath.sqrt(b.mulUp(b) + a.mulUp(c * 3))).divUp(a * 3);
        uint256 start = lowest.mulUp(ONE - a < ONE / 2 ? 2 * ONE : 3 * ONE / 2);
        uint256 d = x.mulDown(y).mulDown(z);
        return _newton(Cubic(b, c, d, lowest.mulUp(13 * ONE / 10)), start, alpha);
    }

    /// @dev Stops where steps no longer shrink: the last digits depend on where
    function _newton(Cubic memory cubic, uint256 root, uint256 alpha) private pure returns (uint256) {
        uint256 before = type(uint256).max;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            (uint256 size, bool grows) = _move(cubic, root, alpha);
            if (size <= 1) return root;
            if (step >= LEAST_STEPS && (grows || size >= before / SHRINKING)) return root;
            before = size;
            root = grows ? root + size : root - size;
        }
        revert NoConvergence();
    }

    /// @dev -f(L) / f'(L), as its size and whether it makes L greater
    function _move(Cubic memory cubic, uint256 root, uint256 alpha) private pure returns (uint256, bool) {
        if (root > MAX_INVARIANT || root < cubic.least) revert OutOfRange(root);
        uint256 square = root.mulDown(root);
        uint256 slope = _lessAlpha((root * 3).mulDown(root), alpha) - 2 * root.mulDown(cubic.b) - cubic.c;
        uint256 falls = _lessAlpha(square.mulDown(root), alpha).divDown(slope);
        uint256 rises = (square.mulDown(cubic.b) + root.mulDown(cubic.c)).divDown(slope) + cubic.d.divDown(slope);
        return rises >= falls ? (rises - falls, true) : (falls - rises, false);
    }

    /// @dev x·(1 - α), without 1 - α: it would carry the error of α
    function _lessAlpha(uint256 x, uint256 alpha) private pure returns (uint256) {
        return x - x.mulDown(alpha).mulDown(alpha).mulDown(alpha);
    }
}
