// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {LiquidityBookModel, WooModel} from "../models/Pools.sol";
import {HookedToken, PlainToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";

/// Passes on what it gets while it gets it.
contract Forwarder {
    constructor(HookedToken token) {
        token.setHook(address(this));
    }

    function tokensMoved(address from, address to, uint256 amount) external {
        if (to == address(this) && from != to) PlainToken(msg.sender).transfer(address(0xdead), amount);
    }
}

/// Sentences of contracts/README.md that no suite of a subject of its own holds.
contract ClaimsTest is World {
    address private a;
    address private b;
    address private pair;

    function setUp() public override {
        super.setUp();
        (a, b) = (address(tokenA), address(tokenB));
        pair = _pair(a, 1e24, b, 1e24);
    }

    /// It runs before the loop that checks registers, so it must check its own.
    function test_aPermitAheadOfTheFeeNamesTheTokenSold() public {
        uint8[3] memory sources = [1, 2, 255];
        for (uint256 kind = 17; kind <= 18; ++kind) {
            for (uint256 index = 0; index < sources.length; ++index) {
                bytes memory permit = abi.encodePacked(uint8(kind), uint8(0), sources[index], uint8(1), uint32(0), a);
                bytes memory swap = Routes.v2(_way(a, b), 0x01, 0, pair);
                vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, sources[index], 1, 1));
                _swap(
                    1e18,
                    1,
                    Terms.fees(100, 0, FEES),
                    bytes.concat(Routes.tokens(a, b), permit, new bytes(102), swap)
                );
            }
        }
    }

    function test_aRecipientThatPassesTokensOn() public {
        HookedToken hooked = new HookedToken();
        address pool = _pair(a, 1e24, address(hooked), 1e24);
        address recipient = address(new Forwarder(hooked));
        for (uint256 direct = 0; direct < 2; ++direct) {
            uint8 flags = _way(a, address(hooked)) | (direct == 1 ? Routes.TO_RECIPIENT : 0);
            bytes memory route = bytes.concat(Routes.tokens(a, address(hooked)), Routes.v2(flags, 0x01, 0, pool));
            vm.expectRevert(bytes("min return not reached"));
            vm.prank(USER);
            router.swap(1e18, 1, recipient, Terms.PLAIN, route);
        }
    }

    /// The fallback is payable; a demand that is refused takes no coin either.
    function test_valueSentWithADemandThatIsRefused() public {
        bytes memory ask = abi.encodeWithSelector(bytes4(0xfa461e33), int256(1), int256(0), abi.encode(a, USER));
        vm.prank(USER);
        (bool done,) = address(router).call{value: 1}(ask);
        yes(!done && address(router).balance == 0, "refused, with the coin");
    }

    /// Half of what is sold crosses the pair, then the rest.
    function test_aPairCrossedTwice() public {
        bytes memory first = Routes.v2(_way(a, b), 0x01, Routes.HALF, pair);
        bytes memory route = bytes.concat(Routes.tokens(a, b), first, Routes.v2(_way(a, b), 0x01, 0, pair));
        uint256 before = tokenB.balanceOf(USER);
        uint256 out = _swap(1e18, 9e17, Terms.PLAIN, route);
        eq(tokenB.balanceOf(USER) - before, out, "paid");
        _holdsNothing();
    }

    /// Bits without a meaning, and PREFUNDED of a pool that asks for its input.
    function test_flagsThatAreNotRead() public {
        address pool = _pool(a, b, 3000, 200, 1e24);
        uint256 clean = vm.snapshotState();
        uint256 wanted = _swap(1e18, bytes.concat(Routes.tokens(a, b), Routes.v3(_way(a, b), 0x01, 0, pool)));
        uint8[5] memory others = [Routes.PREFUNDED, 0x10, 0x20, 0x40, 0x80];
        for (uint256 index = 0; index < others.length; ++index) {
            vm.revertToState(clean);
            clean = vm.snapshotState();
            bytes memory step = Routes.v3(_way(a, b) | others[index], 0x01, 0, pool);
            eq(_swap(1e18, bytes.concat(Routes.tokens(a, b), step)), wanted, "the same is paid");
        }
    }

    /// What arrived counts: a balance that falls while a pool is sold to is no amount.
    function test_aBalanceThatFalls() public {
        Puppet bought = new Puppet();
        Puppet pool = new Puppet();
        bytes4 balanceOf = bytes4(keccak256("balanceOf(address)"));
        bytes4 exchange = 0x3df02124;
        bought.onCall(balanceOf, abi.encode(uint256(5)));
        pool.onCall(exchange, "");
        pool.thenCall(
            exchange, a, abi.encodeCall(PlainToken.transferFrom, (address(router), address(pool), 1e18)), true
        );
        bytes memory fall = abi.encodeCall(Puppet.onCall, (balanceOf, abi.encode(uint256(4))));
        pool.thenCall(exchange, address(bought), fall, true);
        bytes memory step = bytes.concat(Routes.step(Routes.CURVE, 0, 0x01, 0, address(pool)), hex"000100");
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        _swap(1e18, bytes.concat(Routes.tokens(a, address(bought)), step));
    }

    /// A source may be any register, the last too.
    function test_theLastTokenIsSoldToo() public {
        address c = address(tokenC);
        address pairBC = _pair(b, 1e24, c, 1e24);
        bytes memory route = bytes.concat(
            Routes.tokens(a, c, b),
            Routes.v2(_way(a, b), 0x02, 0, pair),
            Routes.v2(_way(b, c), 0x21, Routes.HALF, pairBC),
            Routes.v2(_way(c, b), 0x12, 0, pairBC)
        );
        uint256 before = tokenB.balanceOf(USER);
        eq(_swap(1e18, 99e16, Terms.PLAIN, route), tokenB.balanceOf(USER) - before, "paid");
        _holdsNothing();
    }

    /// A permit within the route says which registers it names.
    function test_aPermitOfAnotherRegister() public {
        bytes memory permit = abi.encodePacked(uint8(17), uint8(0), uint8(1), uint8(2), uint32(0), a, new bytes(102));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 1, 2, 2));
        _swap(1e18, bytes.concat(Routes.tokens(a, b, address(tokenC)), permit));
    }

    /// Pools that sell what they were sent are not paid again by the step that the one before has paid.
    function test_poolsThatAPairHasPaid() public {
        address c = address(tokenC);
        LiquidityBookModel book = new LiquidityBookModel(b, c);
        WooModel woo = new WooModel();
        tokenC.mint(address(book), 1e24);
        tokenC.mint(address(woo), 1e24);
        book.sync();
        woo.sync(b);
        woo.sync(c);
        uint256 wanted = _quotePair(pair, a, 1e18);
        uint256 state = vm.snapshotState();
        for (uint8 kind = 12; kind <= 13; ++kind) {
            uint8 flags = Routes.ZERO_FOR_ONE | Routes.PREFUNDED | Routes.TO_RECIPIENT;
            bytes memory route = bytes.concat(
                Routes.tokens(a, b, c),
                Routes.v2(_way(a, b) | Routes.TO_NEXT, 0x01, 0, pair),
                Routes.step(kind, flags, 0x12, 0, kind == 12 ? address(book) : address(woo))
            );
            eq(_swap(1e18, route), wanted, "paid");
            _holdsNothing();
            vm.revertToState(state);
            state = vm.snapshotState();
        }
    }

    /// The first amount that a v3 pool names is what it asks for as soon as it is above zero.
    function test_aPoolAsksForOneUnit() public {
        Puppet pool = new Puppet();
        tokenB.mint(address(pool), 5);
        bytes memory ask = abi.encodeWithSelector(bytes4(0xfa461e33), int256(1), -int256(5), abi.encode(a, USER));
        bytes4 swap = 0x128acb08;
        pool.onCall(swap, abi.encode(int256(1), -int256(5)));
        pool.thenCall(swap, b, abi.encodeCall(PlainToken.transfer, (address(router), 5)), true);
        pool.thenCall(swap, address(router), ask, true);
        bytes memory step = Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool));
        eq(_swap(1, bytes.concat(Routes.tokens(a, b), step)), 5, "paid");
    }

    /// Whoever asks for a payment that nothing is the debt of is named in the refusal, whatever its design.
    function test_whoIsRefusedIsNamed() public {
        bytes4[4] memory calls = [bytes4(0x91dd7346), 0x91dd7346, 0x37368056, 0x01020304];
        uint256[4] memory lengths = [uint256(192), 480, 192, 32];
        for (uint256 index = 0; index < calls.length; ++index) {
            bytes memory reason = abi.encodeWithSelector(CallbackRefused.selector, OTHER, calls[index]);
            bytes memory ask = abi.encodeWithSelector(calls[index], new bytes(lengths[index]));
            vm.prank(OTHER);
            (bool done, bytes memory answer) = address(router).call(ask);
            yes(!done, "refused");
            eq(uint256(keccak256(answer)), uint256(keccak256(reason)), "by name");
        }
    }
}
