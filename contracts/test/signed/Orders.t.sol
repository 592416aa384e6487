// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {SignedWorld} from "../world/SignedWorld.sol";
import {vm} from "../world/Vm.sol";
import {Permit2Model} from "../models/Permit2Model.sol";

/// Makers' orders.
contract OrdersTest is SignedWorld {
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
        vm.expectRevert(abi.encodeWithSelector(BadFill.selector, maker, 2e18 + 1, 2e18));
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

    /// A signature for a pull is none for an order, nor the other way round: Permit2 hashes the witness's type with it.
    function test_aPullIsNoOrderAndAnOrderIsNoPull() public {
        Order memory order = _order();
        bytes memory signature = _orderSignature(order);
        bytes memory pull = abi.encodePacked(
            Routes.step(18, 0, 0x01, 0, address(0)), order.nonce, uint40(EXPIRY), signature
        );
        vm.expectRevert(abi.encodeWithSelector(Permit2Model.InvalidSigner.selector));
        vm.prank(maker);
        router.swap(3e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(b, address(tokenA)), pull));

        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, b, uint256(order.makerAmount)));
        bytes32 hash = keccak256(abi.encode(PULL, permissions, address(router), order.nonce, EXPIRY));
        bytes memory pulled = _sign(MAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
        bytes memory step = _rfq(0, 0x01, order, pulled);
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, maker, Permit2Model.InvalidSigner.selector));
        _swap(2e18, bytes.concat(Routes.tokens(address(tokenA), b), step));
    }

    /// The second fill of a split order finds its nonce used, whatever the first one left of it.
    function test_anOrderTwiceInARoute() public {
        Order memory order = _order();
        bytes memory signature = _orderSignature(order);
        bytes memory half = _rfq(0, 0x01, order, signature);
        half[4] = 0x80;
        bytes memory rest = _rfq(0, 0x01, order, signature);
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, maker, Permit2Model.InvalidNonce.selector));
        _swap(2e18, bytes.concat(Routes.tokens(address(tokenA), b), half, rest));
    }

    /// Rounding is the maker's gain: many small fills never get more than one large fill, and one that is worth less
    /// than a unit of the maker's token is refused, since it would use the order up for nothing.
    function test_aFillTooSmallForAUnit() public {
        Order memory order = _order();
        (order.takerAmount, order.makerAmount) = (3e18, 2e18);
        bytes memory step = _rfq(0, 0x01, order, _orderSignature(order));
        vm.expectRevert(abi.encodeWithSelector(BadFill.selector, maker, 1, 3e18));
        _swap(1, bytes.concat(Routes.tokens(address(tokenA), b), step));
        eq(_fill(USER, 2, 0, order), 1, "floor(4 / 3)");
        eq(tokenB.balanceOf(maker), 1e24 - 1, "no more");
    }

    /// An order of nothing takes nothing, and no division by it gets out as anything but a refusal.
    function test_anOrderOfNothing() public {
        Order memory order = _order();
        order.takerAmount = 0;
        bytes memory step = _rfq(0, 0x01, order, _orderSignature(order));
        for (uint256 amount = 0; amount < 2; ++amount) {
            vm.expectRevert(abi.encodeWithSelector(BadFill.selector, maker, amount, 0));
            _swap(amount, bytes.concat(Routes.tokens(address(tokenA), b), step));
        }
    }

    /// A rival sells nothing to an order, out of a register that is empty, beside a swap of its own that pays: the order
    /// would be used up, and whoever it was meant for could not fill it.
    function test_aFillOfNothingDoesNotUseAnOrderUp() public {
        Order memory order = _order();
        address pair = _pair(address(tokenC), 1e24, b, 1e24);
        bytes memory nothing = _rfq(0, 0x12, order, _orderSignature(order));
        bytes memory swap = Routes.v2(_way(address(tokenC), b), 0x02, 0, pair);
        tokenC.mint(OTHER, 1e18);
        vm.startPrank(OTHER);
        tokenC.approve(address(router), 1e18);
        bytes memory table = Routes.tokens(address(tokenC), address(tokenA), b);
        bytes memory data =
            abi.encodeCall(router.swap, (1e18, 1, address(0), Terms.PLAIN, bytes.concat(table, nothing, swap)));
        (bool done, bytes memory answer) = address(router).call(data);
        vm.stopPrank();
        eq(_fill(USER, 2e18, 0, order), 3e18, "the order is still open");
        yes(!done, "the rival is refused");
        bytes memory reason = abi.encodeWithSelector(BadFill.selector, maker, 0, 2e18);
        eq(uint256(keccak256(answer)), uint256(keccak256(reason)), "by name");
    }
}
