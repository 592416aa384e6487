// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Puppet} from "../models/Puppet.sol";
import {ToldV4} from "../models/ToldV4.sol";

/// Answers that lack their last byte: in its place would be read whatever lay in memory. Each is refused by name, and the
/// same answer with all of its bytes is taken.
contract ShortAnswersTest is World {
    uint256 private constant AMOUNT = 1e18;
    // A multiple of 256: a zero in the place of the last byte would not change it.
    uint256 private constant PAID = 512;
    bytes4 private constant SELL_BASE = bytes4(keccak256("sellBase(address)"));
    bytes4 private constant EXCHANGE = 0x3df02124;
    bytes4 private constant GET_RESERVES = 0x0902f1ac;
    bytes4 private constant V2_SWAP = 0x022c0d9f;
    bytes4 private constant V3_SWAP = 0x128acb08;
    bytes4 private constant V3_CALLBACK = 0xfa461e33;
    bytes4 private constant APPROVE = bytes4(keccak256("approve(address,uint256)"));
    bytes4 private constant ALLOWANCE = bytes4(keccak256("allowance(address,address)"));
    bytes4 private constant BALANCE = bytes4(keccak256("balanceOf(address)"));
    bytes4 private constant TRANSFER = bytes4(keccak256("transfer(address,uint256)"));
    bytes4 private constant TRANSFER_FROM = bytes4(keccak256("transferFrom(address,address,uint256)"));

    address private a;
    address private b;
    Puppet private pool;

    function setUp() public override {
        super.setUp();
        (a, b) = (address(tokenA), address(tokenB));
        pool = new Puppet();
        tokenB.mint(address(pool), 1e24);
    }

    /// All but the last byte, in the same place.
    function _short(bytes memory all) private pure returns (bytes memory) {
        assembly ("memory-safe") {
            mstore(all, sub(mload(all), 1))
        }
        return all;
    }

    /// On this call the pool pays the router and gives this answer.
    function _pays(bytes4 call, uint256 amount, bytes memory answer) private {
        pool.onCall(call, answer);
        pool.thenCall(call, b, abi.encodeCall(PlainToken.transfer, (address(router), amount)), true);
    }

    function _refused(bytes memory route, bytes memory reason) private {
        vm.expectRevert(reason);
        _swap(AMOUNT, route);
    }

    function _badAnswer(address who) private pure returns (bytes memory) {
        return abi.encodeWithSelector(BadAnswer.selector, who);
    }

    function test_reservesOfAPair() public {
        uint256 out = AMOUNT * 997 * 1e24 / (1e27 + AMOUNT * 997);
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v2(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)));
        _pays(V2_SWAP, out, "");
        pool.onCall(GET_RESERVES, abi.encode(1e24, 1e24));
        eq(_swap(AMOUNT, route), out, "two words");
        pool.onCall(GET_RESERVES, _short(abi.encode(1e24, 1e24)));
        _refused(route, _badAnswer(address(pool)));
    }

    /// The pool takes what it is sold, and pays what it says.
    function test_amountsOfAV3Pool() public {
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)));
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(AMOUNT), -int256(1), abi.encode(a, USER));
        bytes memory answer = abi.encode(int256(AMOUNT), -int256(PAID));
        _pays(V3_SWAP, PAID, answer);
        pool.thenCall(V3_SWAP, address(router), ask, true);
        eq(_swap(AMOUNT, route), PAID, "two words");
        _pays(V3_SWAP, PAID, _short(answer));
        pool.thenCall(V3_SWAP, address(router), ask, true);
        _refused(route, _badAnswer(address(pool)));
    }

    function test_aBalance() public {
        Puppet token = new Puppet();
        token.onCall(TRANSFER, abi.encode(true));
        pool.onCall(SELL_BASE, abi.encode(PAID));
        bytes memory step = Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(pool));
        bytes memory route = bytes.concat(Routes.tokens(a, address(token)), step);
        token.onCall(BALANCE, abi.encode(PAID));
        _refused(route, abi.encodeWithSignature("Error(string)", "min return not reached"));
        token.onCall(BALANCE, _short(abi.encode(PAID)));
        _refused(route, _badAnswer(address(token)));
    }

    /// A token that can be sold to a pool which pulls it. Its `true` to the transfer is what an approval that is cut short
    /// finds in memory.
    function _pulled() private returns (Puppet token, bytes memory route) {
        token = new Puppet();
        token.onCall(TRANSFER_FROM, abi.encode(true));
        token.onCall(APPROVE, abi.encode(true));
        token.onCall(ALLOWANCE, abi.encode(0));
        _pays(EXCHANGE, PAID, "");
        bytes memory step = bytes.concat(Routes.step(Routes.CURVE, 0, 0x01, 0, address(pool)), hex"000100");
        route = bytes.concat(Routes.tokens(address(token), b), step);
        eq(_swap(AMOUNT, route), PAID, "the token is sold");
    }

    function test_anApproval() public {
        (Puppet token, bytes memory route) = _pulled();
        bytes memory reason =
            abi.encodeWithSelector(TransferFailed.selector, address(token), address(pool), AMOUNT);
        token.onCall(APPROVE, new bytes(31));
        _refused(route, reason);
        token.onCall(APPROVE, abi.encode(false));
        _refused(route, reason);
        token.onCall(APPROVE, "");
        eq(_swap(AMOUNT, route), PAID, "no answer at all is a habit of tokens");
    }

    function test_anAllowance() public {
        (Puppet token, bytes memory route) = _pulled();
        token.onCall(ALLOWANCE, new bytes(31));
        _refused(route, _badAnswer(address(token)));
    }

    /// The last byte of this token's address is what lies in memory when it answers the router's transfer to a v3 pool: with
    /// 31 zeros ahead of it, it reads as `true`.
    function test_aTransferThatAV3PoolAsksFor() public {
        address token = address(0xdead01);
        vm.etch(token, address(pool).code);
        pool.onCall(SELL_BASE, abi.encode(AMOUNT));
        _pays(V3_SWAP, PAID, abi.encode(int256(AMOUNT), -int256(PAID)));
        bytes memory words = abi.encode(token, address(router));
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(AMOUNT), -int256(PAID), words);
        pool.thenCall(V3_SWAP, address(router), ask, true);
        bytes memory route = bytes.concat(
            Routes.tokens(a, token, b),
            Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)),
            Routes.v3(Routes.ZERO_FOR_ONE, 0x12, 0, address(pool))
        );
        Puppet(payable(token)).onCall(TRANSFER, abi.encode(true));
        eq(_swap(AMOUNT, route), PAID, "a plain true");
        Puppet(payable(token)).onCall(TRANSFER, new bytes(31));
        _refused(route, abi.encodeWithSelector(TransferFailed.selector, token, address(pool), AMOUNT));
    }

    function _managed() private returns (ToldV4 manager, bytes memory route) {
        manager = new ToldV4(AMOUNT, PAID);
        tokenB.mint(address(manager), 1e24);
        bytes memory head = Routes.step(Routes.V4, Routes.ZERO_FOR_ONE, 0x01, 0, address(manager));
        route = bytes.concat(Routes.tokens(a, b), head, new bytes(26));
        eq(_swap(AMOUNT, route), PAID, "all of its bytes");
    }

    /// What the manager says of a swap is then nothing: it has taken nothing.
    function test_whatAV4ManagerSaysOfASwap() public {
        (ToldV4 manager, bytes memory route) = _managed();
        manager.shorten(0xf3cd914c);
        _refused(route, abi.encodeWithSelector(PartialFill.selector, address(manager), AMOUNT, 0));
    }

    /// What the unlock answers is then nothing: no register gets anything.
    function test_whatAV4ManagerAnswersAtLast() public {
        (ToldV4 manager, bytes memory route) = _managed();
        manager.shorten(0x48c89491);
        _refused(route, abi.encodeWithSignature("Error(string)", "min return not reached"));
    }
}
