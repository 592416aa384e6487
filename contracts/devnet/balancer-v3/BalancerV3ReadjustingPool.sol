// A model of Balancer's readjusting pool (reClamm): our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";
import {Roots} from "../shared/Roots.sol";

/// @notice A constant product of two balances lengthened by virtual ones. Where the pool has left its range, these move
///         with time until it is back; where the price range is on its way to another width, they follow that.
contract BalancerV3ReadjustingPool {
    using FixedPoint for uint256;

    uint256 private constant ONE = 1e18;
    uint256 private constant LONGEST = 30 days;

    /// @dev Fourth root of the highest by the lowest price, on its way; Unix times
    struct PriceRatioState {
        uint96 startFourthRootPriceRatio;
        uint96 endFourthRootPriceRatio;
        uint32 priceRatioUpdateStartTime;
        uint32 priceRatioUpdateEndTime;
    }

    /// @dev What a second leaves of the overvalued virtual balance, and how far from the centre a pool stays put
    struct Terms {
        uint128 dailyPriceShiftBase;
        uint64 centerednessMargin;
    }

    Terms private terms;
    PriceRatioState private ratio;
    uint256[2] private virtuals;
    uint32 private lastTimestamp;
    address private vault;

    event VirtualBalancesUpdated(uint256 virtualBalanceA, uint256 virtualBalanceB);
    event LastTimestampUpdated(uint32 lastTimestamp);

    error AlreadyOpen();
    error NotTheVault();
    error AmountOutGreaterThanBalance();

    /// @param last Unix time at which the virtual balances were as given; 0 for now
    function open(
        address vault_,
        Terms calldata terms_,
        PriceRatioState calldata ratio_,
        uint256[2] calldata virtuals_,
        uint32 last
    ) external {
        if (vault != address(0)) revert AlreadyOpen();
        (vault, terms, ratio, virtuals) = (vault_, terms_, ratio_, virtuals_);
        lastTimestamp = last == 0 ? uint32(block.timestamp) : last;
    }

    function getLastVirtualBalances() external view returns (uint256, uint256) {
        return (virtuals[0], virtuals[1]);
    }

    function getLastTimestamp() external view returns (uint32) {
        return lastTimestamp;
    }

    function getCenterednessMargin() external view returns (uint256) {
        return terms.centerednessMargin;
    }

    function getDailyPriceShiftBase() external view returns (uint256) {
        return terms.dailyPriceShiftBase;
    }

    function getPriceRatioState() external view returns (PriceRatioState memory) {
        return ratio;
    }

    function onSwap(BalancerV3Types.PoolSwapParams calldata asked) external returns (uint256 answer) {
        if (msg.sender != vault) revert NotTheVault();
        uint256[] memory balances = asked.balancesScaled18;
        uint256[2] memory now_ = _virtualsNow(balances[0], balances[1]);
        if (now_[0] != virtuals[0] || now_[1] != virtuals[1]) {
            virtuals = now_;
            emit VirtualBalancesUpdated(now_[0], now_[1]);
        }
        if (lastTimestamp != block.timestamp) {
            lastTimestamp = uint32(block.timestamp);
            emit LastTimestampUpdated(lastTimestamp);
        }
        uint256 x = balances[asked.indexIn] + now_[asked.indexIn];
        uint256 y = balances[asked.indexOut] + now_[asked.indexOut];
        uint256 amount = asked.amountGivenScaled18;
        bool isSale = asked.kind == BalancerV3Types.SwapKind.EXACT_IN;
        answer = isSale ? (y * amount) / (x + amount) : (x * amount).ceilDiv(y - amount);
        if ((isSale ? answer : amount) > balances[asked.indexOut]) revert AmountOutGreaterThanBalance();
    }

    function _virtualsNow(uint256 a, uint256 b) private view returns (uint256[2] memory v) {
        v = virtuals;
        if (block.timestamp == lastTimestamp) return v;
        (uint256 centre, bool isAbove) = _centre(a, b, v);
        if (block.timestamp > ratio.priceRatioUpdateStartTime && lastTimestamp < ratio.priceRatioUpdateEndTime) {
            v = _widened(isAbove ? a : b, centre, isAbove, v);
            (centre, isAbove) = _centre(a, b, v);
        }
        if (centre < terms.centerednessMargin) v = _shifted(a, b, isAbove, v);
    }

    /// @return centre  How far the pool is from one of its ends, 18 decimals, 1 in the middle
    /// @return isAbove Whether it holds too much of the first token for its middle
    function _centre(uint256 a, uint256 b, uint256[2] memory v) private pure returns (uint256 centre, bool isAbove) {
        if (a == 0) return (0, false);
        if (b == 0) return (0, true);
        (uint256 above, uint256 below) = (a * v[1], v[0] * b);
        return above <= below ? (above.divDown(below), false) : (below.divDown(above), true);
    }

    /// @dev What keeps the pool as far from its middle in the range of now. `held` is of the token that it has much of.
    function _widened(uint256 held, uint256 centre, bool isAbove, uint256[2] memory last)
        private
        view
        returns (uint256[2] memory v)
    {
        uint256 root = _fourthRoot();
        root = root.mulDown(root);
        uint256 inner = Roots.sqrt(centre * (centre + 4 * root - 2 * ONE) + ONE * ONE);
        uint256 under = (held * (ONE + centre + inner)) / (2 * (root - ONE));
        (uint256 lastUnder, uint256 lastOver) = isAbove ? (last[0], last[1]) : (last[1], last[0]);
        uint256 over = (under * lastOver) / lastUnder;
        return isAbove ? [under, over] : [over, under];
    }

    function _fourthRoot() private view returns (uint256) {
        PriceRatioState memory r = ratio;
        if (block.timestamp >= r.priceRatioUpdateEndTime) return r.endFourthRootPriceRatio;
        uint256 passed = block.timestamp - r.priceRatioUpdateStartTime;
        uint256 whole = r.priceRatioUpdateEndTime - r.priceRatioUpdateStartTime;
        (uint256 start, uint256 end) = (r.startFourthRootPriceRatio, r.endFourthRootPriceRatio);
        uint256 current = start.mulDown(end.divDown(start).powDown(passed.divDown(whole)));
        uint256 least = start < end ? start : end;
        return current > least ? current : least;
    }

    /// @dev The overvalued token's virtual balance falls with time; the other one keeps the width of the range.
    function _shifted(uint256 a, uint256 b, bool isAbove, uint256[2] memory v)
        private
        view
        returns (uint256[2] memory)
    {
        uint256 root = Roots.sqrt(_priceRatio(a, b, v) * ONE);
        (uint256 under, uint256 over) = isAbove ? (a, b) : (b, a);
        uint256 passed = block.timestamp - lastTimestamp;
        if (passed > LONGEST) passed = LONGEST;
        uint256 virtualOver = (isAbove ? v[1] : v[0]).mulDown(uint256(terms.dailyPriceShiftBase).powDown(passed * ONE));
        uint256 least = over.divDown(Roots.sqrt(root * ONE) - ONE);
        if (virtualOver < least) virtualOver = least;
        uint256 virtualUnder = (under * (virtualOver + over)) / ((root - ONE).mulDown(virtualOver) - over);
        return isAbove ? [virtualUnder, virtualOver] : [virtualOver, virtualUnder];
    }

    function _priceRatio(uint256 a, uint256 b, uint256[2] memory v) private pure returns (uint256) {
        uint256 invariant = (a + v[0]).mulDown(b + v[1]);
        uint256 lowest = (v[1] * v[1]) / invariant;
        return invariant.divDown(v[0].mulDown(v[0])).divUp(lowest);
    }
}
