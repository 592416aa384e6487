// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter, World} from "../world/World.sol";
import {HostileV4, V4Model} from "../models/V4.sol";

/// Runs of v4 steps in one unlock: registers within, settlement of what remains, and managers that lie.
contract V4Test is World {
    uint8 private constant DIRECT = Routes.TO_RECIPIENT;
    V4Model private manager;
    address private a;
    address private b;
    address private c;

    function setUp() public override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        manager = new V4Model();
        manager.setRate(9e17);
        tokenA.mint(address(manager), 1e30);
        tokenB.mint(address(manager), 1e30);
        tokenC.mint(address(manager), 1e30);
        vm.deal(address(manager), 1e30);
    }

    function _step(uint8 flags, uint8 path, uint32 share, address[2] memory pair) private view returns (bytes memory) {
        return _stepOf(address(manager), flags, path, share, pair);
    }

    function _stepOf(address target, uint8 flags, uint8 path, uint32 share, address[2] memory pair)
        private
        pure
        returns (bytes memory)
    {
        address sold = pair[0] == NATIVE ? address(0) : pair[0];
        address bought = pair[1] == NATIVE ? address(0) : pair[1];
        bytes memory head = Routes.step(Routes.V4, flags | _way(sold, bought), path, share, target);
        return bytes.concat(head, bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(0));
    }

    function test_fuzz_oneStep(uint256 amount, bool direct) public {
        amount = within(amount, 10, 1e27);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(direct ? DIRECT : 0, 0x01, 0, [a, b]));
        eq(_swap(amount, route), amount * 9e17 / 1e18, "paid");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        _holdsNothing();
    }

    function test_fuzz_aSplitAndAMergeInOneUnlock(uint256 amount, uint32 share) public {
        amount = within(amount, 1e6, 1e27);
        share = uint32(within(share, 1e4, type(uint32).max));
        uint256 one = amount * share >> 32;
        uint256 two = (amount - one) * 9e17 / 1e18;
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            _step(DIRECT, 0x02, share, [a, c]),
            _step(0, 0x01, 0, [a, b]),
            _step(DIRECT, 0x12, 0, [b, c])
        );
        eq(_swap(amount, route), one * 9e17 / 1e18 + two * 9e17 / 1e18, "paid");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        eq(manager.unlocks(), 1, "one unlock");
        _holdsNothing();
    }

    /// A key is read as a word, six bytes longer than it is: the last of them is in the share of the step that follows.
    function test_whatFollowsAKeyIsNoPartOfIt() public {
        address pair = _pair(a, 1e24, b, 1e24);
        uint32 odd = 1 << 16;
        address[2][2] memory ways = [[a, b], [b, a]];
        for (uint256 way = 0; way < 2; ++way) {
            (address sold, address bought) = (ways[way][0], ways[way][1]);
            bytes memory first = bytes.concat(Routes.tokens(sold, bought), _step(0, 0x01, Routes.HALF, ways[way]));
            uint8 onward = _way(sold, bought);
            bytes memory rest = bytes.concat(Routes.v2(onward, 0x01, odd, pair), Routes.v2(onward, 0x01, 0, pair));
            yes(_swap(1e18, bytes.concat(first, rest)) > 0, "a step alone");
            rest = bytes.concat(_step(0, 0x01, odd, ways[way]), _step(0, 0x01, 0, ways[way]));
            yes(_swap(1e18, bytes.concat(first, rest)) > 0, "a run");
        }
    }

    function test_twoManagersUnlockEachForItself() public {
        V4Model second = new V4Model();
        tokenC.mint(address(second), 1e30);
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            _step(0, 0x01, 0, [a, b]),
            _stepOf(address(second), DIRECT, 0x12, 0, [b, c])
        );
        eq(_swap(1e18, route), 9e17, "paid");
        eq(manager.unlocks() + second.unlocks(), 2, "two unlocks");
        _holdsNothing();
    }

    function test_betweenOtherDesigns() public {
        address pairAB = _pair(a, 1e24, b, 1e24);
        address pairCW = _pair(c, 1e24, address(wrapped), 1e24);
        uint256 middle = _quotePair(pairAB, a, 1e18) * 9e17 / 1e18;
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c, address(wrapped)),
            Routes.v2(_way(a, b), 0x01, 0, pairAB),
            _step(0, 0x12, 0, [b, c]),
            Routes.v2(_way(c, address(wrapped)) | DIRECT, 0x23, 0, pairCW)
        );
        uint256 wanted = _quotePair(pairCW, c, middle);
        eq(_swap(1e18, route), wanted, "paid");
        _holdsNothing();
    }

    function test_nativeIn() public {
        bytes memory route = bytes.concat(Routes.tokens(NATIVE, b), _step(DIRECT, 0x01, 0, [NATIVE, b]));
        vm.prank(USER);
        eq(router.swap{value: 1e18}(1e18, 1, address(0), Terms.PLAIN, route), 9e17, "paid");
        _holdsNothing();
    }

    function test_nativeOut() public {
        for (uint256 index = 0; index < 2; ++index) {
            uint256 before = USER.balance;
            uint8 flags = index == 0 ? 0 : DIRECT;
            eq(_swap(1e18, bytes.concat(Routes.tokens(a, NATIVE), _step(flags, 0x01, 0, [a, NATIVE]))), 9e17, "paid");
            eq(USER.balance - before, 9e17, "received");
        }
        _holdsNothing();
    }

    function test_nativeInTheMiddle() public {
        bytes memory route = bytes.concat(
            Routes.tokens(a, NATIVE, b), _step(0, 0x01, 0, [a, NATIVE]), _step(DIRECT, 0x12, 0, [NATIVE, b])
        );
        eq(_swap(1e18, route), 81e16, "paid");
        _holdsNothing();
    }

    function test_feesKeepCustody() public {
        bytes memory held = bytes.concat(Routes.tokens(a, b), _step(0, 0x01, 0, [a, b]));
        eq(_swap(1e18, 1, Terms.fees(100, 100, FEES), held), 99e16 * 9 / 10 * 99 / 100, "paid");
        bytes memory direct = bytes.concat(Routes.tokens(a, b), _step(DIRECT, 0x01, 0, [a, b]));
        vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, 1));
        _swap(1e18, 1, Terms.fees(0, 100, FEES), direct);
    }

    function test_refusals() public {
        manager.setTakes(999);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(DIRECT, 0x01, 0, [a, b]));
        vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(manager), 1e18, 999e15));
        _swap(1e18, route);
        manager.setTakes(1000);
        manager.setRate(0);
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(manager)));
        _swap(1e18, route);
    }

    function test_aStepAloneFundsThePairBehindIt() public {
        address pair = _pair(b, 1e24, c, 1e24);
        bytes memory last = Routes.v2(_way(b, c) | Routes.PREFUNDED | DIRECT, 0x12, 0, pair);
        bytes memory first = _step(Routes.TO_NEXT, 0x01, 0, [a, b]);
        uint256 wanted = _quotePair(pair, b, 9e17);
        eq(_swap(1e18, bytes.concat(Routes.tokens(a, b, c), first, last)), wanted, "paid");
        _holdsNothing();
        bytes memory run = bytes.concat(_step(0, 0x01, Routes.HALF, [a, b]), first);
        vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, 1));
        _swap(1e18, bytes.concat(Routes.tokens(a, b, c), run, last));
    }

    /// The steps behind the first are checked as the main loop checks its own.
    function test_registersWithinARun() public {
        bytes memory first = _step(0, 0x01, 0, [a, b]);
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 1, 0, 2));
        _swap(1e18, bytes.concat(Routes.tokens(a, b, c), first, _step(0, 0x10, 0, [b, a])));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 3, 2, 2));
        _swap(1e18, bytes.concat(Routes.tokens(a, b, c), first, _step(0, 0x32, 0, [b, c])));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 1, 3, 2));
        _swap(1e18, bytes.concat(Routes.tokens(a, b, c), first, _step(0, 0x13, 0, [b, c])));
    }

    function test_aRunThatOverrunsTheRoute() public {
        bytes memory route =
            bytes.concat(Routes.tokens(a, b, c), _step(0, 0x01, 0, [a, b]), _step(DIRECT, 0x12, 0, [b, c]));
        bytes memory data = abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, route));
        for (uint256 cut = 1; cut < 54; ++cut) {
            uint256 length = route.length - cut;
            assembly {
                mstore(add(data, 0xc4), length)
            }
            vm.prank(USER);
            (bool done, bytes memory answer) = address(router).call(data);
            yes(!done && bytes4(answer) == RouteTruncated.selector, "beyond the end");
        }
    }

    function _report(int128 amount0, int128 amount1) private pure returns (int256) {
        return int256(amount0) << 128 | int256(uint256(uint128(amount1)));
    }

    /// A manager that hands back registers of its own making would let the caller spend what is not there, or the
    /// user's allowance twice.
    function test_aManagerCannotChangeTheRegisters() public {
        HostileV4 hostile = new HostileV4();
        int256[] memory reports = new int256[](2);
        reports[0] = a < b ? _report(-1e18, 5e17) : _report(5e17, -1e18);
        reports[1] = b < c ? _report(-5e17, 4e17) : _report(4e17, -5e17);
        hostile.setReports(reports);
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            _stepOf(address(hostile), 0, 0x01, 0, [a, b]),
            _stepOf(address(hostile), 0, 0x12, 0, [b, c])
        );
        bytes[4] memory answers = [
            abi.encodePacked(uint256(9e29), uint256(0), uint256(4e17)),
            abi.encodePacked(uint256(0), uint256(0), uint256(4e17 + 1)),
            abi.encodePacked(uint256(0), uint256(0)),
            bytes(hex"00")
        ];
        for (uint256 index = 0; index < answers.length; ++index) {
            hostile.setHandBack(answers[index]);
            vm.expectPartialRevert(index < 2 ? NotTaken.selector : BadAnswer.selector);
            _swap(1e18, route);
        }
        // What is handed back unchanged is taken: the hostile manager is then paid, and pays nothing.
        tokenC.mint(address(router), 4e17);
        hostile.setHandBack("");
        hostile.setReports(reports);
        eq(_swap(1e18, route), 4e17, "paid out of what lay in the router");
        eq(tokenA.balanceOf(address(hostile)), 1e18, "taken");
    }

    function test_aManagerCannotCallBackTwice() public {
        HostileV4 hostile = new HostileV4();
        int256[] memory reports = new int256[](2);
        reports[0] = a < b ? _report(-1e18, 5e17) : _report(5e17, -1e18);
        reports[1] = reports[0];
        hostile.setReports(reports);
        bytes memory step = _stepOf(address(hostile), 0, 0x01, 0, [a, b]);
        bytes memory payload = abi.encodePacked(
            abi.encode(USER, USER, uint256(0), uint256(1)), abi.encode(uint256(0), uint256(1), type(uint256).max)
        );
        payload = bytes.concat(payload, abi.encode(uint256(1e18), uint256(0)), abi.encodePacked(a, b), step);
        hostile.setAttack(address(router), abi.encodeWithSelector(0x91dd7346, payload));
        tokenB.mint(address(router), 5e17);
        _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
        yes(!hostile.attackWorked(), "the second callback is refused");
        eq(tokenA.balanceOf(USER), 1e30 - 1e18, "paid once");
    }
}
