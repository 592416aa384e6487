// A model of a stable pool of Balancer's third vault: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";

/// @notice Tokens of one worth. The amplification may be on its way to another; its precision is multiplied in before
///         anything is divided by it, unlike in the second vault's pools.
contract BalancerV3StablePool {
    using FixedPoint for uint256;

    uint256 private constant AMP_PRECISION = 1000;
    uint256 private constant MOST_STEPS = 255;
    /// A swap must not leave one balance so many times as great as another
    uint256 private constant MOST_IMBALANCE = 10_000;

    /// @dev A·n^(n-1) · AMP_PRECISION at both ends of a ramp, and their Unix times
    struct Amplification {
        uint64 startValue;
        uint64 endValue;
        uint32 startTime;
        uint32 endTime;
    }

    Amplification private ramp;

    error AlreadyOpen();
    error NoConvergence();
    error Imbalance(uint256 most, uint256 least);

    /// @notice Starts with one amplification, on its way to another for so many seconds.
    function open(uint256 from, uint256 to, uint256 duration) external {
        if (ramp.endValue != 0) revert AlreadyOpen();
        uint256 end = block.timestamp + duration;
        ramp = Amplification(uint64(from), uint64(to), uint32(block.timestamp), uint32(end));
    }

    function getAmplificationState() external view returns (Amplification memory state, uint256 precision) {
        return (ramp, AMP_PRECISION);
    }

    function onSwap(BalancerV3Types.PoolSwapParams calldata asked) external view returns (uint256 answer) {
        uint256[] memory balances = asked.balancesScaled18;
        (uint256 i, uint256 j, uint256 amp) = (asked.indexIn, asked.indexOut, _amplification());
        uint256 d = _invariant(balances, amp * balances.length);
        (uint256 x, uint256 y) = (balances[i], balances[j]);
        if (asked.kind == BalancerV3Types.SwapKind.EXACT_IN) {
            balances[i] += asked.amountGivenScaled18;
            answer = y - _balanceFor(j, balances, d, amp * balances.length) - 1;
            balances[j] = y - answer;
        } else {
            balances[j] -= asked.amountGivenScaled18;
            answer = _balanceFor(i, balances, d, amp * balances.length) - x + 1;
            balances[i] = x + answer;
        }
        _requireBalance(balances);
    }

    function _amplification() private view returns (uint256) {
        Amplification memory r = ramp;
        if (block.timestamp >= r.endTime) return r.endValue;
        uint256 passed = block.timestamp - r.startTime;
        uint256 whole = r.endTime - r.startTime;
        if (r.endValue > r.startValue) return r.startValue + ((r.endValue - r.startValue) * passed) / whole;
        return r.startValue - ((r.startValue - r.endValue) * passed) / whole;
    }

    function _requireBalance(uint256[] memory balances) private pure {
        (uint256 most, uint256 least) = (balances[0], balances[0]);
        for (uint256 k = 1; k < balances.length; k++) {
            if (balances[k] > most) most = balances[k];
            if (balances[k] < least) least = balances[k];
        }
        if (least == 0 || most / least >= MOST_IMBALANCE) revert Imbalance(most, least);
    }

    /// @dev D by Newton's method from the sum on, rounded down
    function _invariant(uint256[] memory balances, uint256 ann) private pure returns (uint256 d) {
        uint256 n = balances.length;
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
    function _balanceFor(uint256 j, uint256[] memory balances, uint256 d, uint256 ann)
        private
        pure
        returns (uint256 y)
    {
        uint256 n = balances.length;
        uint256 product = balances[0] * n;
        for (uint256 k = 1; k < n; k++) product = (product * balances[k] * n) / d;
        uint256 c = (d * d * AMP_PRECISION).ceilDiv(ann * product) * balances[j];
        uint256 b = _sum(balances) - balances[j] + (d * AMP_PRECISION) / ann;
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
