// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {MaverickV2Model} from "../models/MaverickV2.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";

/// Pools of Maverick v2: paid in advance by the user, by the router and by a pair; to the router, to the recipient and to the
/// next pool.
contract MaverickV2Test is Crossings {
    bytes4 private constant UP = hex"00000007";
    // -7
    bytes4 private constant DOWN = hex"fffffff9";
    bytes4 private constant SWAP = 0x3eece7db;
    MaverickV2Model private ab;
    MaverickV2Model private cb;

    function setUp() public override {
        super.setUp();
        (ab, cb) = (new MaverickV2Model(a, b), new MaverickV2Model(c, b));
        for (uint256 index = 0; index < 2; ++index) {
            MaverickV2Model pool = index == 0 ? ab : cb;
            _stock(address(pool));
            pool.setRate(8e17);
            pool.sync();
        }
    }

    function _step(uint8 flags, uint8 path, MaverickV2Model pool) private pure returns (bytes memory) {
        bytes4 limit = flags & Routes.ZERO_FOR_ONE == 0 ? DOWN : UP;
        return bytes.concat(Routes.step(25, flags, path, 0, address(pool)), limit);
    }

    function test_maverickV2() public {
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(_step(Routes.ZERO_FOR_ONE, 0x01, ab), out);
        _alone(_step(Routes.ZERO_FOR_ONE | DIRECT, 0x01, ab), out);
        _before(_step(Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, ab), out);
        _behind(_step(0, 0x12, cb), 8e17);
        _behind(_step(DIRECT, 0x12, cb), 8e17);
    }

    function test_maverickV2PaidByAPair() public {
        bytes memory funds = Routes.v2(_way(a, b) | Routes.TO_NEXT, 0x01, 0, pairAB);
        bytes memory last = _step(Routes.PREFUNDED | DIRECT, 0x12, cb);
        uint256 wanted = _quotePair(pairAB, a, AMOUNT) * 8e17 / 1e18;
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), funds, last)), wanted, "prefunded");
        _holdsNothing();
    }

    /// What a pool does not take of what it was sent, it sells for whoever calls it next: here for the attacker.
    function test_aMaverickV2PoolThatRunsOut() public {
        bytes memory step = bytes.concat(Routes.step(25, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), hex"00000006");
        bytes memory route = bytes.concat(Routes.tokens(a, b), step);
        bytes memory call = abi.encodeCall(router.swap, (AMOUNT, 1, address(0), Terms.PLAIN, route));
        vm.prank(USER);
        (bool done, bytes memory reason) = address(router).call(call);
        vm.prank(OTHER);
        try ab.swap(OTHER, MaverickV2Model.SwapParams(AMOUNT / 2, true, false, 7), "") {} catch {}
        eq(tokenB.balanceOf(OTHER), 0, "nothing is left to the attacker");
        yes(!done, "refused");
        bytes memory notTaken = abi.encodeWithSelector(NotTaken.selector, address(ab));
        eq(uint256(keccak256(reason)), uint256(keccak256(notTaken)), "by name");
    }

    function test_aMaverickV2PoolThatTakesAnotherAmount() public {
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(Routes.ZERO_FOR_ONE, 0x01, ab));
        ab.setTakes(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(ab)));
        _swap(1e18, route);
        ab.setTakes(1001);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "not paid"));
        _swap(1e18, route);
    }

    /// What it has paid counts only by an answer of two words.
    function test_aMaverickV2PoolThatAnswersTooLittle() public {
        bytes memory both = abi.encode(uint256(1e18), uint256(512));
        for (uint256 length = 32; length <= 64; length += length == 32 ? 31 : 1) {
            Puppet pool = new Puppet();
            tokenB.mint(address(pool), 512);
            bytes memory answer = new bytes(length);
            for (uint256 index = 0; index < length; ++index) {
                answer[index] = both[index];
            }
            pool.onCall(SWAP, answer);
            pool.thenCall(SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 512)), true);
            bytes memory step = bytes.concat(Routes.step(25, Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)), UP);
            if (length < 64) vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(pool)));
            uint256 out = _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
            if (length == 64) eq(out, 512, "all of it");
        }
    }
}
