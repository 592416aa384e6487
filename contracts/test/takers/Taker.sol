// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Dealer} from "./Dealer.sol";
import {Plots} from "./Plots.sol";
import {Design} from "./RogueWorld.sol";

/// An honest taker. It swaps through every kind of pool while these lie about what they take and pay, move prices, re-enter the
/// router, ask for what is not theirs, and fill another order of the taker's while it swaps; and through a token that does so.
/// Where a pool or a token but the one bought is hostile the router keeps custody, as the server has it (rule 8). Each
/// call starts from the same state.
contract Taker is Plots {
    uint256 private constant ONE_ORDER = 1e18;
    uint256 private constant DESIGNS = uint256(type(Design).max) + 1;
    // Permits by signature are the attacker's own; they are no kind of pool.
    uint256 public constant HONEST = SKELETONS - 2;
    uint256 public constant KINDS = HONEST + DESIGNS;

    mapping(uint256 which => uint256) public calls;
    mapping(uint256 which => uint256) public successes;
    string public broken;
    uint256 public brokenBy;

    /// One swap: what is sold, bought and asked for, and whether a pool may pay the taker.
    struct Order {
        uint256 which;
        address sold;
        address bought;
        uint256 amount;
        uint256 minimum;
        bytes route;
    }

    /// Skeletons by their number, hostile designs behind them.
    function routeOf(uint256 seed) public pure returns (uint256 which) {
        which = seed % KINDS;
        return which < FIRST_SIGNED ? which : which + 2;
    }

    /// Half of the time a pool is honest at a price that has moved; else it takes or pulls another amount than it should.
    function _models(uint256 seed) private {
        uint256 rate = 5e17 + uint64(seed) % 1e18;
        uint256 takes = (seed >> 64) % 2 == 0 ? 1000 : 999 + (seed >> 65) % 3;
        solidly.setRate(rate);
        curve.setRate(rate);
        curve.setPulls(takes);
        vault2.setRate(rate);
        vault2.setTakes(takes);
        vault3.setRate(rate);
        vault3.setTakes(takes);
        manager.setRate(rate);
        manager.setTakes(takes);
        infinity.setRate(rate);
        infinity.setTakes(takes);
        maverick.setRate(rate);
        maverickV2.setRate(rate);
        maverickV2.setTakes(takes);
        iziswap.setRate(rate);
        iziswap.setTakes(takes);
        dodo.setRate(rate);
        book.setRate(rate);
        oldBook.setRate(rate);
        woo.setRate(rate);
        converter.setPulls(takes);
        fluid.setRate(rate);
        fluid.setPulls(takes);
        fluidLite.setRate(rate);
        fluidLite.setPulls(takes);
        core.setRate(rate);
        core.setTakes(takes);
    }

    /// The hostile pool fills another order of the taker's as well, to make its own payment look larger.
    function _hostileToo(uint256 seed, uint256 amount) private {
        _arm(seed, amount, USER);
        bytes memory fills = abi.encodeCall(escrow.fill, (tokenB, USER, amount));
        evil.thenCall(V3_SWAP, address(escrow), fills, false);
        evil.thenCall(V2_SWAP, address(escrow), fills, false);
    }

    function take(uint256 seed, uint256 amount) external {
        uint256 which = routeOf(seed);
        (bool done, string memory found) = _undone(which, uint256(keccak256(abi.encode(seed))), amount);
        calls[which] += 1;
        if (done) successes[which] += 1;
        if (bytes(found).length > 0) (broken, brokenBy) = (found, which);
    }

    error Outcome(bool done, string found);

    /// The call's own revert takes everything back.
    function _undone(uint256 which, uint256 seed, uint256 amount) private returns (bool, string memory) {
        try this.attempt(which, seed, amount) {
            revert("an attempt is undone");
        } catch (bytes memory answer) {
            if (bytes4(answer) == Outcome.selector) {
                assembly ("memory-safe") {
                    mstore(add(answer, 4), sub(mload(answer), 4))
                    answer := add(answer, 4)
                }
                return abi.decode(answer, (bool, string));
            }
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function attempt(uint256 which, uint256 seed, uint256 amount) external {
        bool done = which < SKELETONS ? _throughModels(which, seed, amount) : _throughRogues(which, seed, amount);
        revert Outcome(done, broken);
    }

    function _throughModels(uint256 which, uint256 seed, uint256 amount) private returns (bool) {
        bool orders = which >= FIRST_SIGNED && which < FIRST_HOSTILE;
        amount = orders ? ONE_ORDER : within(amount, 1e6, 1e21);
        _models(seed);
        bool hostile = which >= FIRST_HOSTILE;
        if (hostile) _hostileToo(seed >> 8, amount);
        bytes memory route = _skeleton(which, !hostile && (seed >> 16) % 2 == 0);
        return _swapAsUser(Order(which, _sold(which), _boughtOf(which), amount, _least(amount, seed), route));
    }

    function _throughRogues(uint256 which, uint256 seed, uint256 amount) private returns (bool) {
        amount = within(amount, 1e6, 1e21);
        Design design = Design(which - SKELETONS);
        uint256 shape = _shapeOf(design, seed >> 96);
        Order memory order = Order(which, a, b, amount, _least(amount, seed >> 80), "");
        uint256 claims = _dealings(design, seed, amount, shape);
        if (design >= Design.TOKEN_BETWEEN_PAIRS) {
            if (design == Design.TOKEN_SOLD) order.sold = address(odd);
            if (design == Design.TOKEN_BOUGHT) order.bought = address(odd);
            order.route = _throughToken(design, design == Design.TOKEN_BOUGHT && (seed >> 88) % 2 == 0);
        } else if (design >= Design.VAULT) {
            order.route = _throughWrapper(design == Design.VAULT ? 0 : 1);
        } else {
            if (shape > 1 || design == Design.V4_RUN) order.bought = c;
            order.route = _aroundRogue(design, shape, amount, claims);
        }
        _schemes(design, seed >> 104, order);
        return _swapAsUser(order);
    }

    /// An order is for one amount, and what comes out of the pair ahead is none that its taker knows. The hook has one pool.
    function _shapeOf(Design design, uint256 seed) private pure returns (uint256) {
        return seed % (design == Design.AIRSWAP || design == Design.V4_HOOK ? 3 : 4);
    }

    /// What a hostile pool pays and claims: mostly the same, somewhere near the price.
    function _dealings(Design design, uint256 seed, uint256 amount, uint256 shape) private returns (uint256 claims) {
        uint256 pays = amount * (500 + seed % 1000) / 1000;
        uint16 takes = 1000;
        claims = pays;
        uint256 habit = (seed >> 16) % 12;
        if (habit == 5 || habit == 6) (pays, claims) = (amount / 100, amount / 100);
        else if (habit == 7) claims += claims / 8;
        else if (habit == 8) claims -= claims / 8;
        else if (habit == 9 || habit == 4) takes = [uint16(0), 0, 999, 1001][(seed >> 24) % 4];
        // More than there is, so that the sum with what an honest pool has paid is a little less than that.
        else if (habit > 9 && _countsFreely(design)) (pays, claims) = (0, type(uint256).max - 99);
        bool behind = shape == 3 && design < Design.VAULT && design != Design.V4_RUN;
        (address sells, address buys) = behind ? (b, c) : (a, b);
        rogue.deal(sells, buys, pays, claims, takes);
        odd.deal(sells, buys, pays, claims, takes);
        hook.deal(sells, buys, pays, claims, takes);
        _habits(seed >> 32);
    }

    function _habits(uint256 seed) private {
        uint256 habit = seed % 8;
        address about = [USER, address(router), pairXB][(seed >> 8) % 3];
        odd.habits(habit == 5 ? 10 : 0, habit == 6, about, habit == 7 ? 1e18 : 0);
    }

    /// One or two plots of whoever is hostile here.
    function _schemes(Design design, uint256 seed, Order memory order) private {
        Dealer who = design >= Design.VAULT ? Dealer(odd) : design == Design.V4_HOOK ? Dealer(hook) : Dealer(rogue);
        _pose(design, seed >> 120, order.amount);
        bool pays = design >= Design.TOKEN_BETWEEN_PAIRS && design != Design.TOKEN_BOUGHT;
        if (pays && seed % 4 == 0) {
            _fakeMinimum(2 + (seed >> 2) % 3, order.amount);
            return;
        }
        _plot(who, seed >> 2, order.bought, order.amount);
        if ((seed >> 60) % 2 == 0) _plot(who, seed >> 62, order.bought, order.amount);
    }

    function _pose(Design design, uint256 seed, uint256 amount) private {
        bytes4 callback = V3_CALLBACK;
        if (design == Design.ALGEBRA) callback = bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)"));
        if (design == Design.MAVERICK) callback = bytes4(keccak256("swapCallback(uint256,uint256,bytes)"));
        if (design == Design.IZISWAP) callback = bytes4(keccak256("swapX2YCallback(uint256,uint256,bytes)"));
        bool other = design == Design.BOOK_OLD || design == Design.BALANCER_V3 || design == Design.BUFFER;
        // Registers of its own making: nothing of what is sold is left, and as much is bought as it likes.
        bool invents = design == Design.V4_RUN && seed % 4 == 0;
        rogue.pose(callback, other, invents ? abi.encode(uint256(0), uint256(0), amount) : bytes(""));
    }

    function _least(uint256 amount, uint256 seed) private pure returns (uint256) {
        return amount * (seed % 4 + 1) / 8;
    }

    function _boughtOf(uint256 which) private view returns (address) {
        if (which == 3) return w;
        if (which == 4 || which == 12) return c;
        return which == 6 ? NATIVE : b;
    }

    struct Before {
        uint256 sold;
        uint256 bought;
        uint256 others;
        uint256 router;
        uint256 paid;
    }

    function _swapAsUser(Order memory order) private returns (bool done) {
        Before memory was = Before(
            _wealth(order.sold, USER),
            _wealth(order.bought, USER),
            _others(),
            _inRouter(),
            escrow.paid(PlainToken(order.bought))
        );
        bytes memory data =
            abi.encodeCall(IRouter.swap, (order.amount, order.minimum, address(0), Terms.PLAIN, order.route));
        vm.prank(USER);
        (done,) = address(router).call{value: order.sold == NATIVE ? order.amount : 0}(data);
        if (done) _judge(order, was);
        else if (_wealth(order.sold, USER) != was.sold) broken = "a failure took something";
    }

    function _judge(Order memory order, Before memory was) private {
        uint256 gifts = rogue.gifts() + odd.gifts() + hook.gifts();
        uint256 filled = escrow.paid(PlainToken(order.bought)) - was.paid;
        // Who buys a hostile token has what that token says.
        bool counts = order.bought != address(odd);
        if (was.sold > _wealth(order.sold, USER) + order.amount) broken = "more was taken than was sold";
        if (counts && _wealth(order.bought, USER) < was.bought + order.minimum + filled) {
            broken = "the route itself paid less than the minimum";
        }
        // The puppet gives to the router what it likes.
        bool free = order.which >= FIRST_HOSTILE && order.which < SKELETONS;
        if (!free && _inRouter() > was.router + gifts) broken = "something stayed in the router";
        if (_inRouter() < was.router) broken = "something that lay in the router was taken";
        if (_others() < was.others) broken = "somebody else paid";
        if (_granted()) broken = "an allowance stands";
    }

    /// What bystanders hold, who have approved the router too.
    function _others() private view returns (uint256 sum) {
        for (uint256 index = 0; index < 4; ++index) {
            address token = [a, b, c, w][index];
            sum += _wealth(token, ATTACKER) + _wealth(token, VICTIM);
        }
    }

    function _granted() private view returns (bool) {
        address[13] memory spenders = [
            address(curve),
            address(vault2),
            address(vault3),
            address(dodo),
            address(shares),
            address(converter),
            address(fluid),
            address(fluidLite),
            address(manager),
            address(infinityVault),
            address(evil),
            address(rogue),
            address(odd)
        ];
        for (uint256 index = 0; index < 3; ++index) {
            PlainToken token = PlainToken([a, b, c][index]);
            if (token.allowance(address(router), settler) != 0) return true;
            for (uint256 which = 0; which < spenders.length; ++which) {
                if (token.allowance(address(router), spenders[which]) != 0) return true;
            }
        }
        return false;
    }

    /// The known attack of rule 8, where the server would pay directly in spite of the token between.
    function fakeMinimum(bool direct) external returns (bool done) {
        Order memory order = Order(SKELETONS, a, b, 1e18, 1e18 / 2, _throughToken(Design.TOKEN_BETWEEN_POOLS, direct));
        _fakeMinimum(3, order.amount);
        return _swapAsUser(order);
    }
}
