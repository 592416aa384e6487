// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter, World} from "../world/World.sol";
import {Puppet} from "../models/Puppet.sol";
import {HookedToken, PlainToken} from "../models/Tokens.sol";

/// Attacks on USER, who has approved the router without limit, by ATTACKER with pools and tokens of its own.
contract HostileTest is World {
    address internal constant ATTACKER = address(0xbad);
    bytes4 internal constant V3_SWAP = 0x128acb08;
    bytes4 internal constant V2_SWAP = 0x022c0d9f;
    bytes4 internal constant GET_RESERVES = 0x0902f1ac;
    bytes4 internal constant CALLBACK = 0xfa461e33;

    address internal a;
    address internal b;
    address internal c;
    Puppet internal evil;

    function setUp() public override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        evil = new Puppet();
        tokenA.mint(ATTACKER, 1e24);
        vm.prank(ATTACKER);
        tokenA.approve(address(router), type(uint256).max);
    }

    /// The payload that a pool is handed for its callback, with anything in it changed.
    function _callback(uint256 owed, address token, address payer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(CALLBACK, int256(owed), -int256(1), abi.encode(token, payer));
    }

    function _attack(uint256 amount, bytes memory route) internal returns (bool done, bytes memory answer) {
        vm.prank(ATTACKER);
        return address(router).call(abi.encodeCall(IRouter.swap, (amount, 1, address(0), Terms.PLAIN, route)));
    }

    function _throughEvil(uint256 amount) internal returns (bool done, bytes memory answer) {
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(evil)));
        return _attack(amount, route);
    }

    /// A pool that pays one unit of B for whatever it is given.
    function _evilPays() internal {
        tokenB.mint(address(evil), 1e18);
        evil.onCall(V3_SWAP, abi.encode(int256(1e18), -int256(1)));
        evil.thenCall(V3_SWAP, b, abi.encodeCall(tokenB.transfer, (address(router), 1)), true);
    }

    function _unharmed() internal view {
        eq(tokenA.balanceOf(USER), 1e30, "A of the user");
        eq(tokenB.balanceOf(USER), 1e30, "B of the user");
        eq(tokenC.balanceOf(USER), 1e30, "C of the user");
    }

    function _failedWith(bytes4 reason) internal view {
        eq(evil.failures(), 1, "attempts that failed");
        eq(uint32(bytes4(evil.lastFailure())), uint32(reason), "reason");
    }

    function test_callbackWhileNoSwapRuns() public {
        (bool done, bytes memory answer) = address(router).call(_callback(1e20, a, USER));
        yes(!done, "refused");
        eq(uint32(bytes4(answer)), uint32(CallbackRefused.selector), "why");
        _unharmed();
    }

    function test_fuzz_anyCalldataWhileNoSwapRuns(bytes memory data) public {
        vm.assume(data.length > 0 && (data.length < 4 || bytes4(data) != IRouter.swap.selector));
        (bool done,) = address(router).call(data);
        yes(!done, "refused");
        _unharmed();
    }

    function test_aPoolNamesAnotherPayer() public {
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, USER), false);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the honest callback is served");
        _failedWith(CallbackRefused.selector);
        eq(tokenA.balanceOf(ATTACKER), 1e24 - 1e18, "the attacker paid for itself");
        _unharmed();
    }

    function test_aPoolAsksForMore() public {
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18 + 1, a, ATTACKER), false);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the honest callback is served");
        _failedWith(CallbackRefused.selector);
        eq(tokenA.balanceOf(ATTACKER), 1e24 - 1e18, "paid once, exactly");
    }

    function test_aPoolAsksForLess() public {
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18 - 1, a, ATTACKER), true);
        (bool done, bytes memory answer) = _throughEvil(1e18);
        yes(!done && bytes4(answer) == CallbackRefused.selector, "a partial fill is refused");
    }

    function test_aPoolAsksTwice() public {
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), false);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the first callback is served");
        _failedWith(CallbackRefused.selector);
        eq(tokenA.balanceOf(ATTACKER), 1e24 - 1e18, "paid once");
    }

    function test_aPoolAsksForAnotherToken() public {
        tokenB.mint(ATTACKER, 1e24);
        vm.prank(ATTACKER);
        tokenB.approve(address(router), type(uint256).max);
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, b, ATTACKER), false);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the honest callback is served");
        _failedWith(CallbackRefused.selector);
        eq(tokenB.balanceOf(ATTACKER), 1e24 + 1, "B did not move");
    }

    function test_somebodyElseAsksInAPoolsPlace() public {
        Puppet thief = new Puppet();
        thief.onCall(0x12345678, "");
        thief.thenCall(0x12345678, address(router), _callback(1e18, a, ATTACKER), true);
        _evilPays();
        evil.thenCall(V3_SWAP, address(thief), hex"12345678", false);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the honest callback is served");
        _failedWith(CallbackRefused.selector);
        eq(tokenA.balanceOf(address(thief)), 0, "the thief has nothing");
    }

    function test_aCallbackAfterTheSwap() public {
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "swapped");
        vm.expectPartialRevert(CallbackRefused.selector);
        vm.prank(address(evil));
        (done,) = address(router).call(_callback(1e18, a, ATTACKER));
    }

    function test_aNestedSwap() public {
        bytes memory inner = abi.encodeCall(
            IRouter.swap, (1e18, 1, address(evil), Terms.PLAIN, Routes.tokens(a, b))
        );
        _evilPays();
        evil.thenCall(V3_SWAP, address(router), inner, false);
        evil.thenCall(V3_SWAP, address(router), _callback(1e18, a, ATTACKER), true);
        (bool done,) = _throughEvil(1e18);
        yes(done, "the outer swap goes on");
        _failedWith(Reentered.selector);
    }

    function test_theLockOpensAgain() public {
        address pair = _pair(a, 1e24, b, 1e24);
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, 0, pair));
        _swap(1e18, route);
        _swap(1e18, route);
    }

    /// A hostile pool in the middle of a route tries to sell the router's custody to itself.
    function test_custodyMidRouteCannotBeTaken() public {
        address pair = _pair(a, 1e24, b, 1e24);
        evil.onCall(GET_RESERVES, abi.encode(uint256(1e24), uint256(1e24), 0));
        Puppet liar = new Puppet();
        liar.onCall(GET_RESERVES, abi.encode(uint256(1e24), uint256(1e24), 0));
        bytes memory steal = bytes.concat(
            Routes.tokens(c, b), Routes.v2(Routes.ZERO_FOR_ONE | Routes.PREFUNDED, 0x01, 0, address(liar))
        );
        evil.onCall(GET_RESERVES, abi.encode(uint256(1e24), uint256(1e24), 0));
        evil.thenCall(
            V2_SWAP, address(router), abi.encodeCall(IRouter.swap, (1e18, 1, ATTACKER, Terms.PLAIN, steal)), false
        );
        bytes memory route = bytes.concat(
            Routes.tokens(a, c, b),
            Routes.v2(_way(a, b), 0x02, Routes.HALF, pair),
            Routes.v2(Routes.ZERO_FOR_ONE, 0x02, 0, address(evil))
        );
        vm.prank(USER);
        (bool done,) = address(router).call(abi.encodeCall(IRouter.swap, (1e18, 1, address(0), Terms.PLAIN, route)));
        yes(!done, "a pool that pays nothing fails the swap");
        eq(tokenB.balanceOf(ATTACKER), 0, "nothing stolen");
        _unharmed();
    }

    /// Whatever a lying pair claims to hold, only what the user sells can be lost, and the minimum guards that.
    function test_fuzz_aLyingPair(uint112 reserve0, uint112 reserve1, uint256 amount) public {
        amount = within(amount, 1, 1e24);
        evil.onCall(GET_RESERVES, abi.encode(uint256(reserve0), uint256(reserve1), 0));
        bytes memory route = bytes.concat(
            Routes.tokens(a, b), Routes.v2(Routes.ZERO_FOR_ONE | Routes.TO_RECIPIENT, 0x01, 0, address(evil))
        );
        vm.expectRevert();
        _swap(amount, route);
    }

    /// Shares of amounts near 2^255 are exact: the pool asks for what it should be sold, twice half.
    function test_sharesOfHugeAmounts() public {
        uint256 huge = 1 << 254;
        PlainToken token = new PlainToken();
        token.mint(USER, huge);
        vm.prank(USER);
        token.approve(address(router), huge);
        tokenB.mint(address(router), 2);
        evil.onCall(V3_SWAP, abi.encode(-int256(1), -int256(1)));
        bytes memory payment = abi.encode(address(token), USER);
        evil.thenCall(
            V3_SWAP, address(router), abi.encodeWithSelector(bytes4(0xfa461e33), huge / 2, -int256(1), payment), true
        );
        bytes memory steps = bytes.concat(
            Routes.v3(0, 0x01, Routes.HALF, address(evil)), Routes.v3(0, 0x01, Routes.ALL, address(evil))
        );
        eq(_swap(huge, bytes.concat(Routes.tokens(address(token), b), steps)), 2, "paid");
        eq(token.balanceOf(address(evil)), huge, "all was sold");
    }

    /// A token with hooks lets its receiver run in the middle of a swap; the lock holds there too.
    function test_aHookOfATokenReenters() public {
        HookedToken hooked = new HookedToken();
        hooked.mint(USER, 1e24);
        vm.prank(USER);
        hooked.approve(address(router), type(uint256).max);
        Puppet hook = new Puppet();
        bytes4 moved = bytes4(keccak256("tokensMoved(address,address,uint256)"));
        hook.onCall(moved, "");
        hook.thenCall(
            moved,
            address(router),
            abi.encodeCall(IRouter.swap, (1e18, 1, ATTACKER, Terms.PLAIN, Routes.tokens(a, b))),
            false
        );
        address pair = pairs.createPair(address(hooked), b);
        hooked.mint(pair, 1e24);
        tokenB.mint(pair, 1e24);
        (bool done,) = pair.call(abi.encodeWithSignature("mint(address)", address(this)));
        vm.prank(USER);
        hooked.setHook(address(hook));
        uint256 wanted = _quotePair(pair, address(hooked), 1e18);
        eq(
            _swap(
                1e18,
                bytes.concat(
                    Routes.tokens(address(hooked), b), Routes.v2(_way(address(hooked), b), 0x01, 0, pair)
                )
            ),
            wanted,
            "paid"
        );
        eq(hook.failures(), 1, "the hook was called once");
        eq(uint32(bytes4(hook.lastFailure())), uint32(Reentered.selector), "and could not swap");
        yes(done, "pair ready");
    }
}
