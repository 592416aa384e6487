// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";

/// Fails with a reason of its own, whatever it is asked.
contract Odd {
    error Because(uint256 number, address who);

    fallback() external payable {
        revert Because(7, address(this));
    }
}

/// Answers its second transfer, and all that follow, with 31 bytes of nothing.
contract ShortToken is PlainToken {
    uint256 private transfers;

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        transfers += 1;
        super.transferFrom(from, to, amount);
        if (transfers > 1) {
            assembly {
                mstore(0x00, 0)
                return(0x00, 0x1f)
            }
        }
        return true;
    }
}

/// What a pool or a manager reverts with reaches the caller unchanged, from every call that the router makes.
contract ReasonsTest is Crossings {
    bytes4 private constant UNLOCK = bytes4(keccak256("unlock(bytes)"));
    address private odd;
    Puppet private pool;

    function setUp() public override {
        super.setUp();
        odd = address(new Odd());
        pool = new Puppet();
    }

    function _because() private view returns (bytes memory) {
        return abi.encodeWithSelector(Odd.Because.selector, 7, odd);
    }

    /// The pool fails in this call, and answers all others.
    function _failsIn(bytes4 call) private {
        pool.onCall(call, "");
        pool.thenCall(call, odd, hex"01", true);
    }

    function _passedOn(bytes memory route) private {
        vm.expectRevert(_because());
        _swap(AMOUNT, route);
    }

    function _head(uint8 kind) private view returns (bytes memory) {
        return Routes.step(kind, Routes.ZERO_FOR_ONE, 0x01, 0, address(pool));
    }

    function test_reasonsOfPools() public {
        bytes memory table = Routes.tokens(a, b);
        pool.onCall(bytes4(0x0902f1ac), abi.encode(uint256(1e24), uint256(1e24), 0));
        _failsIn(0x022c0d9f);
        _passedOn(bytes.concat(table, _head(1), bytes3(uint24(3000))));
        pool.onCall(bytes4(keccak256("getAmountOut(uint256,address)")), abi.encode(uint256(7)));
        _passedOn(bytes.concat(table, _head(2)));
        _failsIn(bytes4(keccak256("getAmountOut(uint256,address)")));
        _passedOn(bytes.concat(table, _head(2)));
        _failsIn(0x128acb08);
        _passedOn(bytes.concat(table, _head(3)));
        _failsIn(0x52bbbe29);
        _passedOn(bytes.concat(table, _head(5), bytes32(0)));
        _failsIn(0x3df02124);
        _passedOn(bytes.concat(table, _head(6), hex"000100"));
        _failsIn(bytes4(keccak256("sellBase(address)")));
        _passedOn(bytes.concat(table, _head(9)));
        _failsIn(bytes4(keccak256("sellBaseToken(uint256,uint256,bytes)")));
        _passedOn(bytes.concat(table, _head(10)));
        _failsIn(bytes4(keccak256("swap(bool,address)")));
        _passedOn(bytes.concat(table, _head(12)));
        _failsIn(bytes4(keccak256("swap(address,address,uint256,uint256,address,address)")));
        _passedOn(bytes.concat(table, _head(13)));
        _failsIn(bytes4(keccak256("swap(address,uint256,bool,bool,uint256,bytes)")));
        _passedOn(bytes.concat(table, _head(14)));
        _failsIn(bytes4(0xf2c07aae));
        _passedOn(bytes.concat(table, _head(24), hex"00"));
        _failsIn(0x3eece7db);
        _passedOn(bytes.concat(table, _head(25), bytes4(0)));
        _failsIn(0x857f812f);
        _passedOn(bytes.concat(table, _head(26), bytes3(0)));
    }

    function test_reasonsOfVaults() public {
        bytes memory table = Routes.tokens(a, address(pool));
        _failsIn(bytes4(keccak256("deposit(uint256,address)")));
        _passedOn(bytes.concat(table, _head(11), hex"00"));
        _failsIn(UNLOCK);
        _passedOn(bytes.concat(Routes.tokens(a, b), _head(8), bytes20(0)));
        _passedOn(bytes.concat(Routes.tokens(a, b), _head(4), new bytes(26)));
        bytes memory second = Routes.step(4, Routes.ZERO_FOR_ONE, 0x12, 0, address(pool));
        _passedOn(bytes.concat(Routes.tokens(a, b, c), _head(4), new bytes(26), second, new bytes(26)));
    }

    function test_reasonsOfWrappers() public {
        _failsIn(bytes4(keccak256("deposit()")));
        bytes memory wraps = bytes.concat(Routes.tokens(NATIVE, address(pool)), _head(7));
        vm.expectRevert(_because());
        vm.prank(USER);
        router.swap{value: 1}(1, 1, address(0), uint256(type(uint64).max) << 192, wraps);
        pool.onCall(bytes4(keccak256("transferFrom(address,address,uint256)")), abi.encode(true));
        _failsIn(bytes4(keccak256("withdraw(uint256)")));
        bytes memory unwraps = Routes.step(7, 0, 0x01, 0, address(pool));
        _passedOn(bytes.concat(Routes.tokens(address(pool), NATIVE), unwraps));
    }

    /// A manager that calls back as it should, and fails in one of the calls that the callback makes.
    function test_reasonsOfAManagerWithinItsUnlock() public {
        bytes4[3] memory calls = [bytes4(0xf3cd914c), bytes4(0x11da60b4), bytes4(0x0b0d9c09)];
        for (uint256 index = 0; index < calls.length; ++index) {
            pool.onCall(0xf3cd914c, abi.encode((uint256(-int256(AMOUNT)) << 128) | 1));
            pool.onCall(0x11da60b4, "");
            pool.onCall(0x0b0d9c09, "");
            _failsIn(calls[index]);
            pool.onCall(UNLOCK, "");
            bytes memory words = abi.encode(a, b, USER, address(router), AMOUNT, uint256(1));
            pool.thenCall(UNLOCK, address(router), abi.encodeWithSignature("unlockCallback(bytes)", words), true);
            _passedOn(bytes.concat(Routes.tokens(a, b), _head(4), new bytes(26)));
        }
    }

    /// The same of Ekubo's core, which calls back by the selector 0 and is asked to swap by it too.
    function test_reasonsOfACoreWithinItsLock() public {
        bytes4[2] memory calls = [bytes4(0), bytes4(0x3ccfd60b)];
        uint256 delta = a < b ? (AMOUNT << 128) | (1 << 128) - 1 : (~uint256(0) << 128) | AMOUNT;
        bytes memory words = abi.encode(a, b, USER, address(router), AMOUNT, bytes32(0));
        for (uint256 index = 0; index < calls.length; ++index) {
            pool.onCall(0, abi.encode(delta, uint256(0)));
            _failsIn(calls[index]);
            pool.onCall(0xf83d08ba, "");
            pool.thenCall(0xf83d08ba, address(router), bytes.concat(bytes4(0), bytes32(0), words), true);
            _passedOn(bytes.concat(Routes.tokens(a, b), _head(21), bytes32(0)));
        }
    }

    /// Less than a word is no `true`, whatever an earlier answer has left in memory.
    function test_answersOfThirtyOneBytes() public {
        ShortToken token = new ShortToken();
        token.mint(USER, 1e24);
        vm.prank(USER);
        token.approve(address(router), type(uint256).max);
        address t = address(token);
        // The pair's answer to the first step is what lies in memory: its last byte would make a `true` of nothing.
        address pair = _pair(t, 1e24 + 1, b, 1e24 + 1);
        bytes memory step = Routes.v2(_way(t, b), 0x01, Routes.HALF, pair);
        bytes memory rest = Routes.v2(_way(t, b), 0x01, 0, pair);
        vm.expectRevert(abi.encodeWithSelector(TransferFailed.selector, t, pair, AMOUNT - AMOUNT / 2));
        _swap(AMOUNT, bytes.concat(Routes.tokens(t, b), step, rest));
    }

    /// A token that does not say what is left of an allowance is not believed to have used it up.
    function test_aTokenThatDoesNotSayItsAllowance() public {
        pool.onCall(bytes4(0x3df02124), "");
        Puppet mute = new Puppet();
        mute.onCall(bytes4(keccak256("transferFrom(address,address,uint256)")), abi.encode(true));
        mute.onCall(bytes4(keccak256("approve(address,uint256)")), abi.encode(true));
        mute.onCall(bytes4(keccak256("allowance(address,address)")), "");
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(mute)));
        _swap(AMOUNT, bytes.concat(Routes.tokens(address(mute), b), _head(6), hex"000100"));
    }
}
