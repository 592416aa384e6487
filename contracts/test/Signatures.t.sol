// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../Errors.sol";
import {Routes, Terms} from "./Routes.sol";
import {vm} from "./Vm.sol";
import {World} from "./World.sol";
import {Permit2Model} from "./models/Permit2Model.sol";
import {DaiToken, PermitToken, PlainToken} from "./models/Tokens.sol";

/// Allowances by signature, and makers' orders. With PERMIT2_CODE set, against the real Permit2.
contract SignaturesTest is World {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    uint256 private constant TAKER_KEY = 0xa11ce;
    uint256 private constant MAKER_KEY = 0xb0b;
    uint256 private constant EXPIRY = 2_000_000_000;
    bytes32 private constant PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");

    address private taker;
    address private maker;
    address private b;
    PermitToken private permitToken;

    function setUp() public override {
        super.setUp();
        vm.warp(1_900_000_000);
        b = address(tokenB);
        (taker, maker) = (vm.addr(TAKER_KEY), vm.addr(MAKER_KEY));
        string memory real = vm.envOr("PERMIT2_CODE", string(""));
        vm.etch(PERMIT2, bytes(real).length > 0 ? vm.parseBytes(real) : type(Permit2Model).runtimeCode);
        permitToken = new PermitToken();
        permitToken.mint(taker, 1e24);
        tokenA.mint(taker, 1e24);
        tokenB.mint(maker, 1e24);
        vm.prank(taker);
        tokenA.approve(PERMIT2, type(uint256).max);
        vm.prank(maker);
        tokenB.approve(PERMIT2, type(uint256).max);
    }

    function _sign(uint256 key, bytes32 domain, bytes32 hash) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, hash)));
        return abi.encodePacked(r, s, v);
    }

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
        bytes32 kind = keccak256(
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, token, amount));
        bytes32 hash = keccak256(abi.encode(kind, permissions, address(router), nonce, EXPIRY));
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

    struct Order {
        address takerToken;
        uint128 takerAmount;
        address makerToken;
        uint128 makerAmount;
        address taker;
        uint256 nonce;
    }

    function _order() private view returns (Order memory) {
        return Order(address(tokenA), 2e18, b, 3e18, address(0), 1);
    }

    function _orderSignature(Order memory order) private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,RfqOrder witness)RfqOrder(address takerToken,uint256 takerAmount,address taker)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 witness = keccak256(
            abi.encode(
                keccak256("RfqOrder(address takerToken,uint256 takerAmount,address taker)"),
                order.takerToken,
                uint256(order.takerAmount),
                order.taker
            )
        );
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, order.makerToken, uint256(order.makerAmount)));
        bytes32 hash = keccak256(abi.encode(kind, permissions, address(router), order.nonce, EXPIRY, witness));
        return _sign(MAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
    }

    function _rfq(uint8 flags, uint8 path, Order memory order, bytes memory signature)
        private
        view
        returns (bytes memory)
    {
        bytes memory head = Routes.step(15, flags, path, 0, maker);
        return
            abi.encodePacked(head, order.takerAmount, order.makerAmount, order.nonce, uint40(EXPIRY), signature);
    }

    function _fill(address who, uint256 amount, uint8 flags, Order memory order) private returns (uint256) {
        bytes memory step = _rfq(flags, 0x01, order, _orderSignature(order));
        vm.prank(who);
        return router.swap(amount, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(order.takerToken, order.makerToken), step));
    }

    function test_fuzz_ordersFillProRata(uint256 amount, bool direct) public {
        amount = within(amount, 1, 2e18);
        uint256 wanted = 3e18 * amount / 2e18;
        eq(_fill(USER, amount, direct ? Routes.TO_RECIPIENT : 0, _order()), wanted, "paid");
        eq(tokenA.balanceOf(maker), amount, "the maker is paid");
        eq(tokenB.balanceOf(maker), 1e24 - wanted, "the maker pays");
        _holdsNothing();
    }

    function test_anOrderBehindAPair() public {
        address pair = _pair(address(tokenC), 1e24, address(tokenA), 1e24);
        uint256 middle = _quotePair(pair, address(tokenC), 1e18);
        Order memory order = _order();
        bytes memory route = bytes.concat(
            Routes.tokens(address(tokenC), address(tokenA), b),
            Routes.v2(_way(address(tokenC), address(tokenA)), 0x01, 0, pair),
            _rfq(Routes.TO_RECIPIENT, 0x12, order, _orderSignature(order))
        );
        eq(_swap(1e18, route), 3e18 * middle / 2e18, "paid");
        _holdsNothing();
    }

    function test_anOrderThatNamesItsTaker() public {
        Order memory order = _order();
        order.taker = USER;
        bytes4 invalid = Permit2Model.InvalidSigner.selector;
        _refused(OTHER, Routes.ZERO_FOR_ONE, order, invalid);
        _refused(USER, 0, order, invalid);
        eq(_fill(USER, 2e18, Routes.ZERO_FOR_ONE, order), 3e18, "its taker fills it");
    }

    function _refused(address who, uint8 flags, Order memory order, bytes4 reason) private {
        tokenA.mint(who, 2e18);
        vm.prank(who);
        tokenA.approve(address(router), type(uint256).max);
        bytes memory step = _rfq(flags, 0x01, order, _orderSignature(order));
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, maker, reason));
        vm.prank(who);
        router.swap(2e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(address(tokenA), b), step));
    }

    function test_anOrderFillsOnce() public {
        _fill(USER, 1e18, 0, _order());
        _refused(USER, 0, _order(), Permit2Model.InvalidNonce.selector);
    }

    function test_anOrderThatHasExpired() public {
        vm.warp(EXPIRY + 1);
        _refused(USER, 0, _order(), Permit2Model.SignatureExpired.selector);
    }

    function test_aMakerThatCannotPay() public {
        vm.prank(maker);
        tokenB.transfer(OTHER, 1e24);
        Order memory order = _order();
        bytes memory step = _rfq(0, 0x01, order, _orderSignature(order));
        vm.expectPartialRevert(MakerRefused.selector);
        _swap(2e18, bytes.concat(Routes.tokens(address(tokenA), b), step));
    }

    function test_moreThanAnOrderTakes() public {
        Order memory order = _order();
        bytes memory step = _rfq(0, 0x01, order, _orderSignature(order));
        vm.expectRevert(abi.encodeWithSelector(Overfilled.selector, maker, 2e18 + 1, 2e18));
        _swap(2e18 + 1, bytes.concat(Routes.tokens(address(tokenA), b), step));
    }

    /// Every part of an order is under the signature: none can be changed by whoever fills it.
    function test_ordersCannotBeChanged() public {
        for (uint256 change = 0; change < 5; ++change) {
            Order memory order = _order();
            bytes memory signature = _orderSignature(order);
            if (change == 0) order.takerAmount -= 1;
            if (change == 1) order.makerAmount += 1;
            if (change == 2) order.nonce += 1;
            (address sold, address bought) = (address(tokenA), b);
            if (change == 3) sold = address(tokenC);
            if (change == 4) bought = address(tokenC);
            bytes memory step = _rfq(0, 0x01, order, signature);
            vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, maker, Permit2Model.InvalidSigner.selector));
            _swap(1e18, bytes.concat(Routes.tokens(sold, bought), step));
        }
    }
}
