// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {Skeletons} from "../world/Skeletons.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";
import {HookedToken, PlainToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";

/// Looks at the router from within a swap, with calls that may not change anything.
contract Peeker {
    bytes public seen;
    uint256 public worked;

    function peek(address router, bytes[] calldata questions) external {
        for (uint256 index = 0; index < questions.length; ++index) {
            (bool done, bytes memory answer) = router.staticcall(questions[index]);
            if (done) worked += 1;
            seen = bytes.concat(seen, answer);
        }
    }
}

/// Attacks by way of what the README says that they should fail by: what is tried here is named there.
contract AttacksTest is Skeletons {
    bytes4 private constant UNLOCK = 0x48c89491;
    bytes4 private constant EKUBO_LOCK = 0xf83d08ba;
    bytes4 private constant V4_SWAP = 0xf3cd914c;
    bytes4 private constant MAVERICK_SWAP = bytes4(keccak256("swap(address,uint256,bool,bool,uint256,bytes)"));
    bytes4 private constant IZISWAP_SWAP = 0x857f812f;
    bytes4 private constant IZISWAP_CALLBACK = bytes4(keccak256("swapX2YCallback(uint256,uint256,bytes)"));
    bytes4 private constant LOCK = bytes4(keccak256("lock(bytes)"));
    bytes4 private constant LOCK_ACQUIRED = bytes4(keccak256("lockAcquired(bytes)"));
    bytes4 private constant INFINITY_SWAP = 0xcd0cc1ce;
    bytes4 private constant UNLOCK_CALLBACK = 0x91dd7346;
    bytes4 private constant VAULT_CALLBACK = bytes4(keccak256("braidBalancerV3(bytes)"));
    bytes4 private constant MOVED = bytes4(keccak256("tokensMoved(address,address,uint256)"));
    uint256 private constant SOLD = 1e18;

    function _attack(uint256 amount, bytes memory route) private returns (bool done, bytes memory answer) {
        vm.prank(ATTACKER);
        return address(router).call{gas: 3e7}(
            abi.encodeCall(IRouter.swap, (amount, 1, address(0), Terms.PLAIN, route))
        );
    }

    /// Whatever the router could tell while it runs, somebody might price by: it tells nothing, and nothing works
    /// without leave to write.
    function test_readOnlyReentrancySeesNothing() public {
        Peeker peeker = new Peeker();
        bytes[] memory questions = new bytes[](5);
        questions[0] = abi.encodeCall(IRouter.swap, (0, 1, address(0), Terms.PLAIN, Routes.tokens(a, b)));
        questions[1] = abi.encodeWithSelector(V3_CALLBACK, int256(SOLD), -int256(1), abi.encode(a, ATTACKER));
        questions[2] = abi.encodeWithSelector(UNLOCK_CALLBACK, abi.encode(a, b));
        questions[3] = abi.encodeWithSelector(VAULT_CALLBACK, a, b, c, USER, ATTACKER, SOLD);
        questions[4] = abi.encodeWithSignature("balanceOf(address)", USER);
        evil.onCall(V3_SWAP, abi.encode(int256(SOLD), -int256(1)));
        evil.thenCall(V3_SWAP, address(peeker), abi.encodeCall(Peeker.peek, (address(router), questions)), true);
        evil.thenCall(V3_SWAP, address(router), questions[1], true);
        evil.thenCall(V3_SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        uint8 ab = Routes.ZERO_FOR_ONE;
        (bool done,) = _attack(SOLD, bytes.concat(Routes.tokens(a, b), Routes.v3(ab, 0x01, 0, address(evil))));
        yes(done, "the swap goes on");
        eq(peeker.worked(), 0, "no question is answered");
        // Four bytes of a selector, or a selector with two words: no answer has a balance in it.
        yes(peeker.seen().length <= 5 * 0x44, "only refusals");
    }

    struct Debtor {
        bytes4 entry;
        bytes answer;
        bytes step;
        /// What the design asks with, so that the right demand is known to work.
        uint256 own;
    }

    function _debtors() private view returns (Debtor[7] memory found) {
        uint8 onward = Routes.ZERO_FOR_ONE;
        address pool = address(evil);
        bytes memory key = bytes.concat(bytes6(0), bytes20(0));
        bytes memory amounts = abi.encode(-int256(1), -int256(1));
        bytes memory paid = abi.encode(uint256(0x20), uint256(0x20), uint256(1));
        found[0] = Debtor(V3_SWAP, amounts, Routes.v3(onward, 0x01, 0, pool), 0);
        found[1] = Debtor(MAVERICK_SWAP, abi.encode(SOLD, uint256(1)), Routes.step(14, onward, 0x01, 0, pool), 0);
        found[2] = Debtor(UNLOCK, paid, bytes.concat(Routes.step(Routes.V4, onward, 0x01, 0, pool), key), 1);
        found[3] = Debtor(UNLOCK, paid, bytes.concat(Routes.step(8, 0, 0x01, 0, pool), bytes20(pool)), 2);
        found[4] = Debtor(LOCK, paid, bytes.concat(Routes.step(20, onward, 0x01, 0, pool), new bytes(29)), 5);
        found[6] = Debtor(IZISWAP_SWAP, abi.encode(SOLD, uint256(1)), bytes.concat(Routes.step(26, onward, 0x01, 0, pool), bytes3(0)), 7);
        found[5] = Debtor(EKUBO_LOCK, abi.encode(uint256(1)), bytes.concat(Routes.step(21, 0, 0x01, 0, pool), bytes32(0)), 6);
    }

    /// Every demand that some design would be paid for, with the words that it is owed by.
    function _demands() private view returns (bytes[8] memory asked) {
        address here = address(router);
        bytes memory v4 = abi.encode(a, b, ATTACKER, here, SOLD, uint256(1));
        asked[0] = abi.encodeWithSelector(V3_CALLBACK, int256(SOLD), -int256(1), abi.encode(a, ATTACKER));
        asked[1] = abi.encodePacked(UNLOCK_CALLBACK, uint256(0x20), v4.length, v4);
        asked[2] = abi.encodePacked(VAULT_CALLBACK, abi.encode(address(evil), a, b, ATTACKER, here, SOLD));
        asked[3] = abi.encodePacked(UNLOCK_CALLBACK, uint256(0x20), uint256(0x60), abi.encode(a, ATTACKER, SOLD));
        asked[4] = abi.encodePacked(VAULT_CALLBACK, v4);
        bytes memory lent = abi.encode(a, b, ATTACKER, here, SOLD, address(evil), uint256(1));
        asked[5] = abi.encodePacked(LOCK_ACQUIRED, uint256(0x20), lent.length, lent);
        asked[6] = abi.encodePacked(bytes4(0), uint256(0), abi.encode(a, b, ATTACKER, here, SOLD, uint256(0)));
        asked[7] = abi.encodeWithSelector(IZISWAP_CALLBACK, SOLD, uint256(1), abi.encode(a, ATTACKER, SOLD));
    }

    /// A debt of each design, asked for by the callback of every other: all are refused, and the swap with them.
    function test_everyDebtByEveryOtherCallback() public {
        Debtor[7] memory debtors = _debtors();
        bytes[8] memory demands = _demands();
        bytes memory table = Routes.tokens(a, b);
        evil.onCall(bytes4(keccak256("vault()")), abi.encode(address(evil)));
        for (uint256 who = 0; who < debtors.length; ++who) {
            for (uint256 how = 0; how < demands.length; ++how) {
                Debtor memory debtor = debtors[who];
                // Both pay the same amount of the same token to the same pool: what v3's debt says, iZiSwap's does.
                if (how == debtor.own || (how % 7 == 0 && debtor.own % 7 == 0)) continue;
                uint256 before = evil.failures();
                evil.onCall(debtor.entry, debtor.answer);
                evil.onCall(V4_SWAP, abi.encode(-int256(SOLD) << 128 | int256(1)));
                evil.thenCall(debtor.entry, address(router), demands[how], true);
                (bool done, bytes memory answer) = _attack(SOLD, bytes.concat(table, debtor.step));
                yes(!done && bytes4(answer) == CallbackRefused.selector, "refused");
                eq(evil.failures(), before, "by the demand itself");
                yes(!_userLost(), "the victim keeps all");
            }
        }
        eq(tokenA.balanceOf(ATTACKER), 1e24, "nothing was paid");
    }

    /// Guards the test above: the same demands, each by its own design, are what the router does pay.
    function test_everyDebtByItsOwnCallback() public {
        _everyDebtIsPaid(false);
    }

    /// A token that calls its receiver lets a pool ask again while it is being paid: the debt must be used up by then, or the
    /// pool takes as much as the taker has approved, and the taker gets its minimum all the same.
    function test_aPoolAsksAgainWhileItIsPaid() public {
        HookedToken hooked = new HookedToken();
        a = address(hooked);
        hooked.mint(ATTACKER, 100 * SOLD);
        vm.prank(ATTACKER);
        hooked.approve(address(router), type(uint256).max);
        vm.prank(address(evil));
        hooked.setHook(address(evil));
        _everyDebtIsPaid(true);
    }

    function _everyDebtIsPaid(bool isAskedAgain) private {
        Debtor[7] memory debtors = _debtors();
        bytes[8] memory demands = _demands();
        evil.onCall(bytes4(keccak256("settle(address,uint256)")), abi.encode(SOLD));
        evil.onCall(bytes4(keccak256("vault()")), abi.encode(address(evil)));
        evil.onCall(INFINITY_SWAP, abi.encode((-int256(SOLD) << 128) | int256(1)));
        evil.onCall(0x2bfb780c, abi.encode(uint256(0), SOLD, uint256(1)));
        // Ekubo's swap: what is sold is positive, in the place of its token.
        int256 sale = a < b ? int256(SOLD) << 128 | int256(uint256(type(uint128).max)) : -int256(1) << 128 | int256(SOLD);
        evil.onCall(bytes4(0), abi.encode(sale, uint256(0)));
        for (uint256 who = 0; who < debtors.length; ++who) {
            Debtor memory debtor = debtors[who];
            evil.onCall(debtor.entry, who == 3 ? abi.encode(uint256(0x20), uint256(0x20), uint256(1)) : debtor.answer);
            evil.onCall(V4_SWAP, abi.encode((-int256(SOLD) << 128) | int256(1)));
            evil.thenCall(debtor.entry, address(router), demands[debtor.own], true);
            evil.thenCall(debtor.entry, b, abi.encodeCall(PlainToken.transfer, (address(router), 64)), true);
            evil.onCall(MOVED, "");
            if (isAskedAgain) evil.thenCall(MOVED, address(router), demands[debtor.own], false);
            (uint256 before, uint256 refused) = (PlainToken(a).balanceOf(ATTACKER), evil.failures());
            (bool done,) = _attack(SOLD, bytes.concat(Routes.tokens(a, b), debtor.step));
            yes(done, "paid");
            eq(before - PlainToken(a).balanceOf(ATTACKER), SOLD, "exactly");
            eq(evil.failures() - refused, isAskedAgain ? 1 : 0, "and once");
        }
    }

    /// A hook of a v4 pool runs in the middle of the manager's swap: no swap, no second demand, no other callback.
    function test_aHookReenters() public {
        Debtor memory debtor = _debtors()[2];
        bytes[8] memory demands = _demands();
        bytes memory nested =
            abi.encodeCall(IRouter.swap, (SOLD, 1, address(evil), Terms.PLAIN, _skeleton(0, false)));
        evil.onCall(UNLOCK, debtor.answer);
        evil.thenCall(UNLOCK, address(router), demands[1], true);
        evil.thenCall(UNLOCK, b, abi.encodeCall(PlainToken.transfer, (address(router), 1)), true);
        evil.onCall(V4_SWAP, abi.encode((-int256(SOLD) << 128) | int256(1)));
        evil.thenCall(V4_SWAP, address(router), nested, false);
        for (uint256 how = 0; how < demands.length; ++how) {
            evil.thenCall(V4_SWAP, address(router), demands[how], false);
        }
        uint256 before = tokenA.balanceOf(ATTACKER);
        (bool done,) = _attack(SOLD, bytes.concat(Routes.tokens(a, b), debtor.step));
        yes(done, "the honest part is served");
        eq(evil.failures(), 1 + demands.length, "everything else is refused");
        eq(before - tokenA.balanceOf(ATTACKER), SOLD, "paid once");
        yes(!_userLost(), "the victim keeps all");
    }

    /// A token whose receiver runs on every transfer, at each place of a route where tokens move: in, between, out, fee.
    function test_aTokenReentersWhereverItMoves() public {
        HookedToken hooked = new HookedToken();
        address h = address(hooked);
        address first = _pool(a, h, 3000, 200, 1e24);
        address second = pairs.createPair(h, b);
        hooked.mint(second, 1e24);
        tokenB.mint(second, 1e24);
        (bool ready,) = second.call(abi.encodeWithSignature("mint(address)", address(this)));
        yes(ready, "the pair is ready");
        Puppet hook = new Puppet();
        hook.onCall(MOVED, "");
        bytes memory sweep = abi.encodeCall(IRouter.swap, (1, 1, ATTACKER, Terms.PLAIN, Routes.tokens(c, h)));
        bytes[8] memory demands = _demands();
        hook.thenCall(MOVED, address(router), sweep, false);
        for (uint256 how = 0; how < demands.length; ++how) hook.thenCall(MOVED, address(router), demands[how], false);
        address[3] memory places = [first, address(router), second];
        for (uint256 index = 0; index < places.length; ++index) {
            vm.prank(places[index]);
            hooked.setHook(address(hook));
        }
        bytes memory hops = bytes.concat(
            Routes.v3(_way(a, h), 0x01, 0, first), Routes.v2(_way(h, b), 0x12, 0, second)
        );
        uint256 got = _swap(SOLD, 1, Terms.fees(100, 100, FEES), bytes.concat(Routes.tokens(a, h, b), hops));
        yes(got > 0 && hook.failures() >= 1 + demands.length, "it ran, and was refused");
        eq(tokenA.balanceOf(USER), 1e30 - SOLD, "sold once");
        eq(hooked.balanceOf(ATTACKER) + hooked.balanceOf(address(router)), 0, "nothing swept, nothing left");
    }

    /// What lies in the router stays there, and changes no amount: neither the payer nor the next caller is served by it
    /// where pools say what they paid, and what is measured is measured from it on.
    function test_dustChangesNoSwap() public {
        for (uint256 which = 0; which < FIRST_HOSTILE; ++which) {
            for (uint256 form = 0; form < 2; ++form) {
                uint256 clean = vm.snapshotState();
                uint256 wanted = _sell(which, form == 1);
                vm.revertToState(clean);
                uint256 again = vm.snapshotState();
                for (uint256 index = 0; index < 4; ++index) _give([a, b, c, w][index], address(router), 1e9 + index);
                vm.deal(address(router), 77);
                uint256 dust = _inRouter();
                eq(_sell(which, form == 1), wanted, "the same is paid");
                eq(_inRouter(), dust, "the dust stays");
                vm.revertToState(again);
            }
        }
    }

    function _sell(uint256 which, bool direct) private returns (uint256 out) {
        bytes memory route = _skeleton(which, direct);
        vm.prank(ATTACKER);
        return router.swap{value: _sold(which) == NATIVE ? SOLD : 0}(SOLD, 1, address(0), Terms.PLAIN, route);
    }

    /// Amounts that are negative as signed words, or overflow what a pool counts in: refused by every design.
    function test_amountsFrom2To255On() public {
        uint256[4] memory amounts = [uint256(1) << 255, (uint256(1) << 255) + 1, type(uint256).max, (uint256(1) << 255) - 1];
        for (uint256 which = 0; which < FIRST_HOSTILE; ++which) {
            // The native coin cannot be sent in such amounts at all.
            if (_sold(which) == NATIVE) continue;
            for (uint256 index = 0; index < amounts.length; ++index) {
                uint256 before = _wealth(a, ATTACKER);
                (bool done,) = _attack(amounts[index], _skeleton(which, index % 2 == 0));
                yes(!done, "refused");
                eq(_wealth(a, ATTACKER), before, "and nothing moved");
            }
        }
    }

    /// A hostile token may have any balance, so a pool of the attacker's may be "sold" 2^255 of it: that would read as
    /// exact output to an honest v3 pool, whose demand is then another than was promised.
    function test_2To255OfAHostileToken() public {
        uint256 huge = 1 << 255;
        PlainToken endless = new PlainToken();
        endless.mint(ATTACKER, huge);
        vm.prank(ATTACKER);
        endless.approve(address(router), type(uint256).max);
        evil.onCall(V3_SWAP, abi.encode(-int256(1), -int256(1)));
        bytes memory payload = abi.encode(address(endless), ATTACKER);
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, type(int256).min, type(int256).min, payload);
        evil.thenCall(V3_SWAP, address(router), ask, true);
        bytes memory table = Routes.tokens(address(endless), b);
        tokenB.mint(address(router), 1);
        (bool done,) = _attack(huge, bytes.concat(table, Routes.v3(0, 0x01, 0, address(evil))));
        // Both words are negative, and the second is what was promised.
        yes(done, "the seller pays what it sells");
        eq(endless.balanceOf(address(evil)), huge, "all of it");
        eq(endless.balanceOf(address(router)), 0, "nothing stays");
        yes(!_userLost(), "the victim keeps all");
    }
}
