// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PartialFill} from "../../Errors.sol";
import {Routes} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";

interface IIZiSwapFactory {
    function newPool(address tokenX, address tokenY, uint24 fee, int24 currentPoint) external returns (address);
}

interface IIZiSwapPool {
    function mint(address to, int24 left, int24 right, uint128 liquidity, bytes calldata data)
        external
        returns (uint256 x, uint256 y);
    function addLimOrderWithX(address to, int24 point, uint128 amount, bytes calldata data)
        external
        returns (uint128, uint128);
    function addLimOrderWithY(address to, int24 point, uint128 amount, bytes calldata data)
        external
        returns (uint128, uint128);
    function swapX2Y(address to, uint128 amount, int24 lowPt, bytes calldata data) external returns (uint256 x, uint256 y);
    function swapY2X(address to, uint128 amount, int24 highPt, bytes calldata data) external returns (uint256 x, uint256 y);
}

/// Steps of iZiSwap over its own bytecode: what they must pay is what the pool pays to this contract for the same amount. The
/// price is 2·10^-9, so that a unit of liquidity is 22,000 units of the token that is sold: what is less is not asked for.
contract RealIZiSwapTest is World {
    uint8 private constant DIRECT = Routes.TO_RECIPIENT;
    int24 private constant START = -200_000;
    int24 private constant LOW = START - 4000;
    int24 private constant HIGH = START + 4000;
    uint24 private constant FEE = 2000;
    uint128 private constant LIQUIDITY = 1e14;
    /// Of tokenX, and of tokenY: each moves the price over some points.
    uint256 private constant OF_X = 3e20 + 12_345;
    uint256 private constant OF_Y = 6e11 + 1;

    address private x;
    address private y;
    IIZiSwapPool private pool;

    function setUp() public override {
        super.setUp();
        (x, y) = (address(tokenA), address(tokenB));
        (x, y) = x < y ? (x, y) : (y, x);
        address[5] memory modules = [
            _create(_izi("swapX2Y", "SwapX2YModule")),
            _create(_izi("swapY2X", "SwapY2XModule")),
            _create(_izi("liquidity", "LiquidityModule")),
            _create(_izi("limitOrder", "LimitOrderModule")),
            _create(_izi("flash", "FlashModule"))
        ];
        bytes memory terms = abi.encode(address(this), modules, uint24(50));
        IIZiSwapFactory factory = IIZiSwapFactory(_create(bytes.concat(_izi("iZiSwapFactory", "iZiSwapFactory"), terms)));
        pool = IIZiSwapPool(factory.newPool(x, y, FEE, START));
        pool.mint(address(this), LOW, HIGH, LIQUIDITY, "");
        pool.mint(address(this), START - 400, START + 400, LIQUIDITY, "");
        pool.addLimOrderWithX(address(this), START + 80, 1e19, "");
        pool.addLimOrderWithY(address(this), START - 80, 2e10, "");
    }

    function _izi(string memory file, string memory name) private view returns (bytes memory) {
        string memory folder = "../node_modules/@izumifinance/iziswap_core/artifacts/contracts/";
        return _code(string.concat(folder, file, ".sol/", name, ".json"), ".bytecode");
    }

    function mintDepositCallback(uint256 owedX, uint256 owedY, bytes calldata) external {
        _pays(owedX, owedY);
    }

    function payCallback(uint256 owedX, uint256 owedY, bytes calldata) external {
        _pays(owedX, owedY);
    }

    function swapX2YCallback(uint256 owed, uint256, bytes calldata) external {
        _pays(owed, 0);
    }

    function swapY2XCallback(uint256, uint256 owed, bytes calldata) external {
        _pays(0, owed);
    }

    function _pays(uint256 owedX, uint256 owedY) private {
        if (owedX > 0) PlainToken(x).mint(msg.sender, owedX);
        if (owedY > 0) PlainToken(y).mint(msg.sender, owedY);
    }

    /// What the pool takes and pays for an amount, without the router.
    function _asked(bool sellsX, uint256 amount) private returns (uint256 took, uint256 out) {
        uint256 state = vm.snapshotState();
        (took, out) = sellsX
            ? pool.swapX2Y(OTHER, uint128(amount), LOW - 1, "")
            : pool.swapY2X(OTHER, uint128(amount), HIGH + 1, "");
        if (!sellsX) (took, out) = (out, took);
        vm.revertToState(state);
    }

    function _step(bool sellsX, uint8 flags, uint8 path, int24 limit) private view returns (bytes memory) {
        bytes memory head = Routes.step(26, (sellsX ? Routes.ZERO_FOR_ONE : 0) | flags, path, 0, address(pool));
        return bytes.concat(head, bytes3(uint24(limit)));
    }

    function _route(bool sellsX, uint8 flags, int24 limit) private view returns (bytes memory) {
        (address sold, address bought) = sellsX ? (x, y) : (y, x);
        return bytes.concat(Routes.tokens(sold, bought), _step(sellsX, flags, 0x01, limit));
    }

    function _sells(bool sellsX, uint8 flags, uint256 amount) private returns (uint256 unasked) {
        PlainToken sold = PlainToken(sellsX ? x : y);
        (uint256 took, uint256 out) = _asked(sellsX, amount);
        (uint256 held, uint256 left) = (sold.balanceOf(address(pool)), sold.balanceOf(USER));
        eq(_swap(amount, _route(sellsX, flags, sellsX ? LOW - 1 : HIGH + 1)), out, "what the pool pays");
        eq(sold.balanceOf(USER), left - amount, "exactly the amount");
        eq(sold.balanceOf(address(pool)), held + amount, "all of it to the pool");
        _holdsNothing();
        return amount - took;
    }

    /// Within the points of the start, to limit orders and past them, and past the inner position.
    function test_realIZiSwap() public {
        uint256 unasked;
        for (uint256 index = 0; index < 4; ++index) {
            uint8 flags = index % 2 == 0 ? 0 : DIRECT;
            unasked += _sells(true, flags, [uint256(1e15), OF_X / 100, OF_X / 3, OF_X][index]);
        }
        yes(unasked > 0, "the pool does not ask for all of tokenX");
        for (uint256 index = 0; index < 4; ++index) {
            _sells(false, index % 2 == 0 ? 0 : DIRECT, [uint256(3e8), OF_Y / 100, OF_Y / 3, OF_Y][index]);
        }
    }

    function test_fuzz_realIZiSwap(uint256 raw, bool sellsX, bool direct) public {
        _sells(sellsX, direct ? DIRECT : 0, sellsX ? within(raw, 1e13, OF_X) : within(raw, 1e7, OF_Y));
    }

    /// The router has bought from the pool what it then sells to it.
    function test_realIZiSwapPaidByTheRouter() public {
        bytes memory there = _step(true, 0, 0x01, LOW - 1);
        bytes memory back = _step(false, 0, 0x12, HIGH + 1);
        address z = address(tokenC);
        address pair = _pair(x, 1e27, z, 1e27);
        bytes memory last = Routes.v2(_way(x, z), 0x23, 0, pair);
        yes(_swap(OF_X, bytes.concat(Routes.tokens(x, y, x, z), there, back, last)) > OF_X * 98 / 100, "both fill");
        _holdsNothing();
    }

    /// At its last point the pool stops, asks for a part, and is refused; so it is at a limit that the step sets too near.
    function test_aRealPoolThatRunsOut() public {
        for (uint256 index = 0; index < 2; ++index) {
            bool sellsX = index == 0;
            uint256 amount = sellsX ? 1e27 : 1e20;
            PlainToken(sellsX ? x : y).mint(USER, amount);
            vm.expectPartialRevert(PartialFill.selector);
            _swap(amount, _route(sellsX, 0, sellsX ? LOW - 1 : HIGH + 1));
            vm.expectPartialRevert(PartialFill.selector);
            _swap(sellsX ? OF_X : OF_Y, _route(sellsX, 0, sellsX ? START - 40 : START + 40));
        }
    }

    function test_amountsFrom2To128On() public {
        PlainToken(x).mint(USER, 1 << 200);
        vm.expectRevert(bytes(""));
        _swap((1 << 128) + OF_X, _route(true, 0, LOW - 1));
    }
}
