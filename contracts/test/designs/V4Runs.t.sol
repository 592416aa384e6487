// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter, World} from "../world/World.sol";
import {FeeToken, PlainToken} from "../models/Tokens.sol";
import {ToldV4} from "../models/ToldV4.sol";
import {V4Model} from "../models/V4.sol";

/// Refuses to move nothing.
contract SomethingToken is PlainToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(amount > 0, "token: nothing");
        super._move(from, to, amount);
    }
}

/// Where a run of v4 steps begins and ends, and what it moves.
contract V4RunsTest is World {
    uint256 private constant AMOUNT = 1e18;
    uint256 private constant STEP_BYTES = 54;
    // The payload of a step alone.
    uint256 private constant SIX_WORDS = 192;
    V4Model private manager;
    address private a;
    address private b;
    address private c;

    function setUp() public override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        manager = _manager();
    }

    function _manager() private returns (V4Model made) {
        made = new V4Model();
        made.setRate(9e17);
        tokenB.mint(address(made), 1e24);
        tokenC.mint(address(made), 1e24);
    }

    function _told() private returns (ToldV4 made) {
        made = new ToldV4(AMOUNT, AMOUNT);
        tokenB.mint(address(made), 1e24);
        tokenC.mint(address(made), 1e24);
    }

    function _step(address target, uint8 flags, uint8 path, uint32 share) private pure returns (bytes memory) {
        bytes memory head = Routes.step(Routes.V4, flags, path, share, target);
        return bytes.concat(head, bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(0));
    }

    /// Two steps, each half of what the register holds.
    function _halves(V4Model target, uint8 flags, uint8 path) private pure returns (bytes memory) {
        bytes memory first = _step(address(target), flags, path, Routes.HALF);
        return bytes.concat(first, _step(address(target), flags, path, 0));
    }

    /// Calldata in which the route ends `cut` bytes early: they are still there, behind its end.
    function _cutShort(bytes memory route, uint256 cut) private returns (bool done, bytes memory answer) {
        bytes memory data = abi.encodeCall(IRouter.swap, (AMOUNT, 1, address(0), Terms.PLAIN, route));
        uint256 length = route.length - cut;
        assembly {
            mstore(add(data, 0xc4), length)
        }
        vm.prank(USER);
        return address(router).call(data);
    }

    function test_aRunMaySellTheLastToken() public {
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            _step(address(manager), _way(a, c), 0x02, 0),
            _step(address(manager), _way(c, b), 0x21, 0),
            _step(address(manager), _way(b, c), 0x12, 0)
        );
        eq(_swap(AMOUNT, route), 729e15, "paid");
        eq(manager.unlocks(), 1, "one unlock");
        _holdsNothing();
    }

    function test_aRunEndsWhereAnotherManagerBegins() public {
        V4Model second = _manager();
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c), _halves(manager, _way(a, b), 0x01), _halves(second, _way(b, c), 0x12)
        );
        eq(_swap(AMOUNT, route), 81e16, "paid");
        eq(manager.unlocks(), 1, "the first manager's run");
        eq(second.unlocks(), 1, "the second manager's run");
        _holdsNothing();
    }

    function test_aRunEndsWhereTheRouteEnds() public {
        bytes memory behind = _step(address(manager), _way(a, b), 0x01, 0);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _halves(manager, _way(a, b), 0x01), behind);
        (bool done, bytes memory answer) = _cutShort(route, STEP_BYTES);
        yes(done, "what follows the route is no step");
        eq(abi.decode(answer, (uint256)), 9e17, "paid");
    }

    /// Neither a step behind the route's end nor one over another manager makes a run of it.
    function test_aStepAloneSendsSixWords() public {
        (ToldV4 first, ToldV4 second) = (_told(), _told());
        bytes memory ahead = _step(address(first), Routes.ZERO_FOR_ONE, 0x01, 0);
        bytes memory route =
            bytes.concat(Routes.tokens(a, b, c), ahead, _step(address(second), Routes.ZERO_FOR_ONE, 0x12, 0));
        eq(_swap(AMOUNT, route), AMOUNT, "paid");
        eq(first.payloadBytes(), SIX_WORDS, "of the first");
        eq(second.payloadBytes(), SIX_WORDS, "of the second");
        ToldV4 last = _told();
        bytes memory only = _step(address(last), Routes.ZERO_FOR_ONE, 0x01, 0);
        (bool done,) = _cutShort(bytes.concat(Routes.tokens(a, b), only, only), STEP_BYTES);
        yes(done, "the route ends with its step");
        eq(last.payloadBytes(), SIX_WORDS, "of the last");
    }

    /// A token that keeps a fee of every transfer tells how often it was moved on its way to the recipient: once, where by way
    /// of the router less than the register says would be there to pay out.
    function test_aRunPaysTheRecipientItself() public {
        FeeToken token = new FeeToken(100);
        token.mint(address(manager), 1e24);
        address t = address(token);
        bytes memory table = Routes.tokens(a, t);
        uint256 state = vm.snapshotState();
        bytes memory direct = _halves(manager, _way(a, t) | Routes.TO_RECIPIENT, 0x01);
        eq(_swap(AMOUNT, bytes.concat(table, direct)), 891e15, "moved once");
        vm.revertToState(state);
        bytes memory held = _halves(manager, _way(a, t), 0x01);
        vm.expectRevert(bytes("token: balance"));
        _swap(AMOUNT, bytes.concat(table, held));
    }

    /// A token that the run buys and sells again is neither paid nor taken, not even in the amount of nothing.
    function test_whatARunUsesUpIsNotMoved() public {
        SomethingToken token = new SomethingToken();
        token.mint(address(manager), 1e24);
        address t = address(token);
        bytes memory route = bytes.concat(
            Routes.tokens(a, t, c),
            _step(address(manager), _way(a, t), 0x01, 0),
            _step(address(manager), _way(t, c), 0x12, 0)
        );
        eq(_swap(AMOUNT, route), 81e16, "paid");
        eq(token.balanceOf(address(manager)), 1e24, "unmoved");
        _holdsNothing();
    }

    /// The steps of a long run lie in the callback's memory where it lays out its calls: no byte of them is sent as data for
    /// a hook, which the manager would refuse.
    function test_aRunOfManySteps() public {
        uint256 left = AMOUNT;
        uint256 wanted;
        bytes memory route = Routes.tokens(a, b);
        for (uint256 index = 0; index < 12; ++index) {
            uint256 part = index == 11 ? left : left / 2;
            route = bytes.concat(route, _step(address(manager), _way(a, b), 0x01, index == 11 ? 0 : Routes.HALF));
            wanted += part * 9e17 / 1e18;
            left -= part;
        }
        eq(_swap(AMOUNT, route), wanted, "paid");
        eq(manager.unlocks(), 1, "one unlock");
        _holdsNothing();
    }
}
