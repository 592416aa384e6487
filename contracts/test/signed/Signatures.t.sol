// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {SignedWorld} from "../world/SignedWorld.sol";
import {vm} from "../world/Vm.sol";
import {Permit2Model} from "../models/Permit2Model.sol";
import {DaiToken, PlainToken} from "../models/Tokens.sol";

/// Allowances by signature.
contract SignaturesTest is SignedWorld {
    function _permitStep(uint8 flags, uint256 word, uint256 deadline, bytes memory signature)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(Routes.step(17, flags, 0x01, 0, address(0)), word, uint40(deadline), signature);
    }

    function _permitSignature(uint256 value, uint256 nonce) private view returns (bytes memory) {
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(kind, taker, address(router), value, nonce, EXPIRY));
        return _sign(TAKER_KEY, permitToken.DOMAIN_SEPARATOR(), hash);
    }

    function _sellBySignature(address token, bytes memory step, uint256 terms, uint256 wanted) private {
        address pair = _pair(token, 1e24, b, 1e24);
        bytes memory swap = Routes.v2(_way(token, b), 0x01, 0, pair);
        bytes memory route = bytes.concat(Routes.tokens(token, b), step, swap);
        vm.prank(taker);
        eq(router.swap(1e18, 1, address(0), terms, route), wanted, "paid");
        eq(PlainToken(token).balanceOf(taker), 1e24 - 1e18, "spent");
        eq(PlainToken(token).balanceOf(address(router)), 0, "nothing stays");
    }

    function _out(uint256 amount) private pure returns (uint256) {
        return amount * 997 * 1e24 / (1e24 * 1000 + amount * 997);
    }

    function test_eip2612() public {
        bytes memory step = _permitStep(0, 1e18, EXPIRY, _permitSignature(1e18, 0));
        _sellBySignature(address(permitToken), step, Terms.PLAIN, _out(1e18));
        eq(permitToken.allowance(taker, address(router)), 0, "no allowance is left");
    }

    function test_eip2612BeforeTheSellFee() public {
        bytes memory step = _permitStep(0, 1e18, EXPIRY, _permitSignature(1e18, 0));
        _sellBySignature(address(permitToken), step, Terms.fees(100, 0, FEES), _out(99e16));
        eq(permitToken.balanceOf(FEES), 1e16, "fee");
    }

    /// Somebody sends the permit ahead; the swap goes on with the allowance that is there.
    function test_aPermitSentAhead() public {
        bytes memory signature = _permitSignature(1e18, 0);
        (bytes32 r, bytes32 s, uint8 v) = _split(signature);
        permitToken.permit(taker, address(router), 1e18, EXPIRY, v, r, s);
        _sellBySignature(
            address(permitToken), _permitStep(0, 1e18, EXPIRY, signature), Terms.PLAIN, _out(1e18)
        );
    }

    function test_aPermitOfSomebodyElse() public {
        bytes memory signature = _permitSignature(1e18, 0);
        address pair = _pair(address(permitToken), 1e24, b, 1e24);
        bytes memory route = bytes.concat(
            Routes.tokens(address(permitToken), b),
            _permitStep(0, 1e18, EXPIRY, signature),
            Routes.v2(_way(address(permitToken), b), 0x01, 0, pair)
        );
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        vm.prank(OTHER);
        router.swap(1e18, 1, address(0), Terms.PLAIN, route);
        eq(permitToken.balanceOf(taker), 1e24, "the signer lost nothing");
    }

    function _split(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }

    function test_daiPermit() public {
        DaiToken dai = new DaiToken();
        dai.mint(taker, 1e24);
        bytes32 kind =
            keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        bytes32 hash = keccak256(abi.encode(kind, taker, address(router), 0, EXPIRY, true));
        bytes memory signature = _sign(TAKER_KEY, dai.DOMAIN_SEPARATOR(), hash);
        bytes memory step = _permitStep(Routes.ZERO_FOR_ONE, 0, EXPIRY, signature);
        _sellBySignature(address(dai), step, Terms.PLAIN, _out(1e18));
    }

    function _pullStep(uint256 nonce, uint256 deadline, bytes memory signature) private pure returns (bytes memory) {
        return abi.encodePacked(Routes.step(18, 0, 0x01, 0, address(0)), nonce, uint40(deadline), signature);
    }

    function _pullSignature(address token, uint256 amount, uint256 nonce) private view returns (bytes memory) {
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, token, amount));
        bytes32 hash = keccak256(abi.encode(PULL, permissions, address(router), nonce, EXPIRY));
        return _sign(TAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
    }

    function test_permit2() public {
        bytes memory step = _pullStep(77, EXPIRY, _pullSignature(address(tokenA), 1e18, 77));
        _sellBySignature(address(tokenA), step, Terms.PLAIN, _out(1e18));
    }

    function test_permit2BeforeBothFees() public {
        bytes memory step = _pullStep(77, EXPIRY, _pullSignature(address(tokenA), 1e18, 77));
        uint256 gross = _out(99e16);
        _sellBySignature(address(tokenA), step, Terms.fees(100, 200, FEES), gross - gross * 200 / 10_000);
        eq(tokenA.balanceOf(FEES), 1e16, "sell fee");
        eq(tokenB.balanceOf(FEES), gross * 200 / 10_000, "buy fee");
    }

    function test_permit2RefusesReplayAndOthers() public {
        address pair = _pair(address(tokenA), 1e24, b, 1e24);
        bytes memory swap = Routes.v2(_way(address(tokenA), b), 0x01, 0, pair);
        bytes memory step = _pullStep(5, EXPIRY, _pullSignature(address(tokenA), 1e18, 5));
        bytes memory route = bytes.concat(Routes.tokens(address(tokenA), b), step, swap);
        vm.expectRevert(abi.encodeWithSelector(Permit2Model.InvalidSigner.selector));
        vm.prank(OTHER);
        router.swap(1e18, 1, address(0), Terms.PLAIN, route);
        vm.prank(taker);
        router.swap(1e18, 1, address(0), Terms.PLAIN, route);
        vm.expectRevert(abi.encodeWithSelector(Permit2Model.InvalidNonce.selector));
        vm.prank(taker);
        router.swap(1e18, 1, address(0), Terms.PLAIN, route);
        eq(tokenA.balanceOf(taker), 1e24 - 1e18, "spent once");
    }

    /// Two signatures would take twice what is sold, and leave the second half in the router for anyone.
    function test_permit2PullsOnce() public {
        address pair = _pair(address(tokenA), 1e24, b, 1e24);
        bytes memory pulls = bytes.concat(
            _pullStep(1, EXPIRY, _pullSignature(address(tokenA), 1e18, 1)),
            _pullStep(2, EXPIRY, _pullSignature(address(tokenA), 1e18, 2))
        );
        bytes memory swap = Routes.v2(_way(address(tokenA), b), 0x01, 0, pair);
        bytes memory route = bytes.concat(Routes.tokens(address(tokenA), b), pulls, swap);
        vm.expectRevert(abi.encodeWithSelector(PulledTwice.selector, address(tokenA)));
        vm.prank(taker);
        router.swap(1e18, 1, address(0), Terms.PLAIN, route);
        vm.expectRevert(abi.encodeWithSelector(PulledTwice.selector, address(tokenA)));
        vm.prank(taker);
        router.swap(1e18, 1, address(0), Terms.fees(100, 0, FEES), route);
        eq(tokenA.balanceOf(taker), 1e24, "nothing taken");
    }

    /// Of a codeless token Permit2 reports success; the native coin must not pass for pulled by it.
    function test_permit2DoesNotPullTheNativeCoin() public {
        bytes memory step = _pullStep(1, EXPIRY, _pullSignature(NATIVE, 1e18, 1));
        vm.deal(taker, 1e18);
        vm.expectRevert(abi.encodeWithSelector(PulledTwice.selector, NATIVE));
        vm.prank(taker);
        router.swap{value: 1e18}(1e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(NATIVE, b), step));
    }

    function test_permitsAreForTheTokenSold() public {
        bytes memory step = _pullStep(5, EXPIRY, _pullSignature(address(tokenA), 1e18, 5));
        step[2] = bytes1(uint8(1));
        vm.expectRevert(abi.encodeWithSelector(BadRegister.selector, 1, 1, 1));
        vm.prank(taker);
        router.swap(1e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(address(tokenA), b), step));
    }
}
