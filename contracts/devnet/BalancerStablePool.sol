// A model of a Balancer stable pool: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerPool} from "./BalancerPool.sol";
import {FixedPoint} from "./FixedPoint.sol";

/// @notice Tokens of one worth, without rates, whose own shares are not traded. The amplification stands still.
contract BalancerStablePool is BalancerPool {
    using FixedPoint for uint256;

    uint256 private constant AMP_PRECISION = 1000;
    uint256 private constant MOST_STEPS = 255;

    /// A·n^(n-1) · AMP_PRECISION
    uint256 private amp;

    error NoConvergence();

    function open(address[] calldata tokens, uint256 amp_, uint256 fee) external {
        _open(tokens, fee);
        amp = amp_;
    }

    function getAmplificationParameter() external view returns (uint256 value, bool isUpdating, uint256 precision) {
        return (amp, false, AMP_PRECISION);
    }

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        uint256 d = _invariant(balances);
        balances[i] += amount;
        return balances[j] - _balanceFor(j, balances, d) - 1;
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        uint256 d = _invariant(balances);
        balances[j] -= amount;
        return _balanceFor(i, balances, d) - balances[i] + 1;
    }

    /// @dev D by Newton's method from the sum on, rounded down
    function _invariant(uint256[] memory balances) private view returns (uint256 d) {
        uint256 n = balances.length;
        uint256 ann = amp * n;
        uint256 sum = _sum(balances);
        d = sum;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 product = d;
            for (uint256 k = 0; k < n; k++) product = (product * d) / (balances[k] * n);
            uint256 before = d;
            d = (((ann * sum) / AMP_PRECISION + product * n) * d)
                / (((ann - AMP_PRECISION) * d) / AMP_PRECISION + (n + 1) * product);
            if (_settled(d, before)) return d;
        }
        revert NoConvergence();
    }

    /// @dev The balance of token `j` that keeps D beside the others, rounded up
    function _balanceFor(uint256 j, uint256[] memory balances, uint256 d) private view returns (uint256 y) {
        uint256 n = balances.length;
        uint256 ann = amp * n;
        uint256 product = balances[0] * n;
        for (uint256 k = 1; k < n; k++) product = (product * balances[k] * n) / d;
        uint256 c = (d * d).ceilDiv(ann * product) * AMP_PRECISION * balances[j];
        uint256 b = _sum(balances) - balances[j] + (d / ann) * AMP_PRECISION;
        y = (d * d + c).ceilDiv(d + b);
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            y = (y * y + c).ceilDiv(2 * y + b - d);
            if (_settled(y, before)) return y;
        }
        revert NoConvergence();
    }

    function _sum(uint256[] memory balances) private pure returns (uint256 sum) {
        for (uint256 k = 0; k < balances.length; k++) sum += balances[k];
    }

    function _settled(uint256 now_, uint256 before) private pure returns (bool) {
        return now_ > before ? now_ - before <= 1 : before - now_ <= 1;
    }
}
