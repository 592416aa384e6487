// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {RealPermit2} from "../real/RealPermit2.t.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {SignedWorld} from "../world/SignedWorld.sol";
import {vm} from "../world/Vm.sol";
import {HostileWallet, MakerWallet} from "../models/MakerWallets.sol";
import {Permit2Model} from "../models/Permit2Model.sol";

/// Makers that are contracts, whose signatures Permit2 has them judge themselves (EIP-1271): Permit2's own code.
contract ContractMakersTest is SignedWorld {
    uint128 private constant TAKER_AMOUNT = 2e18;
    uint128 private constant MAKER_AMOUNT = 3e18;
    uint256 private constant NONCE = 1;
    uint256 private constant ENOUGH_GAS = 3_000_000;

    function setUp() public override {
        super.setUp();
        RealPermit2.place();
    }

    function _signature() private view returns (bytes memory) {
        bytes32 kind = keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,RfqOrder witness)RfqOrder(address takerToken,uint256 takerAmount,address taker)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 witness = keccak256(
            abi.encode(
                keccak256("RfqOrder(address takerToken,uint256 takerAmount,address taker)"),
                address(tokenA),
                uint256(TAKER_AMOUNT),
                address(0)
            )
        );
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, b, uint256(MAKER_AMOUNT)));
        bytes32 hash = keccak256(abi.encode(kind, permissions, address(router), NONCE, EXPIRY, witness));
        return _sign(MAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
    }

    function _step(address wallet, uint128 makerAmount, uint32 share) private view returns (bytes memory) {
        bytes memory head = Routes.step(15, 0, 0x01, share, wallet);
        return abi.encodePacked(head, TAKER_AMOUNT, makerAmount, NONCE, uint40(EXPIRY), _signature());
    }

    function _wallet() private returns (MakerWallet wallet) {
        wallet = new MakerWallet(maker);
        tokenB.mint(address(wallet), 1e24);
        wallet.approve(tokenB, PERMIT2, type(uint256).max);
    }

    function _hostile(HostileWallet.Habit habit) private returns (HostileWallet wallet) {
        wallet = new HostileWallet(habit, PERMIT2, address(router), tokenA, USER);
        if (habit == HostileWallet.Habit.AgreesAndPaysNothing) return wallet;
        tokenB.mint(address(wallet), 1e24);
        wallet.approve(tokenB, PERMIT2, type(uint256).max);
    }

    function test_fuzz_aWalletsOrderFillsProRata(uint256 amount) public {
        amount = within(amount, 1, TAKER_AMOUNT);
        MakerWallet wallet = _wallet();
        uint256 wanted = MAKER_AMOUNT * amount / TAKER_AMOUNT;
        bytes memory route = bytes.concat(Routes.tokens(address(tokenA), b), _step(address(wallet), MAKER_AMOUNT, Routes.ALL));
        eq(_swap(amount, route), wanted, "paid");
        eq(tokenA.balanceOf(address(wallet)), amount, "the wallet is paid");
        eq(tokenB.balanceOf(address(wallet)), 1e24 - wanted, "the wallet pays");
        _holdsNothing();
    }

    function test_aWalletsOrderCannotBeChangedNorFilledTwice() public {
        MakerWallet wallet = _wallet();
        bytes memory table = Routes.tokens(address(tokenA), b);
        bytes memory changed = bytes.concat(table, _step(address(wallet), MAKER_AMOUNT + 1, Routes.ALL));
        bytes memory route = bytes.concat(table, _step(address(wallet), MAKER_AMOUNT, Routes.ALL));
        // What a wallet answers with when its owner did not sign is Permit2's InvalidContractSignature.
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, address(wallet), bytes4(0xb0669cbc)));
        _swap(1e18, changed);
        _swap(1e18, route);
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, address(wallet), Permit2Model.InvalidNonce.selector));
        _swap(1e18, route);
    }

    /// A maker that cannot pay, that disagrees, or that agrees until it is filled: the swap is undone, whatever else is
    /// in it, so the taker loses nothing but gas. Half of it goes through a pair, which alone would satisfy the minimum.
    function test_aHostileWalletTakesNothing() public {
        address pair = _pair(address(tokenA), 1e24, b, 1e24);
        for (uint8 habit = 0; habit <= uint8(type(HostileWallet.Habit).max); ++habit) {
            HostileWallet.Habit kind = HostileWallet.Habit(habit);
            bool pays = kind == HostileWallet.Habit.SwapsMeanwhile || kind == HostileWallet.Habit.TakesMeanwhile
                || kind == HostileWallet.Habit.AnswersMuch;
            HostileWallet wallet = _hostile(kind);
            (uint256 sold, uint256 bought) = (tokenA.balanceOf(USER), tokenB.balanceOf(USER));
            bytes memory route = bytes.concat(
                Routes.tokens(address(tokenA), b),
                _step(address(wallet), MAKER_AMOUNT, Routes.HALF),
                Routes.v2(_way(address(tokenA), b), 0x01, Routes.ALL, pair)
            );
            uint256 ofPair = _quotePair(pair, address(tokenA), 1e18);
            bytes memory data = abi.encodeCall(router.swap, (2e18, 1, address(0), Terms.PLAIN, route));
            vm.prank(USER);
            (bool done, bytes memory reason) = address(router).call{gas: ENOUGH_GAS}(data);
            yes(done == pays, "filled by those alone that pay");
            yes(pays || bytes4(reason) == MakerRefused.selector, "undone by the refusal, not by what it leads to");
            uint256 got = pays ? ofPair + MAKER_AMOUNT / 2 : 0;
            eq(tokenB.balanceOf(USER), bought + got, "the taker gets all of it or nothing");
            eq(tokenA.balanceOf(USER), sold - (pays ? 2e18 : 0), "the taker pays for all of it or nothing");
            eq(tokenA.balanceOf(address(wallet)), pays ? 1e18 : 0, "the wallet takes what it has paid for");
            _holdsNothing();
        }
    }
}
