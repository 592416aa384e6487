// A model of Curve's lending AMM: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LlammaMath} from "./LlammaMath.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ILlammaCoin {
    function decimals() external view returns (uint8);
}

/// @notice Collateral in bands that a price from outside turns into what was lent. There are no loans, no interest and
///         no fee for a fast change of the price, which stands still until it is set.
contract Llamma {
    uint256 private constant ONE = 1e18;
    uint256 private constant MOST_BANDS = 50;
    uint256 private constant MOST_STEPS = MOST_BANDS + 1024;

    /// @dev Three words
    struct Terms {
        uint64 fee;
        uint64 adminFee;
        uint64 logRatio;
        uint16 a;
        uint8 missing0;
        uint8 missing1;
        /// Every band has a fee of its own, and the exponential floors
        bool isNewer;
        uint128 basePrice;
        uint128 farthest;
        int32 minBand;
        int32 maxBand;
    }

    /// @dev What both coins and prices are, 18 digits
    struct Given {
        address[2] coins;
        uint16 a;
        uint64 fee;
        uint64 adminFee;
        bool isNewer;
        uint128 basePrice;
        uint256 price;
        int32 activeBand;
        int32 minBand;
        int32 maxBand;
        /// Bands from the first on
        int32 first;
        uint256[] x;
        uint256[] y;
    }

    /// @dev A trade on its way through the bands
    struct Walk {
        bool isPump;
        uint256 amount;
        uint256 price;
        uint256 taken;
        uint256 paid;
        int256 from;
        int256 to;
        /// The coin sold in each band from the first on, and what the last keeps of the other
        uint256 count;
        uint256[MOST_BANDS] sold;
        uint256 left;
        bool ended;
    }

    address[2] public coins;
    uint256 public price_oracle;
    int256 public active_band;
    mapping(int256 band => uint256) public bands_x;
    mapping(int256 band => uint256) public bands_y;
    Terms private terms;

    event TokenExchange(
        address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought
    );

    error AlreadyOpen();
    error SameCoin();
    error NoPrice();
    error TooLittle(uint256 bought, uint256 least);

    /// @notice Opens the market with the bands as they are given; it holds what they say.
    function open(Given calldata given) external {
        if (terms.a != 0) revert AlreadyOpen();
        (coins, price_oracle, active_band) = (given.coins, given.price, given.activeBand);
        Terms memory t;
        (t.fee, t.adminFee, t.a, t.isNewer) = (given.fee, given.adminFee, given.a, given.isNewer);
        (t.basePrice, t.minBand, t.maxBand) = (given.basePrice, given.minBand, given.maxBand);
        t.missing0 = 18 - ILlammaCoin(given.coins[0]).decimals();
        t.missing1 = 18 - ILlammaCoin(given.coins[1]).decimals();
        t.logRatio = uint64(LlammaMath.ln((ONE * t.a) / (t.a - 1)));
        t.farthest = uint128(_farthest(t.a, t.isNewer));
        terms = t;
        for (uint256 k = 0; k < given.x.length; k++) {
            int256 n = given.first + int256(k);
            if (given.x[k] != 0) bands_x[n] = given.x[k];
            if (given.y[k] != 0) bands_y[n] = given.y[k];
        }
    }

    /// @dev Fifty bands away: one by one, or the 25th power squared
    function _farthest(uint256 a, bool isNewer) private pure returns (uint256 ratio) {
        ratio = ONE;
        if (isNewer) for (uint256 k = 0; k < MOST_BANDS; k++) ratio = (ratio * a) / (a - 1);
        else ratio = ((a ** 25 * ONE) / (a - 1) ** 25) ** 2 / ONE;
    }

    function set_price(uint256 price) external {
        price_oracle = price;
    }

    function A() external view returns (uint256) {
        return terms.a;
    }

    function dynamic_fee() external view returns (uint256) {
        return terms.fee;
    }

    function admin_fee() external view returns (uint256) {
        return terms.adminFee;
    }

    function get_base_price() external view returns (uint256) {
        return terms.basePrice;
    }

    function min_band() external view returns (int256) {
        return terms.minBand;
    }

    function max_band() external view returns (int256) {
        return terms.maxBand;
    }

    /// @return dy Smallest units of coin `j`, for less than `dx` where the bands run out
    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        Terms memory t = terms;
        (, dy) = _amounts(t, _trade(t, i, j, dx));
    }

    /// @notice Takes up to `dx` of coin `i` from the caller and pays coin `j` to it.
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 leastDy) external returns (uint256[2] memory) {
        Terms memory t = terms;
        Walk memory w = _trade(t, i, j, dx);
        (uint256 taken, uint256 paid) = _amounts(t, w);
        if (paid < leastDy) revert TooLittle(paid, leastDy);
        if (taken == 0 || paid == 0) return [taken, paid];

        _keep(w);
        SafeTransfer.take(coins[i], msg.sender, taken);
        SafeTransfer.send(coins[j], msg.sender, paid);
        emit TokenExchange(msg.sender, i, taken, j, paid);
        return [taken, paid];
    }

    /// @dev What goes in is rounded up to the coin's own digits, what comes out down.
    function _amounts(Terms memory t, Walk memory w) private pure returns (uint256 taken, uint256 paid) {
        (uint256 first, uint256 second) = (10 ** t.missing0, 10 ** t.missing1);
        (uint256 unitIn, uint256 unitOut) = w.isPump ? (first, second) : (second, first);
        return ((w.taken + unitIn - 1) / unitIn, w.paid / unitOut);
    }

    function _trade(Terms memory t, uint256 i, uint256 j, uint256 dx) private view returns (Walk memory w) {
        if (i == j || i > 1 || j > 1) revert SameCoin();
        w.isPump = i == 0;
        w.amount = dx * 10 ** (w.isPump ? t.missing0 : t.missing1);
        w.price = price_oracle;
        if (w.price == 0) revert NoPrice();
        w.to = active_band;
        LlammaMath.Band memory band =
            LlammaMath.Band(bands_x[w.to], bands_y[w.to], w.price, _upper(t, w.to));
        for (uint256 turn = 1; !w.ended; turn++) {
            _visit(t, w, band);
            if (w.ended || turn == MOST_STEPS || _isLast(t, w, band.upper)) return w;
            _next(t, w, band);
        }
    }

    function _upper(Terms memory t, int256 n) private pure returns (uint256 price) {
        uint256 factor = LlammaMath.exp(-n * int256(uint256(t.logRatio)), t.isNewer);
        if (factor <= 1000) revert LlammaMath.PriceOutOfBounds();
        price = (t.basePrice * factor) / ONE;
    }

    function _isLast(Terms memory t, Walk memory w, uint256 upper) private pure returns (bool) {
        if (w.to == (w.isPump ? t.maxBand : t.minBand) || w.count == MOST_BANDS) return true;
        uint256 distance = (upper * ONE) / w.price;
        return w.isPump ? distance < (ONE * ONE) / t.farthest : distance > t.farthest;
    }

    function _next(Terms memory t, Walk memory w, LlammaMath.Band memory band) private view {
        uint256 a = t.a;
        if (w.isPump) {
            w.to++;
            (band.x, band.y, band.upper) = (0, bands_y[w.to], (band.upper * (a - 1)) / a);
        } else {
            w.to--;
            (band.x, band.y, band.upper) = (bands_x[w.to], 0, (band.upper * a) / (a - 1));
        }
    }

    /// @dev Trades with one band.
    function _visit(Terms memory t, Walk memory w, LlammaMath.Band memory band) private pure {
        if (w.count == 0) {
            if (band.x == 0 && band.y == 0) return;
            w.from = w.to;
        }
        (uint256 has, uint256 pays) = w.isPump ? (band.x, band.y) : (band.y, band.x);
        w.sold[w.count++] = has;
        if (pays == 0) return;
        (uint256 near, uint256 far, uint256 invariant) = LlammaMath.curvature(band, t.a);
        if (!w.isPump) (near, far) = (far, near);
        if (far == 0) return;
        uint256 antifee = _antifee(t, w.price, band.upper);
        uint256 rest = w.amount - w.taken;
        uint256 room = invariant / far - near - has;
        uint256 whole = (room * antifee) / ONE;
        uint256 net = room;
        if (whole >= rest) {
            net = (rest * ONE) / antifee;
            uint256 left = invariant / (near + has + net) + 1 - far;
            w.left = left < pays ? left : pays;
            (whole, w.ended) = (rest, true);
        } else if (whole == 0) {
            whole = 1;
        }
        w.sold[w.count - 1] = has + whole - ((whole - net) * t.adminFee) / ONE;
        w.taken += whole;
        w.paid += pays - w.left;
    }

    /// @dev 1 / (1 - fee)
    function _antifee(Terms memory t, uint256 price, uint256 upper) private pure returns (uint256) {
        uint256 own = t.isNewer ? LlammaMath.bandFee(price, upper, t.a) : 0;
        uint256 fee = own > t.fee ? own : t.fee;
        return (ONE * ONE) / (ONE - (fee < ONE ? fee : ONE - 1));
    }

    function _keep(Walk memory w) private {
        active_band = w.to;
        for (uint256 k = 0; k < w.count; k++) {
            int256 n = w.isPump ? w.from + int256(k) : w.from - int256(k);
            uint256 rest = n == w.to ? w.left : 0;
            (bands_x[n], bands_y[n]) = w.isPump ? (w.sold[k], rest) : (rest, w.sold[k]);
        }
    }
}
