// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";

interface IManager {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct ModifyLiquidityParams {
        int24 tickLower;
        int24 tickUpper;
        int256 liquidityDelta;
        bytes32 salt;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    struct TestSettings {
        bool takeClaims;
        bool settleUsingBurn;
    }

    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24);
}

interface IMinter {
    function modifyLiquidity(
        IManager.PoolKey calldata key,
        IManager.ModifyLiquidityParams calldata params,
        bytes calldata data
    ) external payable returns (int256);
}

interface ISwapper {
    function swap(
        IManager.PoolKey calldata key,
        IManager.SwapParams calldata params,
        IManager.TestSettings calldata settings,
        bytes calldata data
    ) external payable returns (int256);
}

/// Steps of v4 over the manager's own bytecode; what they must pay is asked of the package's own test router.
contract RealV4Test is World {
    uint8 private constant DIRECT = Routes.TO_RECIPIENT;

    address private manager;
    IMinter private minter;
    ISwapper private swapper;
    address private a;
    address private b;
    address private c;

    function setUp() public override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        manager = _create(bytes.concat(_v4("PoolManager"), abi.encode(address(this))));
        minter = IMinter(_create(bytes.concat(_v4("PoolModifyLiquidityTest"), abi.encode(manager))));
        swapper = ISwapper(_create(bytes.concat(_v4("PoolSwapTest"), abi.encode(manager))));
        for (uint256 index = 0; index < 3; ++index) {
            PlainToken token = [tokenA, tokenB, tokenC][index];
            token.mint(address(this), 1e30);
            token.approve(address(minter), type(uint256).max);
            token.approve(address(swapper), type(uint256).max);
        }
        _open(a, b);
        _open(b, c);
        _open(NATIVE, b);
    }

    function _v4(string memory name) private view returns (bytes memory) {
        return _code(string.concat("../node_modules/@uniswap/v4-core/out/", name, ".sol/", name, ".json"), ".bytecode.object");
    }

    function _currency(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }

    function _key(address x, address y) private pure returns (IManager.PoolKey memory) {
        (address low, address high) = (_currency(x), _currency(y));
        if (low > high) (low, high) = (high, low);
        return IManager.PoolKey(low, high, 3000, 60, address(0));
    }

    function _open(address x, address y) private {
        IManager(manager).initialize(_key(x, y), PRICE_ONE);
        uint256 value = x == NATIVE ? 1e24 : 0;
        minter.modifyLiquidity{value: value}(_key(x, y), IManager.ModifyLiquidityParams(-6000, 6000, 1e24, 0), "");
    }

    /// What the pool pays for this, asked in a state that is undone.
    function _quote(address sold, address bought, uint256 amount) private returns (uint256 out) {
        uint256 state = vm.snapshotState();
        bool down = _currency(sold) < _currency(bought);
        uint160 limit = down ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        IManager.SwapParams memory params = IManager.SwapParams(down, -int256(amount), limit);
        int256 delta = swapper.swap{value: sold == NATIVE ? amount : 0}(
            _key(sold, bought), params, IManager.TestSettings(false, false), ""
        );
        out = uint256(down ? int256(int128(delta)) : delta >> 128);
        vm.revertToState(state);
    }

    function _step(uint8 flags, uint8 path, address sold, address bought) private view returns (bytes memory) {
        bytes memory head =
            Routes.step(Routes.V4, flags | _way(_currency(sold), _currency(bought)), path, 0, manager);
        return bytes.concat(head, bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(0));
    }

    /// forge-config: default.fuzz.runs = 1000
    /// forge-config: deep.fuzz.runs = 5000
    function test_fuzz_oneStep(uint256 amount, bool direct, bool back) public {
        amount = within(amount, 1e6, 1e22);
        (address sold, address bought) = back ? (b, a) : (a, b);
        uint256 wanted = _quote(sold, bought, amount);
        bytes memory step = _step(direct ? DIRECT : 0, 0x01, sold, bought);
        eq(_swap(amount, bytes.concat(Routes.tokens(sold, bought), step)), wanted, "paid");
        eq(PlainToken(sold).balanceOf(USER), 1e30 - amount, "spent");
        _holdsNothing();
    }

    /// forge-config: default.fuzz.runs = 1000
    /// forge-config: deep.fuzz.runs = 5000
    function test_fuzz_twoStepsInOneUnlock(uint256 amount, bool direct) public {
        amount = within(amount, 1e6, 1e22);
        uint256 wanted = _quote(b, c, _quote(a, b, amount));
        bytes memory steps = bytes.concat(_step(0, 0x01, a, b), _step(direct ? DIRECT : 0, 0x12, b, c));
        eq(_swap(amount, bytes.concat(Routes.tokens(a, b, c), steps)), wanted, "paid");
        _holdsNothing();
    }

    function test_theNativeCoinBothWays() public {
        uint256 wanted = _quote(NATIVE, b, 1e18);
        bytes memory sells = bytes.concat(Routes.tokens(NATIVE, b), _step(DIRECT, 0x01, NATIVE, b));
        vm.prank(USER);
        eq(router.swap{value: 1e18}(1e18, 1, address(0), Terms.PLAIN, sells), wanted, "native in");
        wanted = _quote(b, NATIVE, 1e18);
        uint256 before = USER.balance;
        eq(_swap(1e18, bytes.concat(Routes.tokens(b, NATIVE), _step(0, 0x01, b, NATIVE))), wanted, "native out");
        eq(USER.balance - before, wanted, "received");
        _holdsNothing();
    }

    /// Between a pool of v4 and another: the manager pays the router, which pays the manager.
    function test_betweenOtherPools() public {
        address pair = _pair(c, 1e24, a, 1e24);
        uint256 wanted = _quotePair(pair, c, _quote(b, c, 1e18));
        bytes memory steps = bytes.concat(_step(0, 0x01, b, c), Routes.v2(_way(c, a) | DIRECT, 0x12, 0, pair));
        eq(_swap(1e18, bytes.concat(Routes.tokens(b, c, a), steps)), wanted, "paid");
        _holdsNothing();
    }

    /// More than the pool's liquidity can take.
    function test_aPartialFill() public {
        vm.expectPartialRevert(PartialFill.selector);
        _swap(1e26, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, a, b)));
        bytes memory steps = bytes.concat(_step(0, 0x01, a, b), _step(0, 0x12, b, c));
        vm.expectPartialRevert(PartialFill.selector);
        _swap(1e26, bytes.concat(Routes.tokens(a, b, c), steps));
        eq(tokenA.balanceOf(USER), 1e30, "nothing lost");
    }
}
