// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter, World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";

/// A debt of one design must not be payable as another's: both are hashes over words, and the same words read in another
/// order name other tokens, payers and amounts. The hostile pool asks by the wrong callback, in the right words.
contract ConfusionTest is World {
    address private constant THIEF = address(0xbad);
    // A multiple of 2^48, since it also stands where v4's hooks are.
    uint256 private constant LOOT = 3e9 << 48;
    bytes4 private constant UNLOCK = 0x48c89491;
    bytes4 private constant V3_SWAP = 0x128acb08;
    bytes4 private constant V4_SWAP = 0xf3cd914c;
    bytes4 private constant INFINITY_SWAP = 0xcd0cc1ce;
    bytes4 private constant VAULT_SWAP = 0x2bfb780c;
    bytes4 private constant VAULT_SETTLE = bytes4(keccak256("settle(address,uint256)"));
    bytes4 private constant VAULT_CALLBACK = bytes4(keccak256("braidBalancerV3(bytes)"));
    bytes4 private constant EKUBO_LOCK = 0xf83d08ba;
    // Of Ekubo's callback and of its swap.
    bytes4 private constant EKUBO_NAMELESS = 0;
    uint256 private constant HALF_SOLD = 5e17;

    Puppet private evil;
    address private bait;
    address private pair;

    function setUp() public override {
        super.setUp();
        evil = new Puppet();
        PlainToken token = new PlainToken();
        bait = address(token);
        token.mint(THIEF, 1e24);
        vm.prank(THIEF);
        token.approve(address(router), type(uint256).max);
        pair = _pair(bait, 1e24, address(tokenB), 1e24);
    }

    function _ask(bytes4 when, bytes memory data) private {
        evil.thenCall(when, address(router), data, false);
    }

    /// The hostile step sells half of the bait; a permit that does nothing lends its target to the hostile step; an
    /// honest pair sells the rest, so that the swap pays what it must.
    function _steal(address middle, bytes memory step, address lent) private {
        bytes memory permit = bytes.concat(Routes.step(17, 0, 0x01, 0, lent), new bytes(102));
        bytes memory rest = Routes.v2(_way(bait, address(tokenB)), 0x02, 0, pair);
        bytes memory route = bytes.concat(Routes.tokens(bait, middle, address(tokenB)), step, permit, rest);
        vm.prank(THIEF);
        (bool done,) = address(router).call{gas: 10_000_000}(
            abi.encodeCall(IRouter.swap, (2 * HALF_SOLD, 1, address(0), Terms.PLAIN, route))
        );
        eq(tokenA.balanceOf(USER), 1e30, "the victim keeps all");
        eq(evil.failures(), done ? 1 : 0, "the demand is refused");
        eq(tokenA.balanceOf(address(evil)), 0, "the pool gets nothing");
        if (done) eq(uint32(bytes4(evil.lastFailure())), uint32(CallbackRefused.selector), "as no debt");
    }

    /// The Vault's (pool, sold, bought, payer, receiver, amount) read as v4's (sold, bought, payer, receiver, amount,
    /// key): the token bought would be the payer, the next step's target the amount.
    function test_aVaultsDebtAskedAsAManagers() public {
        address amount = address(uint160(LOOT));
        evil.onCall(UNLOCK, abi.encode(abi.encode(uint256(0))));
        evil.onCall(V4_SWAP, abi.encode((uint256(1) << 128) | uint128(uint256(-int256(LOOT)))));
        bytes memory words = abi.encode(address(tokenA), bait, USER, THIEF, amount, HALF_SOLD);
        _ask(UNLOCK, abi.encodeWithSignature("unlockCallback(bytes)", words));
        bytes memory head = Routes.step(8, Routes.TO_NEXT, 0x01, Routes.HALF, address(evil));
        _steal(USER, bytes.concat(head, bytes20(address(tokenA))), amount);
    }

    /// v4's words read as the Vault's: the receiver would be the payer, the pool's key the amount.
    function test_aManagersDebtAskedAsAVaults() public {
        evil.onCall(UNLOCK, "");
        evil.onCall(VAULT_SWAP, abi.encode(uint256(0), LOOT, uint256(1)));
        evil.onCall(VAULT_SETTLE, abi.encode(LOOT));
        bytes memory words = abi.encode(bait, address(tokenA), THIEF, USER, HALF_SOLD, LOOT);
        _ask(UNLOCK, bytes.concat(VAULT_CALLBACK, words));
        bytes memory head = Routes.step(Routes.V4, Routes.TO_NEXT, 0x01, Routes.HALF, address(evil));
        bytes memory key = bytes.concat(bytes6(0), bytes20(address(uint160(LOOT >> 48))));
        _steal(address(tokenA), bytes.concat(head, key), USER);
    }

    /// Ekubo's (sold, bought, payer, receiver, amount, config) read as the Vault's: the receiver would be the payer, the
    /// pool's config the amount. As many words, and the core in the Vault's place: only the last word differs.
    function test_aCoresDebtAskedAsAVaults() public {
        evil.onCall(EKUBO_LOCK, abi.encode(uint256(0)));
        evil.onCall(VAULT_SWAP, abi.encode(uint256(0), LOOT, uint256(1)));
        evil.onCall(VAULT_SETTLE, abi.encode(LOOT));
        bytes memory words = abi.encode(bait, address(tokenA), THIEF, USER, HALF_SOLD, LOOT);
        _ask(EKUBO_LOCK, bytes.concat(VAULT_CALLBACK, words));
        bytes memory head = Routes.step(21, Routes.TO_NEXT, 0x01, Routes.HALF, address(evil));
        _steal(address(tokenA), bytes.concat(head, bytes32(LOOT)), USER);
    }

    /// The Vault's words read as Ekubo's: the token bought would be the payer, the next step's target the amount.
    function test_aVaultsDebtAskedAsACores() public {
        address amount = address(uint160(LOOT));
        evil.onCall(UNLOCK, abi.encode(abi.encode(uint256(0))));
        // What is sold is positive, in the place of its token; what is bought is -1.
        uint256 sale = address(tokenA) < bait ? LOOT << 128 | type(uint128).max : type(uint256).max << 128 | LOOT;
        evil.onCall(EKUBO_NAMELESS, abi.encode(sale));
        bytes memory words = abi.encode(address(tokenA), bait, USER, THIEF, amount, HALF_SOLD);
        _ask(UNLOCK, bytes.concat(EKUBO_NAMELESS, bytes32(0), words));
        bytes memory head = Routes.step(8, Routes.TO_NEXT, 0x01, Routes.HALF, address(evil));
        _steal(USER, bytes.concat(head, bytes20(address(tokenA))), amount);
    }

    /// A v4 step's debt has a pool's key for its last word but one, of which the route chooses all but the low 48 bits: at a
    /// manager whose address ends with as many ones, it is the inverted manager, as in the debt of a run of steps. Read as
    /// one, the token sold is the payer, and what the demand has behind the payload says which token and how much.
    function test_aManagersDebtAskedAsARunOfSteps() public {
        address manager = address(uint160(0xeeee << 48 | type(uint48).max));
        vm.etch(manager, address(evil).code);
        evil = Puppet(payable(manager));
        bytes memory payload = abi.encode(USER, tokenB, THIEF, address(1), LOOT);
        bytes memory behind = abi.encode(uint256(0), uint256(0), LOOT, uint256(0));
        bytes memory demand = abi.encodePacked(
            bytes4(0x91dd7346), uint256(0x20), payload.length, payload, behind, tokenA, tokenB
        );
        evil.onCall(UNLOCK, "");
        evil.thenCall(UNLOCK, address(router), demand, true);
        bytes memory step = bytes.concat(
            Routes.step(Routes.V4, Routes.TO_RECIPIENT, 0x01, 0, manager), bytes26(~bytes32(uint256(uint160(manager))))
        );
        vm.prank(THIEF);
        (bool done, bytes memory answer) = address(router).call{gas: 10_000_000}(
            abi.encodeCall(
                IRouter.swap,
                (LOOT, 1, address(1), Terms.PLAIN, bytes.concat(Routes.tokens(USER, address(tokenB)), step))
            )
        );
        yes(!done, "the demand fails");
        eq(uint32(bytes4(answer)), uint32(CallbackRefused.selector), "as no debt");
    }

    /// A manager that answers without asking for what was sold to it.
    function test_aManagerThatNeverAsks() public {
        evil.onCall(UNLOCK, abi.encode(uint256(0x20), uint256(0x20), uint256(1)));
        tokenB.mint(address(router), 1);
        bytes memory step = bytes.concat(Routes.step(Routes.V4, 0, 0x01, 0, address(evil)), new bytes(26));
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        vm.prank(THIEF);
        router.swap(1e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(bait, address(tokenB)), step));
    }

    /// A vault that answers without having pulled its deposit: its allowance must not outlive the step.
    function test_aVaultThatNeverPulls() public {
        evil.onCall(bytes4(keccak256("deposit(uint256,address)")), abi.encode(uint256(1)));
        bytes memory step = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, address(evil)), hex"00");
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        vm.prank(THIEF);
        router.swap(1e18, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(bait, address(evil)), step));
    }

    /// A v3 pool's (token, payer, amount) read as a payload of v4 steps.
    function test_aPoolsDebtAskedAsARunOfSteps() public {
        evil.onCall(V3_SWAP, abi.encode(-int256(1), -int256(1)));
        tokenB.mint(address(router), 1);
        _ask(V3_SWAP, abi.encodeWithSignature("unlockCallback(bytes)", abi.encode(bait, THIEF, HALF_SOLD)));
        bytes memory honest = abi.encode(bait, THIEF);
        _ask(V3_SWAP, abi.encodeWithSelector(bytes4(0xfa461e33), HALF_SOLD, -int256(1), honest));
        _steal(address(tokenA), Routes.v3(0, 0x02, Routes.HALF, address(evil)), address(0));
        eq(evil.failures(), 1, "refused, and paid when asked rightly");
    }

    /// A v3 pool's debt has the amount for its last word, and an amount of a hostile token can be any word: the inverted
    /// pool, say, with which the debt of a run of v4 steps ends. Read so, the token would be the payer.
    function test_aHugeAmountAskedAsARunOfSteps() public {
        address token = address(new Puppet());
        _askForHuge(token, abi.encode(token, THIEF));
        _askForHuge(token, abi.encode(token, THIEF, address(evil)));
    }

    /// The same words as a payload of PancakeSwap Infinity's, whose debt ends with the inverted Vault: too short to be one,
    /// whatever follows them.
    function test_aHugeAmountAskedAsAnInfinityVault() public {
        address token = address(new Puppet());
        evil.onCall(INFINITY_SWAP, abi.encode((uint256(1) << 128) | uint128(uint256(-int256(LOOT)))));
        bytes memory words = abi.encode(token, THIEF, address(evil));
        bytes memory behind = abi.encode(THIEF, LOOT, address(evil), uint256(0));
        _demandHuge(token, abi.encodePacked(bytes4(0xab6291fe), uint256(0x20), words.length, words, behind));
    }

    function _askForHuge(address token, bytes memory words) private {
        _demandHuge(token, abi.encodeWithSignature("unlockCallback(bytes)", words));
    }

    function _demandHuge(address token, bytes memory demand) private {
        evil.onCall(V3_SWAP, abi.encode(-int256(1), -int256(1)));
        evil.thenCall(V3_SWAP, address(router), demand, true);
        bytes memory step = Routes.v3(0, 0x01, 0, address(evil));
        vm.prank(THIEF);
        (bool done, bytes memory answer) = address(router).call{gas: 10_000_000}(
            abi.encodeCall(
                IRouter.swap,
                (
                    ~uint256(uint160(address(evil))),
                    1,
                    address(0),
                    Terms.PLAIN,
                    bytes.concat(Routes.tokens(token, address(tokenB)), step)
                )
            )
        );
        yes(!done, "the demand fails");
        eq(uint32(bytes4(answer)), uint32(CallbackRefused.selector), "as no debt");
    }
}
