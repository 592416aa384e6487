// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {DodoModel} from "../models/Pools.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";
import {VaultModel} from "../models/Vaults.sol";

/// A wrapper that gives without taking.
contract LazyWrapper is PlainToken {
    function wrap(uint256 amount) external {
        balanceOf[msg.sender] += amount;
    }
}

/// Pools that pay for what they have not taken. Each would leave something behind: a debt that may be asked for later, or
/// an allowance of the router's.
contract UntakenTest is Crossings {
    Puppet private lazy;

    function setUp() public override {
        super.setUp();
        lazy = new Puppet();
        tokenB.mint(address(lazy), 1e24);
    }

    /// On this call the pool pays the router and answers; it takes nothing.
    function _pays(bytes4 call, bytes memory answer) private {
        lazy.onCall(call, answer);
        lazy.thenCall(call, b, abi.encodeCall(PlainToken.transfer, (address(router), AMOUNT)), true);
    }

    function _notTaken(bytes memory step) private {
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(lazy)));
        _swap(AMOUNT, bytes.concat(Routes.tokens(a, b), step));
    }

    function test_aMaverickPoolThatNeverAsks() public {
        _pays(bytes4(keccak256("swap(address,uint256,bool,bool,uint256,bytes)")), abi.encode(AMOUNT, AMOUNT));
        _notTaken(Routes.step(14, Routes.ZERO_FOR_ONE, 0x01, 0, address(lazy)));
    }

    function test_aBalancerV3VaultThatNeverAsks() public {
        _pays(bytes4(keccak256("unlock(bytes)")), abi.encode(abi.encode(AMOUNT)));
        _notTaken(bytes.concat(Routes.step(8, 0, 0x01, 0, address(lazy)), bytes20(address(0xb001))));
    }

    function test_aV4ManagerThatNeverAsks() public {
        _pays(bytes4(keccak256("unlock(bytes)")), abi.encode(abi.encode(AMOUNT)));
        _notTaken(bytes.concat(Routes.step(Routes.V4, 0, 0x01, 0, address(lazy)), new bytes(26)));
    }

    function test_aDodoV1PoolThatNeverPulls() public {
        _pays(bytes4(keccak256("sellBaseToken(uint256,uint256,bytes)")), abi.encode(AMOUNT));
        _notTaken(Routes.step(10, Routes.ZERO_FOR_ONE, 0x01, 0, address(lazy)));
    }

    function test_aConverterThatNeverPulls() public {
        _pays(bytes4(0xf2c07aae), "");
        _notTaken(bytes.concat(Routes.step(24, Routes.ZERO_FOR_ONE, 0x01, 0, address(lazy)), hex"00"));
    }

    function test_aFluidPoolThatNeverPulls() public {
        _pays(bytes4(keccak256("swapIn(bool,uint256,uint256,address)")), abi.encode(AMOUNT));
        _notTaken(Routes.step(22, Routes.ZERO_FOR_ONE, 0x01, 0, address(lazy)));
    }

    function test_aFluidLiteThatNeverPulls() public {
        _pays(0x7fc9d4ad, abi.encode(AMOUNT));
        _notTaken(bytes.concat(Routes.step(23, Routes.ZERO_FOR_ONE, 0x01, 0, address(lazy)), bytes32(0)));
    }

    function test_aBalancerV2VaultThatNeverPulls() public {
        _pays(0x52bbbe29, abi.encode(AMOUNT));
        _notTaken(bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(lazy)), bytes32(0)));
    }

    function test_aWrapperThatNeverPulls() public {
        LazyWrapper wrapper = new LazyWrapper();
        bytes memory step =
            bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, address(wrapper)), hex"01");
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(wrapper)));
        _swap(AMOUNT, bytes.concat(Routes.tokens(a, address(wrapper)), step));
    }

    /// What a design can pay to the router alone would stay there under these flags: the register does not count it, and
    /// the half that an honest pair pays meets the minimum.
    function _elsewhere(bytes memory table, uint8 dst, bytes memory ahead, bytes memory step) private {
        for (uint256 index = 0; index < 2; ++index) {
            step[1] |= bytes1([Routes.TO_RECIPIENT, Routes.TO_NEXT][index]);
            vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, dst));
            _swap(AMOUNT, bytes.concat(table, ahead, step));
            step[1] &= bytes1(~[Routes.TO_RECIPIENT, Routes.TO_NEXT][index]);
        }
        yes(_swap(AMOUNT, bytes.concat(table, ahead, step)) > 1, "without them the route works");
    }

    function test_dodoV1PaysTheRouterAlone() public {
        DodoModel pool = new DodoModel(a, b);
        _stock(address(pool));
        bytes memory half = Routes.v2(_way(a, b), 0x01, Routes.HALF, pairAB);
        _elsewhere(Routes.tokens(a, b), 1, half, Routes.step(10, Routes.ZERO_FOR_ONE, 0x01, 0, address(pool)));
        _holdsNothing();
    }

    function test_rateWrappersPayTheRouterAlone() public {
        VaultModel wrapper = new VaultModel(b);
        address v = address(wrapper);
        bytes memory wrap = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, v), hex"01");
        _elsewhere(Routes.tokens(b, v), 1, "", wrap);
        vm.prank(USER);
        wrapper.approve(address(router), type(uint256).max);
        bytes memory unwrap = bytes.concat(Routes.step(11, 0, 0x01, 0, v), hex"01");
        _elsewhere(Routes.tokens(v, b), 1, "", unwrap);
        _holdsNothing();
    }
}
