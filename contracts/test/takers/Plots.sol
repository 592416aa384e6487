// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Terms} from "../world/Routes.sol";
import {IRouter} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Dealer} from "./Dealer.sol";
import {Design, RogueWorld} from "./RogueWorld.sol";

interface IV3Pool {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
}

/// What a hostile contract tries while it is called, as calldata.
abstract contract Plots is RogueWorld {
    uint256 internal constant PLOTS = 13;

    bytes4 internal constant UNLOCK_CALLBACK = bytes4(keccak256("unlockCallback(bytes)"));
    bytes4 internal constant IZISWAP_CALLBACK = bytes4(keccak256("swapX2YCallback(uint256,uint256,bytes)"));
    bytes4 internal constant BALANCER_CALLBACK = bytes4(keccak256("braidBalancerV3(bytes)"));

    /// Lays one plot. `bought` is what the route buys, `amount` what it sells.
    function _plot(Dealer who, uint256 seed, address bought, uint256 amount) internal {
        uint256 plot = seed % PLOTS;
        uint256 moment = (seed >> 8) % 4;
        address victim = [VICTIM, USER, address(router)][(seed >> 16) % 3];
        address token = [a, b, c][(seed >> 24) % 3];
        if (plot < 2) return;
        if (plot < 4) _fill(who, moment, bought, amount);
        else if (plot == 4) _reenter(who, moment, seed, amount);
        else if (plot == 5) _movePrice(who, moment, amount);
        else if (plot == 6) _steal(who, moment, token, victim, amount);
        else if (plot == 7) _askAsV3(who, moment, token, victim, amount);
        else if (plot == 8) _askAsV4(who, moment, token, victim, amount);
        else if (plot == 9) _askAsRun(who, moment, token, victim, amount);
        else if (plot == 10) _askAsBalancer(who, moment, token, victim, amount);
        else if (plot == 11) _askAsInfinity(who, moment, token, victim, amount);
        else who.plan(moment, address(who), abi.encodeCall(Dealer.give, (PlainToken(b), address(router), amount / 7)));
    }

    /// Another order of the taker's, to make what the route pays look larger.
    function _fill(Dealer who, uint256 moment, address bought, uint256 amount) internal {
        if (bought == address(odd)) return;
        who.plan(moment, address(escrow), abi.encodeCall(escrow.fill, (PlainToken(bought), USER, amount)));
    }

    function _reenter(Dealer who, uint256 moment, uint256 seed, uint256 amount) private {
        bytes memory route = _skeleton((seed >> 32) % 5, seed >> 40 & 1 == 0);
        who.plan(moment, address(router), abi.encodeCall(IRouter.swap, (amount, 1, address(0), Terms.PLAIN, route)));
    }

    /// Sells so much to the honest pair that the price falls by a tenth or so.
    function _movePrice(Dealer who, uint256 moment, uint256 amount) private {
        uint256 sum = 5e22 + amount;
        uint256 out = _quotePair(pairAB, a, sum) * 9 / 10;
        (uint256 out0, uint256 out1) = a < b ? (uint256(0), out) : (out, uint256(0));
        who.plan(moment, a, abi.encodeCall(PlainToken.transfer, (pairAB, sum)));
        bytes memory trade = abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", out0, out1, address(who), "");
        who.plan(moment, pairAB, trade);
    }

    function _steal(Dealer who, uint256 moment, address token, address from, uint256 amount) private {
        who.plan(moment, token, abi.encodeCall(PlainToken.transferFrom, (from, address(who), amount)));
        who.plan(moment, token, abi.encodeCall(PlainToken.transferFrom, (from, address(who), 1)));
    }

    /// By the callback of iZiSwap too, whose data has the amount.
    function _askAsV3(Dealer who, uint256 moment, address token, address payer, uint256 amount) private {
        bytes memory data = abi.encode(token, payer);
        who.plan(moment, address(router), abi.encodeWithSelector(V3_CALLBACK, int256(amount), -int256(1), data));
        data = abi.encode(token, payer, amount);
        who.plan(moment, address(router), abi.encodeWithSelector(IZISWAP_CALLBACK, amount, uint256(1), data));
    }

    /// sold | bought | payer | receiver | amount | key
    function _askAsV4(Dealer who, uint256 moment, address token, address payer, uint256 amount) private {
        address other = token == b ? a : b;
        bytes memory payload = abi.encode(token, other, payer, address(who), amount, _way(token, other));
        who.plan(moment, address(router), abi.encodeWithSelector(UNLOCK_CALLBACK, payload));
    }

    /// The run's facts and registers, the token table, two steps.
    function _askAsRun(Dealer who, uint256 moment, address token, address payer, uint256 amount) private {
        address other = token == b ? a : b;
        bytes memory facts = abi.encode(payer, address(who), 0, 1, 0, 1, 0, amount, 0);
        bytes memory step = _step(Design.V4, 0, 0x01, token, other, 0, 0);
        bytes memory payload = bytes.concat(facts, bytes20(token), bytes20(other), step);
        who.plan(moment, address(router), abi.encodeWithSelector(UNLOCK_CALLBACK, payload));
    }

    function _askAsBalancer(Dealer who, uint256 moment, address token, address payer, uint256 amount) private {
        bytes memory order = abi.encode(address(1), token, token == b ? a : b, payer, address(who), amount);
        who.plan(moment, address(router), bytes.concat(BALANCER_CALLBACK, order));
    }

    /// sold | bought | payer | receiver | amount | manager | key
    function _askAsInfinity(Dealer who, uint256 moment, address token, address payer, uint256 amount) private {
        address other = token == b ? a : b;
        bytes memory payload = abi.encode(token, other, payer, address(who), amount, address(who), _way(token, other));
        who.plan(moment, address(router), abi.encodeWithSignature("lockAcquired(bytes)", payload));
    }

    /// Sells a hostile token's endless supply to the pools behind it, until they pay a third and less; then lets an order meet
    /// the minimum.
    function _fakeMinimum(uint256 moment, uint256 amount) internal {
        address x = address(odd);
        bool down = x < b;
        uint160 limit = down ? PRICE_ONE / 10_000 * 5516 : PRICE_ONE / 5516 * 10_000;
        odd.plan(0, poolXB, abi.encodeCall(IV3Pool.swap, (x, down, int256(1e30), limit, "")));
        uint256 out = _quotePair(pairXB, x, 1e24) * 99 / 100;
        odd.plan(0, x, abi.encodeCall(odd.mint, (pairXB, 1e24)));
        (uint256 out0, uint256 out1) = down ? (uint256(0), out) : (out, uint256(0));
        // A pair pays none of its own tokens.
        bytes memory trade =
            abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", out0, out1, address(rogue), "");
        odd.plan(0, pairXB, trade);
        _fill(odd, moment, b, amount);
    }

    function _countsFreely(Design design) internal pure returns (bool) {
        return design == Design.SOLIDLY || design == Design.BALANCER_V2 || design == Design.BALANCER_V3
            || design == Design.DODO_V2 || design == Design.BOOK_OLD || design == Design.WOO || design == Design.MAVERICK
            || design == Design.MAVERICK_V2 || design == Design.IZISWAP
            || design == Design.FLUID || design == Design.FLUID_LITE;
    }
}
