// A model of WOOFi's pool: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IWooToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IWooOracle {
    function state(address base) external view returns (uint128, uint64, uint64, bool);
    function decimals(address base) external view returns (uint8);
    function postPrice(address base, uint128 price) external;
}

/// @notice One quote token and several base tokens at the prices of the pool's own oracle, to which every trade posts a
///         new one. As version 2.1, without deposits, rebates and a claim of the fees.
contract WooPool {
    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_UNIT = 1e5;

    /// @dev feeRate in 1e-5; maxGamma 18 decimals; maxNotionalSwap in the quote token
    struct TokenInfo {
        uint192 reserve;
        uint16 feeRate;
        uint128 maxGamma;
        uint128 maxNotionalSwap;
    }

    /// @dev What the oracle says of a base token, and the units to read it with
    struct Price {
        uint256 price;
        uint256 spread;
        uint256 coeff;
        uint256 priceUnit;
        uint256 baseUnit;
        uint256 quoteUnit;
    }

    address public quoteToken;
    address public wooracle;
    uint256 public unclaimedFee;
    mapping(address token => TokenInfo) public tokenInfos;

    event WooSwap(
        address indexed fromToken,
        address indexed toToken,
        uint256 fromAmount,
        uint256 toAmount,
        address from,
        address indexed to,
        address rebateTo,
        uint256 swapVol,
        uint256 swapFee
    );

    error AlreadyOpen();
    error NotPaid();
    error NotFeasible(address base);
    error TooLittle(uint256 paid, uint256 least);
    error GammaTooHigh(uint256 gamma);
    error NotionalTooHigh(uint256 notional);

    /// @notice Opens the pool with the tokens that it holds.
    /// @param infos Of each token, the quote token first; the reserves are what the pool holds
    function open(address oracle, address[] calldata tokens, TokenInfo[] calldata infos) external {
        if (quoteToken != address(0)) revert AlreadyOpen();
        (quoteToken, wooracle) = (tokens[0], oracle);
        for (uint256 k = 0; k < tokens.length; k++) {
            tokenInfos[tokens[k]] = infos[k];
            tokenInfos[tokens[k]].reserve = uint192(IWooToken(tokens[k]).balanceOf(address(this)));
        }
    }

    function paused() external pure returns (bool) {
        return false;
    }

    function query(address from, address to, uint256 amount) external view returns (uint256 paid) {
        if (from == quoteToken) {
            (paid,) = _baseFor(to, amount - _fee(amount, to), _priceOf(to));
            return paid;
        }
        if (to == quoteToken) {
            (uint256 gross,) = _quoteFor(from, amount, _priceOf(from));
            return gross - _fee(gross, from);
        }
        (Price memory sold, Price memory bought) = _crossPrices(from, to);
        (uint256 between,) = _quoteFor(from, amount, sold);
        (paid,) = _baseFor(to, between - _crossFee(between, from, to), bought);
    }

    /// @notice Sells what was sent before.
    function swap(address from, address to, uint256 amount, uint256 least, address receiver, address rebateTo)
        external
        returns (uint256 paid)
    {
        if (IWooToken(from).balanceOf(address(this)) - _own(from) < amount) revert NotPaid();
        uint256 volume;
        uint256 fee;
        if (from == quoteToken) (paid, volume, fee) = _sellQuote(to, amount);
        else if (to == quoteToken) (paid, volume, fee) = _sellBase(from, amount);
        else (paid, volume, fee) = _sellBaseForBase(from, to, amount);
        if (paid < least) revert TooLittle(paid, least);
        SafeTransfer.send(to, receiver, paid);
        emit WooSwap(from, to, amount, paid, msg.sender, receiver, rebateTo, volume, fee);
    }

    function _sellBase(address base, uint256 amount) private returns (uint256 paid, uint256 gross, uint256 fee) {
        uint256 price;
        (gross, price) = _quoteFor(base, amount, _priceOf(base));
        IWooOracle(wooracle).postPrice(base, uint128(price));
        fee = _fee(gross, base);
        paid = gross - fee;
        unclaimedFee += fee;
        tokenInfos[base].reserve += uint192(amount);
        tokenInfos[quoteToken].reserve -= uint192(gross);
    }

    function _sellQuote(address base, uint256 amount) private returns (uint256 paid, uint256 gross, uint256 fee) {
        gross = amount;
        fee = _fee(amount, base);
        uint256 price;
        (paid, price) = _baseFor(base, amount - fee, _priceOf(base));
        IWooOracle(wooracle).postPrice(base, uint128(price));
        unclaimedFee += fee;
        tokenInfos[quoteToken].reserve += uint192(amount - fee);
        tokenInfos[base].reserve -= uint192(paid);
    }

    /// @dev Both at half of the wider spread, for the higher fee
    function _sellBaseForBase(address from, address to, uint256 amount)
        private
        returns (uint256 paid, uint256 between, uint256 fee)
    {
        (Price memory sold, Price memory bought) = _crossPrices(from, to);
        uint256 price;
        (between, price) = _quoteFor(from, amount, sold);
        IWooOracle(wooracle).postPrice(from, uint128(price));
        fee = _crossFee(between, from, to);
        (paid, price) = _baseFor(to, between - fee, bought);
        IWooOracle(wooracle).postPrice(to, uint128(price));
        unclaimedFee += fee;
        tokenInfos[quoteToken].reserve -= uint192(fee);
        tokenInfos[from].reserve += uint192(amount);
        tokenInfos[to].reserve -= uint192(paid);
    }

    /// @dev amount·price·(1 - coeff·amount·price - spread), each division rounded down
    function _quoteFor(address base, uint256 amount, Price memory p)
        private
        view
        returns (uint256 quote, uint256 price)
    {
        uint256 worth = amount * p.price;
        _requireNotional(base, (worth * p.quoteUnit) / p.baseUnit / p.priceUnit);
        uint256 gamma = (worth * p.coeff) / p.priceUnit / p.baseUnit;
        _requireGamma(base, gamma);
        quote = (((worth * p.quoteUnit) / p.priceUnit) * (ONE - gamma - p.spread)) / ONE / p.baseUnit;
        price = ((ONE - (2 * p.coeff * worth) / p.priceUnit / p.baseUnit) * p.price) / ONE;
    }

    /// @dev amount/price·(1 - coeff·amount - spread), each division rounded down
    function _baseFor(address base, uint256 amount, Price memory p) private view returns (uint256 paid, uint256 price) {
        _requireNotional(base, amount);
        uint256 gamma = (amount * p.coeff) / p.quoteUnit;
        _requireGamma(base, gamma);
        paid = (((amount * p.baseUnit * p.priceUnit) / p.price) * (ONE - gamma - p.spread)) / ONE / p.quoteUnit;
        price = (p.price * ONE) / (ONE - (2 * p.coeff * amount) / p.quoteUnit);
    }

    function _requireNotional(address base, uint256 notional) private view {
        if (notional > tokenInfos[base].maxNotionalSwap) revert NotionalTooHigh(notional);
    }

    function _requireGamma(address base, uint256 gamma) private view {
        if (gamma > tokenInfos[base].maxGamma) revert GammaTooHigh(gamma);
    }

    function _priceOf(address base) private view returns (Price memory) {
        (uint128 price, uint64 spread, uint64 coeff, bool feasible) = IWooOracle(wooracle).state(base);
        if (!feasible) revert NotFeasible(base);
        return Price(
            price,
            spread,
            coeff,
            10 ** IWooOracle(wooracle).decimals(base),
            10 ** IWooToken(base).decimals(),
            10 ** IWooToken(quoteToken).decimals()
        );
    }

    function _crossPrices(address from, address to) private view returns (Price memory sold, Price memory bought) {
        (sold, bought) = (_priceOf(from), _priceOf(to));
        uint256 spread = (sold.spread > bought.spread ? sold.spread : bought.spread) / 2;
        (sold.spread, bought.spread) = (spread, spread);
    }

    function _fee(uint256 amount, address base) private view returns (uint256) {
        return (amount * tokenInfos[base].feeRate) / FEE_UNIT;
    }

    function _crossFee(uint256 amount, address from, address to) private view returns (uint256) {
        return _fee(amount, tokenInfos[from].feeRate > tokenInfos[to].feeRate ? from : to);
    }

    function _own(address token) private view returns (uint256) {
        return tokenInfos[token].reserve + (token == quoteToken ? unclaimedFee : 0);
    }
}
