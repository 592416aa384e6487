// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {Puppet} from "../models/Puppet.sol";
import {ShareToken} from "../models/Tokens.sol";
import {BalancerV2Model, BalancerV3Model, VaultModel} from "../models/Vaults.sol";

/// Both of Balancer's vaults: pools, shares of pools, buffers.
contract BalancerTest is Crossings {
    function test_balancerV2() public {
        BalancerV2Model vault = new BalancerV2Model();
        vault.setRate(8e17);
        _stock(address(vault));
        vm.deal(address(vault), 1e24);
        bytes32 pool = vault.POOL();
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault)), pool), out);
        _alone(bytes.concat(Routes.step(Routes.BALANCER_V2, DIRECT, 0x01, 0, address(vault)), pool), out);
        _behind(bytes.concat(Routes.step(Routes.BALANCER_V2, DIRECT, 0x12, 0, address(vault)), pool), 8e17);
        _before(bytes.concat(Routes.step(Routes.BALANCER_V2, Routes.TO_NEXT, 0x01, 0, address(vault)), pool), out);

        bytes memory step = bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault)), pool);
        vm.prank(USER);
        uint256 got =
            router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(NATIVE, b), step));
        eq(got, out, "native in");
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE), step)), out, "native out");
        _holdsNothing();
    }

    function _balancerV3(BalancerV3Model vault, uint8 flags, uint8 path) private pure returns (bytes memory) {
        return bytes.concat(Routes.step(8, flags, path, 0, address(vault)), bytes20(address(0xb001)));
    }

    function test_balancerV3() public {
        BalancerV3Model vault = new BalancerV3Model();
        vault.setRate(12e17);
        _stock(address(vault));
        vault.sync(a);
        vault.sync(b);
        vault.sync(c);
        uint256 out = AMOUNT * 12e17 / 1e18;
        _alone(_balancerV3(vault, 0, 0x01), out);
        _alone(_balancerV3(vault, DIRECT, 0x01), out);
        _behind(_balancerV3(vault, 0, 0x12), 12e17);
        _behind(_balancerV3(vault, DIRECT, 0x12), 12e17);
        _before(_balancerV3(vault, Routes.TO_NEXT, 0x01), out);
        vault.setTakes(999);
        vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(0xb001), 1e18, 999e15));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _balancerV3(vault, DIRECT, 0x01)));
    }

    BalancerV2Model private second;
    ShareToken private share;

    function _shares() private {
        second = new BalancerV2Model();
        second.setRate(8e17);
        _stock(address(second));
        share = new ShareToken(address(second));
        share.mint(USER, 1e24);
        vm.prank(USER);
        share.approve(address(router), type(uint256).max);
    }

    function _exit(uint8 flags, uint8 path) private view returns (bytes memory) {
        return bytes.concat(Routes.step(Routes.BALANCER_V2, flags, path, 0, address(second)), second.POOL());
    }

    /// The vault may take shares whatever it was granted, so nothing is granted, and the balance tells what it took.
    function test_sharesSoldToTheirPool() public {
        _shares();
        address s = address(share);
        // What lies in the router already is nobody's business.
        share.mint(address(router), 5);
        for (uint8 direct = 0; direct < 2; ++direct) {
            uint8 flags = Routes.ZERO_FOR_ONE | (direct == 0 ? 0 : DIRECT);
            eq(_swap(AMOUNT, bytes.concat(Routes.tokens(s, b), _exit(flags, 0x01))), AMOUNT * 8e17 / 1e18, "paid");
            eq(share.balanceOf(address(router)), 5, "not touched");
            eq(share.granted(address(router), address(second)), 0, "nothing granted");
        }
        eq(share.balanceOf(USER), 1e24 - 2 * AMOUNT, "taken");
        _holdsNothing();
    }

    function test_sharesThatTheVaultTakesInPart() public {
        _shares();
        bytes memory route = bytes.concat(Routes.tokens(address(share), b), _exit(Routes.ZERO_FOR_ONE | DIRECT, 0x01));
        second.setTakes(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(second)));
        _swap(1e18, route);
        second.setTakes(0);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(second)));
        _swap(1e18, route);
        // More than was sold, out of what the same route still has to sell.
        second.setTakes(1001);
        bytes memory half = bytes.concat(
            Routes.step(Routes.BALANCER_V2, Routes.ZERO_FOR_ONE, 0x12, Routes.HALF, address(second)), second.POOL()
        );
        bytes memory buys = _exit(0, 0x01);
        share.mint(address(second), 1e24);
        second.setTakes(1000);
        eq(
            _swap(1e18, bytes.concat(Routes.tokens(a, address(share), b), buys, half, _exit(Routes.ZERO_FOR_ONE, 0x12))),
            64e16,
            "in halves"
        );
        share.mint(address(router), 1e18);
        second.setTakes(1001);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(second)));
        _swap(1e18, route);
    }

    /// Without the bit a share fails as it did; with it any other token does, since nothing was granted.
    function test_theBitOfShares() public {
        _shares();
        bytes memory plain = bytes.concat(Routes.tokens(address(share), b), _exit(0, 0x01));
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(second)));
        _swap(1e18, plain);
        bytes memory marked = bytes.concat(Routes.tokens(a, b), _exit(Routes.ZERO_FOR_ONE, 0x01));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e18, marked);
        // A vault that takes nothing of it keeps nothing.
        Puppet evil = new Puppet();
        evil.onCall(bytes4(0x52bbbe29), abi.encode(uint256(1)));
        bytes memory step = bytes.concat(Routes.step(Routes.BALANCER_V2, Routes.ZERO_FOR_ONE, 0x01, 0, address(evil)), bytes32(0));
        tokenB.mint(address(router), 1);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
    }

    BalancerV3Model private third;
    VaultModel private wrapper;

    function _buffer(address underlying) private {
        third = new BalancerV3Model();
        third.setRate(5e17);
        _stock(address(third));
        wrapper = new VaultModel(underlying);
        tokenA.mint(address(this), 1e24);
        tokenB.mint(address(this), 1e24);
        tokenA.approve(address(wrapper), type(uint256).max);
        tokenB.approve(address(wrapper), type(uint256).max);
        wrapper.deposit(1e22, address(third));
        wrapper.deposit(1e22, USER);
        vm.prank(USER);
        wrapper.approve(address(router), type(uint256).max);
        third.sync(a);
        third.sync(b);
        third.sync(c);
        third.sync(address(wrapper));
    }

    function _wraps(uint8 flags, uint8 path) private view returns (bytes memory) {
        return bytes.concat(Routes.step(8, flags, path, 0, address(third)), bytes20(address(wrapper)));
    }

    function test_buffersWrap() public {
        _buffer(a);
        address v = address(wrapper);
        for (uint8 direct = 0; direct < 2; ++direct) {
            uint8 flags = direct == 0 ? 0 : DIRECT;
            uint256 before = wrapper.balanceOf(USER);
            eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, v), _wraps(flags, 0x01))), AMOUNT / 2, "wrapped");
            eq(wrapper.balanceOf(USER) - before, AMOUNT / 2, "received");
            eq(wrapper.balanceOf(address(router)), 0, "nothing stays");
        }
        eq(tokenA.balanceOf(USER), 1e30 - 2 * AMOUNT, "spent");
        _holdsNothing();
    }

    function test_buffersUnwrap() public {
        _buffer(b);
        address v = address(wrapper);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(v, b), _wraps(0, 0x01))), AMOUNT / 2, "unwrapped");
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(v, b), _wraps(DIRECT, 0x01))), AMOUNT / 2, "straight to the user");
        eq(wrapper.balanceOf(USER), 1e22 - 2 * AMOUNT, "spent");
        // Out of the router: wrapped, and unwrapped again into the pair behind.
        address pair = _pair(b, 1e24, c, 1e24);
        bytes memory last = Routes.v2(_way(b, c) | Routes.PREFUNDED | DIRECT, 0x34, 0, pair);
        bytes memory first = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        uint256 middle = _quotePair(pairAB, a, AMOUNT) / 2 / 2;
        uint256 wanted = _quotePair(pair, b, middle);
        bytes memory table = abi.encodePacked(uint8(5), a, b, v, b, c);
        bytes memory hops = bytes.concat(_wraps(0, 0x12), _wraps(Routes.TO_NEXT, 0x23), last);
        eq(_swap(AMOUNT, bytes.concat(table, first, hops)), wanted, "there and back");
        eq(wrapper.balanceOf(address(router)), 0, "nothing stays");
        _holdsNothing();
    }

    function test_buffersThatTakeInPart() public {
        _buffer(a);
        third.setTakes(999);
        vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(wrapper), 1e18, 999e15));
        _swap(1e18, bytes.concat(Routes.tokens(a, address(wrapper)), _wraps(DIRECT, 0x01)));
    }

    /// A wrapper of another token than the one sold: the vault's account of what was sold stays open.
    function test_buffersOfAnotherToken() public {
        _buffer(b);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "not paid first"));
        _swap(1e18, bytes.concat(Routes.tokens(a, address(wrapper)), _wraps(DIRECT, 0x01)));
    }

    /// A vault that is no vault takes what is sold to it, and nothing more; what it claims to have paid must be there.
    function test_aBufferThatOnlyTakes() public {
        Puppet evil = new Puppet();
        bytes4 unlock = 0x48c89491;
        bytes memory order = abi.encode(a, a, b, USER, address(router), uint256(1e18));
        bytes memory ask = bytes.concat(bytes4(keccak256("braidBalancerV3(bytes)")), order);
        evil.onCall(bytes4(keccak256("erc4626BufferWrapOrUnwrap((uint8,uint8,address,uint256,uint256))")), abi.encode(1, 1e18, 7e18));
        evil.onCall(bytes4(keccak256("settle(address,uint256)")), abi.encode(1e18));
        evil.onCall(unlock, abi.encode(uint256(0x20), uint256(0x20), uint256(7e18)));
        evil.thenCall(unlock, address(router), ask, true);
        evil.thenCall(unlock, address(router), ask, false);
        bytes memory step = bytes.concat(Routes.step(8, 0, 0x01, 0, address(evil)), bytes20(a));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: balance"));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
        tokenB.mint(address(router), 7e18);
        eq(_swap(1e18, bytes.concat(Routes.tokens(a, b), step)), 7e18, "no more than it was sold");
        eq(tokenA.balanceOf(USER), 1e30 - 1e18, "asked twice, paid once");
        eq(evil.failures(), 1, "the second demand is refused");
    }
}
