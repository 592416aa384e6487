// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {FalseToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";

/// Every named error, provoked, with its values.
contract RefusalsTest is World {
    address private a;
    address private b;
    address private w;
    address private pair;
    bytes private good;

    function setUp() public override {
        super.setUp();
        (a, b, w) = (address(tokenA), address(tokenB), address(wrapped));
        pair = _pair(a, 1e24, b, 1e24);
        good = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, 0, pair));
    }

    function test_expired() public {
        vm.warp(1000);
        vm.expectRevert(abi.encodeWithSelector(Expired.selector, 999, 1000));
        _swap(1e20, 1, 999 << 192, good);
        _swap(1e20, 1, 1000 << 192, good);
        vm.expectRevert(abi.encodeWithSelector(Expired.selector, 0, 1000));
        _swap(1e20, 1, 0, good);
    }

    function test_noMinimum() public {
        vm.expectRevert(abi.encodeWithSelector(NoMinimum.selector));
        _swap(1e20, 0, Terms.PLAIN, good);
    }

    function test_wrongValue() public {
        vm.expectRevert(abi.encodeWithSelector(WrongValue.selector, 1, 0));
        vm.prank(USER);
        router.swap{value: 1}(1e20, 1, address(0), Terms.PLAIN, good);
        bytes memory wrap =
            bytes.concat(Routes.tokens(NATIVE, w), Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w));
        vm.expectRevert(abi.encodeWithSelector(WrongValue.selector, 99, 100));
        vm.prank(USER);
        router.swap{value: 99}(100, 1, address(0), Terms.PLAIN, wrap);
        vm.expectRevert(abi.encodeWithSelector(WrongValue.selector, 101, 100));
        vm.prank(USER);
        router.swap{value: 101}(100, 1, address(0), Terms.PLAIN, wrap);
    }

    function test_badRecipient() public {
        vm.expectRevert(abi.encodeWithSelector(BadRecipient.selector, address(router)));
        vm.prank(USER);
        router.swap(1e20, 1, address(router), Terms.PLAIN, good);
    }

    function test_sameToken() public {
        vm.expectRevert(abi.encodeWithSelector(SameToken.selector, a));
        _swap(1e20, Routes.tokens(a, b, a));
    }

    function test_tooFewTokens() public {
        for (uint8 count = 0; count < 2; ++count) {
            vm.expectRevert(abi.encodeWithSelector(SameToken.selector, a));
            _swap(1e20, abi.encodePacked(count, a, b, a, b));
        }
    }

    function test_everyTruncationIsRefused() public {
        for (uint256 length = 0; length < good.length; ++length) {
            bytes memory cut = new bytes(length);
            for (uint256 index = 0; index < length; ++index) {
                cut[index] = good[index];
            }
            bytes4 reason = _reason(abi.encodeCall(router.swap, (1e20, 1, address(0), Terms.PLAIN, cut)));
            if (length < 2) eq(uint32(reason), uint32(SameToken.selector), "no tokens");
            else if (length < 41) eq(uint32(reason), uint32(RouteTruncated.selector), "within the table");
            else if (length == 41) eq(uint32(reason), uint32(LeftOver.selector), "the table alone");
        }
    }

    /// The bytes behind the route's end are the right ones, and still do not count.
    function test_noByteBehindTheEndCounts() public {
        bytes memory data = abi.encodeCall(router.swap, (1e20, 1, address(0), Terms.PLAIN, good));
        for (uint256 length = 42; length < good.length; ++length) {
            assembly {
                mstore(add(data, 0xc4), length)
            }
            eq(uint32(_reason(data)), uint32(RouteTruncated.selector), "beyond the end");
        }
    }

    function _reason(bytes memory data) private returns (bytes4) {
        vm.prank(USER);
        (bool done, bytes memory answer) = address(router).call(data);
        yes(!done, "refused");
        return bytes4(answer);
    }

    function test_trailingBytesAreAStep() public {
        vm.expectRevert();
        _swap(1e20, bytes.concat(good, hex"00"));
    }

    function test_badRegisters() public {
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 2, 1, 1));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x21, 0, pair)));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 0, 2, 1));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x02, 0, pair)));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 1, 0, 1));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x10, 0, pair)));
    }

    function test_unknownKinds() public {
        for (uint256 kind = 0; kind < 256; ++kind) {
            if (kind >= 1 && kind <= 26) continue;
            vm.expectRevert(abi.encodeWithSelector(UnknownKind.selector, kind));
            _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.step(uint8(kind), 0, 0x01, 0, pair)));
        }
    }

    function test_leftOver() public {
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, Routes.HALF, pair));
        vm.expectRevert(abi.encodeWithSelector(LeftOver.selector, a, 5e19));
        _swap(1e20, route);
    }

    /// In a table of five, a rest in any register but the last is found.
    function test_leftOverBehindTheThirdRegister() public {
        address pairBW = _pair(b, 1e24, w, 1e24);
        for (uint8 place = 1; place < 4; ++place) {
            address[5] memory table = [a, address(0xd1), address(0xd2), address(0xd3), w];
            table[place] = b;
            bytes memory route = abi.encodePacked(uint8(5), table[0], table[1], table[2], table[3], table[4]);
            route = bytes.concat(route, Routes.v2(_way(a, b), place, 0, pair));
            route = bytes.concat(route, Routes.v2(_way(b, w), place * 16 + 4, Routes.HALF, pairBW));
            vm.expectPartialRevert(LeftOver.selector);
            _swap(1e20, route);
        }
    }

    function test_directPayoutInAnotherToken() public {
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, w), Routes.v2(_way(a, b) | Routes.TO_RECIPIENT, 0x01, 0, pair)
        );
        vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, 1));
        _swap(1e20, route);
    }

    function test_toNextWithoutANext() public {
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b) | Routes.TO_NEXT, 0x01, 0, pair));
        vm.expectPartialRevert(RouteTruncated.selector);
        _swap(1e20, route);
    }

    function test_nativeOutsideASwap() public {
        vm.prank(USER);
        (bool done, bytes memory answer) = address(router).call{value: 1}("");
        yes(!done, "refused");
        eq(uint256(keccak256(answer)), uint256(keccak256(abi.encodeWithSelector(UnexpectedNative.selector, USER, 1))), "why");
    }

    function test_aRecipientThatRefusesNative() public {
        bytes memory unwrap = bytes.concat(Routes.tokens(w, NATIVE), Routes.step(Routes.WRAP, 0, 0x01, 0, w));
        vm.expectRevert(abi.encodeWithSelector(NativeRefused.selector, a, 1e18));
        vm.prank(USER);
        router.swap(1e18, 1, a, Terms.PLAIN, unwrap);
    }

    function test_poolsWithoutCode() public {
        address nobody = address(0xbeef);
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, nobody));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v2(0, 0x01, 0, nobody)));
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, nobody));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v3(0, 0x01, 0, nobody)));
    }

    function test_tokensWithoutCode() public {
        address nobody = address(0xbeef);
        vm.expectRevert(abi.encodeWithSelector(TransferFailed.selector, nobody, pair, 1e20));
        _swap(1e20, bytes.concat(Routes.tokens(nobody, b), Routes.v2(0, 0x01, 0, pair)));
        Puppet pool = new Puppet();
        pool.onCall(bytes4(0x0902f1ac), abi.encode(1e18, 1e18, 0));
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, nobody));
        _swap(1e18, bytes.concat(Routes.tokens(a, nobody), Routes.v2(0, 0x01, 0, address(pool))));
    }

    function test_aPoolThatDoesNotTakeItsInput() public {
        Puppet pool = new Puppet();
        pool.onCall(bytes4(0x128acb08), abi.encode(int256(1e20), -int256(1e20)));
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(pool)));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool))));
    }

    function test_aPoolThatBuysNothing() public {
        Puppet pool = new Puppet();
        pool.onCall(bytes4(0x128acb08), abi.encode(int256(1e20), int256(1)));
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(pool)));
        _swap(1e20, bytes.concat(Routes.tokens(a, b), Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool))));
    }

    /// It takes what it is sold, and then says that it has bought nothing, or nothing at all.
    function test_aPoolThatTakesAndAnswersNothing() public {
        Puppet pool = new Puppet();
        bytes memory ask = abi.encodeWithSelector(bytes4(0xfa461e33), int256(1e20), int256(0), abi.encode(a, USER));
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)));
        for (uint256 which = 0; which < 3; ++which) {
            pool.onCall(bytes4(0x128acb08), [abi.encode(int256(1e20), int256(0)), abi.encode(-int256(1)), bytes("")][which]);
            pool.thenCall(bytes4(0x128acb08), address(router), ask, true);
            vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(pool)));
            _swap(1e20, route);
        }
    }

    /// A token that answers `false` to a pool's demand, and a pool that does not mind.
    function test_aDemandThatTheTokenRefuses() public {
        FalseToken token = new FalseToken();
        Puppet pool = new Puppet();
        pool.onCall(bytes4(0x128acb08), abi.encode(int256(1e20), -int256(1)));
        bytes memory words = abi.encode(address(token), USER);
        bytes memory ask = abi.encodeWithSelector(bytes4(0xfa461e33), int256(1e20), -int256(1), words);
        pool.thenCall(bytes4(0x128acb08), address(router), ask, true);
        bytes memory step = Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool));
        vm.expectRevert(abi.encodeWithSelector(TransferFailed.selector, address(token), address(pool), 1e20));
        _swap(1e20, bytes.concat(Routes.tokens(address(token), b), step));
    }

    function test_aPartialFill() public {
        address pool = _pool(a, b, 3000, 1, 1e18);
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v3(_way(a, b), 0x01, 0, pool));
        vm.expectPartialRevert(CallbackRefused.selector);
        _swap(1e20, route);
    }

    function test_badWrappers() public {
        vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, b));
        _swap(1e18, bytes.concat(Routes.tokens(w, NATIVE), Routes.step(Routes.WRAP, 0, 0x01, 0, b)));
        vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, w));
        _swap(1e18, bytes.concat(Routes.tokens(a, NATIVE), Routes.step(Routes.WRAP, 0, 0x01, 0, w)));
        vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, w));
        _swap(1e18, bytes.concat(Routes.tokens(w, b), Routes.step(Routes.WRAP, 0, 0x01, 0, w)));
        vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, b));
        vm.prank(USER);
        bytes memory wrong = Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, b);
        router.swap{value: 1e18}(1e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(NATIVE, w), wrong));
    }

    /// The router has no native coin but what the route brought.
    function test_wrappingWhatIsNotThere() public {
        vm.expectRevert();
        _swap(1e18, bytes.concat(Routes.tokens(a, w), Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w)));
    }

    function test_wrappersPayTheRouterAlone() public {
        for (uint256 index = 0; index < 2; ++index) {
            uint8 flag = [Routes.TO_RECIPIENT, Routes.TO_NEXT][index];
            vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, 1));
            _swap(1e18, bytes.concat(Routes.tokens(w, NATIVE), Routes.step(Routes.WRAP, flag, 0x01, 0, w)));
        }
    }

    function test_aTokensOwnReasonPassesThrough() public {
        vm.prank(USER);
        tokenA.approve(address(router), 1);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e20, good);
    }
}
