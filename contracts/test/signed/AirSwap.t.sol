// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {Puppet} from "../models/Puppet.sol";

interface ISettler {
    error OrderExpired();
    error SignatureInvalid();
    error NonceAlreadyUsed(uint256 nonce);

    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function setProtocolFee(uint256 bps) external;
}

/// AirSwap's orders, settled by the bytecode of its own package.
contract AirSwapTest is World {
    struct Order {
        address signerToken;
        uint128 signerAmount;
        address sender;
        address senderToken;
        uint128 senderAmount;
        uint256 nonce;
        uint256 feeBps;
    }

    uint256 private constant MAKER_KEY = 0xb0b;
    uint256 private constant EXPIRY = 2_000_000_000;
    uint256 private constant FEE_BPS = 7;
    bytes4 private constant SWAP = bytes4(
        keccak256(
            "swap(address,uint256,uint256,address,address,uint256,address,uint256,uint8,bytes32,bytes32)"
        )
    );

    address private a;
    address private b;
    address private c;
    address private maker;
    ISettler private settler;

    function setUp() public override {
        super.setUp();
        vm.warp(1_900_000_000);
        (a, b, c, maker) = (address(tokenA), address(tokenB), address(tokenC), vm.addr(MAKER_KEY));
        bytes memory code = _code(
            "../node_modules/@airswap/swap-erc20/build/contracts/SwapERC20.sol/SwapERC20.json", ".bytecode"
        );
        settler = ISettler(_create(bytes.concat(code, abi.encode(FEE_BPS, FEE_BPS, FEES, 10, 100))));
        tokenB.mint(maker, 1e24);
        vm.prank(maker);
        tokenB.approve(address(settler), type(uint256).max);
    }

    function _order() private view returns (Order memory) {
        return Order(b, 3e18, address(router), a, 2e18, 1, FEE_BPS);
    }

    function _signature(Order memory order) private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "OrderERC20(uint256 nonce,uint256 expiry,address signerWallet,address signerToken,uint256 signerAmount,uint256 protocolFee,address senderWallet,address senderToken,uint256 senderAmount)"
        );
        bytes32 signer = keccak256(
            abi.encode(
                kind,
                order.nonce,
                EXPIRY,
                maker,
                order.signerToken,
                uint256(order.signerAmount),
                order.feeBps,
                order.sender,
                order.senderToken,
                uint256(order.senderAmount)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", settler.DOMAIN_SEPARATOR(), signer));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(MAKER_KEY, digest);
        return abi.encodePacked(r, s, v);
    }

    function _step(uint8 flags, uint8 path, uint32 share, Order memory order, bytes memory signature)
        private
        view
        returns (bytes memory)
    {
        bytes memory head = Routes.step(19, flags, path, share, address(settler));
        bytes memory amounts = abi.encodePacked(order.senderAmount, order.signerAmount);
        return abi.encodePacked(head, maker, amounts, order.nonce, uint40(EXPIRY), signature);
    }

    function _step(uint8 flags, uint8 path, Order memory order) private view returns (bytes memory) {
        return _step(flags, path, 0, order, _signature(order));
    }

    function _settled(uint256 paid) private view {
        eq(tokenA.balanceOf(maker), paid, "the maker is paid");
        eq(tokenB.balanceOf(maker), 1e24 - 3e18 - 3e18 * FEE_BPS / 10_000, "the maker pays, and AirSwap's fee on top");
        eq(tokenA.allowance(address(router), address(settler)), 0, "no allowance is left");
        _holdsNothing();
    }

    function test_anOrderIsFilledWhole() public {
        for (uint256 index = 0; index < 2; ++index) {
            uint256 state = vm.snapshotState();
            bytes memory step = _step(index == 0 ? 0 : Routes.TO_RECIPIENT, 0x01, _order());
            eq(_swap(2e18, bytes.concat(Routes.tokens(a, b), step)), 3e18, "paid");
            eq(tokenA.balanceOf(USER), 1e30 - 2e18, "spent");
            eq(tokenB.balanceOf(USER), 1e30 + 3e18, "received");
            _settled(2e18);
            vm.revertToState(state);
        }
    }

    function test_anOrderPaysTheNextPair() public {
        address pair = _pair(b, 1e24, c, 1e24);
        bytes memory step = _step(Routes.TO_NEXT, 0x01, _order());
        bytes memory last = Routes.v2(_way(b, c) | Routes.PREFUNDED | Routes.TO_RECIPIENT, 0x12, 0, pair);
        uint256 wanted = _quotePair(pair, b, 3e18);
        eq(_swap(2e18, bytes.concat(Routes.tokens(a, b, c), step, last)), wanted, "paid");
        _settled(2e18);
    }

    /// A maker is asked for exactly what a share of the amount comes to; the rest goes elsewhere.
    function test_anOrderForAShareOfTheAmount() public {
        address pair = _pair(a, 1e24, b, 1e24);
        Order memory order = _order();
        uint32 share = 0x31415926;
        order.senderAmount = uint128(5e18 * uint256(share) >> 32);
        uint256 rest = 5e18 - order.senderAmount;
        uint256 wanted = 3e18 + _quotePair(pair, a, rest);
        bytes memory step = _step(0, 0x01, share, order, _signature(order));
        bytes memory swap = Routes.v2(_way(a, b), 0x01, 0, pair);
        eq(_swap(5e18, bytes.concat(Routes.tokens(a, b), step, swap)), wanted, "paid");
        _settled(order.senderAmount);
    }

    /// Wrapping is one to one, so an amount that was exact before is exact behind it.
    function test_anOrderBehindTheWrappedCoin() public {
        Order memory order = _order();
        order.senderToken = address(wrapped);
        bytes memory wrap = Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, address(wrapped));
        bytes memory route =
            bytes.concat(Routes.tokens(NATIVE, address(wrapped), b), wrap, _step(0, 0x12, order));
        vm.prank(USER);
        eq(router.swap{value: 2e18}(2e18, 1, address(0), Terms.PLAIN, route), 3e18, "paid");
        eq(wrapped.balanceOf(maker), 2e18, "the maker is paid");
        _settled(0);
    }

    function _refused(uint256 amount, Order memory order, bytes memory signature, bytes memory reason) private {
        bytes memory step = _step(0, 0x01, 0, order, signature);
        vm.expectRevert(reason);
        _swap(amount, bytes.concat(Routes.tokens(a, order.signerToken), step));
    }

    function _makerRefused(bytes4 reason) private view returns (bytes memory) {
        return abi.encodeWithSelector(MakerRefused.selector, maker, reason);
    }

    /// Less, more, and nothing at all: the order stays open for its own amount.
    function test_anotherAmountThanTheOrders() public {
        Order memory order = _order();
        uint256[3] memory amounts = [uint256(2e18 - 1), 2e18 + 1, 0];
        for (uint256 index = 0; index < 3; ++index) {
            bytes memory reason = abi.encodeWithSelector(BadFill.selector, maker, amounts[index], 2e18);
            _refused(amounts[index], order, _signature(order), reason);
        }
        eq(_swap(2e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, order))), 3e18, "still open");
    }

    /// An order that gives its tokens away is not used up by who sells nothing, either.
    function test_anOrderThatWantsNothing() public {
        Order memory order = _order();
        order.senderAmount = 0;
        _refused(0, order, _signature(order), abi.encodeWithSelector(BadFill.selector, maker, 0, 0));
    }

    /// Every part of an order is under the signature: none can be changed by whoever fills it.
    function test_ordersCannotBeChanged() public {
        tokenC.mint(maker, 1e24);
        vm.prank(maker);
        tokenC.approve(address(settler), type(uint256).max);
        for (uint256 change = 0; change < 6; ++change) {
            Order memory order = _order();
            if (change == 5) order.sender = USER;
            bytes memory signature = _signature(order);
            if (change == 0) order.senderAmount -= 1;
            if (change == 1) order.signerAmount += 1;
            if (change == 2) order.nonce += 1;
            if (change == 3) order.signerToken = c;
            if (change == 4) signature[7] ^= 0x01;
            _refused(order.senderAmount, order, signature, _makerRefused(ISettler.SignatureInvalid.selector));
        }
    }

    function test_anOrderOfAnotherToken() public {
        Order memory order = _order();
        order.senderToken = c;
        _refused(2e18, order, _signature(order), _makerRefused(ISettler.SignatureInvalid.selector));
    }

    function test_anOrderThatHasExpired() public {
        vm.warp(EXPIRY);
        _refused(2e18, _order(), _signature(_order()), _makerRefused(ISettler.OrderExpired.selector));
    }

    function test_aMakerThatCannotPay() public {
        vm.prank(maker);
        tokenB.transfer(OTHER, 1e24);
        bytes4 failed = bytes4(keccak256("TransferFromFailed()"));
        _refused(2e18, _order(), _signature(_order()), _makerRefused(failed));
        eq(tokenA.balanceOf(USER), 1e30, "nothing lost");
    }

    /// AirSwap's fee is part of what the maker signs: a change of it ends every open order.
    function test_aFeeThatHasChangedSince() public {
        settler.setProtocolFee(FEE_BPS + 1);
        _refused(2e18, _order(), _signature(_order()), _makerRefused(ISettler.SignatureInvalid.selector));
    }

    /// The limit of orders that name the router alone as their sender: whoever has seen one can fill it first, at its
    /// price. The taker that it was meant for loses nothing but its gas.
    function test_anOrderIsOpenToWhoeverHasSeenIt() public {
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(0, 0x01, _order()));
        tokenA.mint(OTHER, 2e18);
        vm.startPrank(OTHER);
        tokenA.approve(address(router), 2e18);
        eq(router.swap(2e18, 3e18, address(0), Terms.PLAIN, route), 3e18, "filled by another");
        vm.stopPrank();
        vm.expectRevert(_makerRefused(ISettler.NonceAlreadyUsed.selector));
        _swap(2e18, route);
        eq(tokenA.balanceOf(USER), 1e30, "the taker keeps all");
        _settled(2e18);
    }

    /// A contract in the settler's place can have what is sold to it; the minimum judges what it pays.
    function test_aHostileSettler() public {
        Puppet evil = new Puppet();
        evil.onCall(SWAP, "");
        Order memory order = _order();
        bytes memory step = _step(0, 0x01, order);
        bytes20 there = bytes20(address(evil));
        for (uint256 index = 0; index < 20; ++index) {
            step[8 + index] = there[index];
        }
        bytes memory route = bytes.concat(Routes.tokens(a, b), step);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        _swap(2e18, route);
        bytes memory take =
            abi.encodeWithSignature("transferFrom(address,address,uint256)", router, evil, uint256(2e18));
        evil.thenCall(SWAP, a, take, true);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: balance"));
        _swap(2e18, route);
        bytes memory more =
            abi.encodeWithSignature("transferFrom(address,address,uint256)", USER, evil, uint256(1));
        evil.thenCall(SWAP, a, more, true);
        vm.expectRevert(_makerRefused(bytes4(keccak256("Error(string)"))));
        _swap(2e18, route);
        eq(tokenA.balanceOf(USER), 1e30, "nothing lost");
    }
}
