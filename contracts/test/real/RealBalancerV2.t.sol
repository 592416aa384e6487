// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Escrow} from "../takers/RogueWorld.sol";

interface IComposableFactory {
    function create(
        string calldata name,
        string calldata symbol,
        address[] calldata tokens,
        uint256 amplification,
        address[] calldata rateProviders,
        uint256[] calldata durations,
        bool[] calldata exemptions,
        uint256 fee,
        address owner
    ) external returns (address);
}

interface IBalancerPool {
    function getPoolId() external view returns (bytes32);
}

interface IBalancerVault {
    struct JoinPoolRequest {
        address[] assets;
        uint256[] maxAmountsIn;
        bytes userData;
        bool fromInternalBalance;
    }

    function getPoolTokens(bytes32 poolId) external view returns (address[] memory, uint256[] memory, uint256);
    function joinPool(bytes32 poolId, address sender, address recipient, JoinPoolRequest calldata request) external;
}

/// A rate provider of whoever made the pool: asked for its rate, it fills an order of the taker's, and changes the rate.
contract RogueRate {
    Escrow private immutable escrow;
    uint256 private rate = 1e18;
    bytes private fills;

    constructor(Escrow held) {
        escrow = held;
    }

    function plan(bytes calldata fills_, uint256 rate_) external {
        (fills, rate) = (fills_, rate_);
    }

    /// What is forbidden burns all the gas it was given, so it is given some and its failure is passed over.
    function getRate() external returns (uint256) {
        if (fills.length > 0) {
            (bool done,) = address(escrow).call{gas: 200_000}(fills);
            done;
        }
        return rate;
    }
}

/// Pools of a factory that is trusted, by its own bytecode, call code of their creator's in every swap: the providers of their
/// tokens' rates. A direct payout must not be met by what that code does.
contract RealBalancerV2Test is World {
    uint256 private constant AMOUNT = 1e18;

    address private a;
    address private b;
    address private vault;
    bytes32 private poolId;
    RogueRate private provider;
    Escrow private escrow;

    function setUp() public override {
        super.setUp();
        (a, b) = (address(tokenA), address(tokenB));
        (a, b) = a < b ? (a, b) : (b, a);
        escrow = new Escrow();
        provider = new RogueRate(escrow);
        PlainToken(b).mint(address(escrow), 1e24);
        address authorizer = _create(bytes.concat(_task("20210418-authorizer", "Authorizer"), abi.encode(address(this))));
        bytes memory terms = abi.encode(authorizer, address(wrapped), 0, 0);
        vault = _create(bytes.concat(_task("20210418-vault", "Vault"), terms));
        bytes memory fees = _task("20220725-protocol-fee-percentages-provider", "ProtocolFeePercentagesProvider");
        address percentages = _create(bytes.concat(fees, abi.encode(vault, 1e18, 1e18)));
        bytes memory code = _task("20230206-composable-stable-pool-v3", "ComposableStablePoolFactory");
        _open(IComposableFactory(_create(bytes.concat(code, abi.encode(vault, percentages, "", "")))));
        // A rate is asked for once it is older than its duration, here of nothing.
        vm.warp(block.timestamp + 1);
    }

    function _task(string memory task, string memory name) private view returns (bytes memory) {
        string memory folder = "../node_modules/@balancer-labs/v2-deployments/dist/tasks/";
        return _code(string.concat(folder, task, "/artifact/", name, ".json"), ".bytecode");
    }

    function _open(IComposableFactory factory) private {
        address[] memory tokens = new address[](2);
        address[] memory providers = new address[](2);
        (tokens[0], tokens[1], providers[1]) = (a, b, address(provider));
        IBalancerPool pool = IBalancerPool(
            factory.create("pool", "P", tokens, 1000, providers, new uint256[](2), new bool[](2), 4e14, address(0))
        );
        poolId = pool.getPoolId();
        (address[] memory assets,,) = IBalancerVault(vault).getPoolTokens(poolId);
        uint256[] memory amounts = new uint256[](3);
        uint256[] memory most = new uint256[](3);
        for (uint256 index = 0; index < 3; ++index) {
            most[index] = type(uint256).max;
            if (assets[index] == address(pool)) continue;
            amounts[index] = 1e24;
            PlainToken(assets[index]).mint(address(this), 1e24);
            PlainToken(assets[index]).approve(vault, 1e24);
        }
        bytes memory initial = abi.encode(uint256(0), amounts);
        IBalancerVault(vault).joinPool(
            poolId, address(this), address(this), IBalancerVault.JoinPoolRequest(assets, most, initial, false)
        );
    }

    function _route() private view returns (bytes memory) {
        bytes memory step = Routes.step(Routes.BALANCER_V2, Routes.TO_RECIPIENT, 0x01, 0, vault);
        return bytes.concat(Routes.tokens(a, b), step, poolId);
    }

    function _plan(uint256 rate) private {
        provider.plan(abi.encodeCall(Escrow.fill, (PlainToken(b), USER, AMOUNT)), rate);
    }

    /// The pool asks by a static call, in which nothing can be moved.
    function test_aRateProviderCannotFillAnOrderDuringADirectPayout() public {
        uint256 state = vm.snapshotState();
        uint256 honest = _swap(AMOUNT, 1, Terms.PLAIN, _route());
        yes(honest > AMOUNT * 99 / 100, "the pool pays");
        vm.revertToState(state);
        _plan(1e18);
        eq(_swap(AMOUNT, 1, Terms.PLAIN, _route()), honest, "paid by the route alone");
        eq(escrow.paid(PlainToken(b)), 0, "nothing was filled");
        provider.getRate();
        eq(escrow.paid(PlainToken(b)), AMOUNT, "outside of a swap the same call fills the order");
    }

    /// What is left to it is a worse price, which the minimum is for.
    function test_aRateThatMovesIsCaughtByTheMinimum() public {
        uint256 state = vm.snapshotState();
        uint256 honest = _swap(AMOUNT, 1, Terms.PLAIN, _route());
        vm.revertToState(state);
        _plan(2e18);
        vm.expectRevert(bytes("min return not reached"));
        _swap(AMOUNT, honest, Terms.PLAIN, _route());
        eq(PlainToken(a).balanceOf(USER), 1e30, "nothing lost");
    }
}
