// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../Errors.sol";
import {Routes, Terms} from "./Routes.sol";
import {vm} from "./Vm.sol";
import {World} from "./World.sol";
import {HookedToken, PlainToken} from "./models/Tokens.sol";
import {Puppet} from "./models/Puppet.sol";

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
}
