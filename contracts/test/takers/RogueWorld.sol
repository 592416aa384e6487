// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IManager, IMinter} from "../real/RealV4.t.sol";
import {Routes} from "../world/Routes.sol";
import {Skeletons} from "../world/Skeletons.sol";
import {vm} from "../world/Vm.sol";
import {PlainToken} from "../models/Tokens.sol";
import {Rogue} from "./Rogue.sol";
import {RogueHook} from "./RogueHook.sol";
import {RogueToken} from "./RogueToken.sol";

/// Holds tokens that belong to somebody, and pays when it is asked to, as an open order of theirs elsewhere would be filled.
contract Escrow {
    mapping(PlainToken => uint256) public paid;

    function fill(PlainToken token, address to, uint256 amount) external {
        token.transfer(to, amount);
        paid[token] += amount;
    }
}

/// What a route can meet that is hostile: the design of a pool, or the place of a token.
enum Design {
    V2,
    V2_FEE,
    SOLIDLY,
    V3,
    ALGEBRA,
    V4,
    V4_RUN,
    V4_HOOK,
    BALANCER_V2,
    BALANCER_V3,
    BUFFER,
    CURVE,
    DODO_V2,
    DODO_V1,
    BOOK_OLD,
    BOOK,
    WOO,
    MAVERICK,
    MAVERICK_V2,
    IZISWAP,
    CONVERTER,
    FLUID,
    FLUID_LITE,
    INFINITY,
    AIRSWAP,
    EKUBO,
    VAULT,
    WRAPPER,
    TOKEN_BETWEEN_PAIRS,
    TOKEN_BETWEEN_POOLS,
    TOKEN_SOLD,
    TOKEN_BOUGHT
}

/// A hostile pool of every design, a hostile token with honest pools, and somebody who has nothing to do with it all.
abstract contract RogueWorld is Skeletons {
    address internal constant VICTIM = address(0x1005);
    // Its last bits say that the manager calls it before and after a swap, and that it may change what is paid.
    address private constant HOOK = 0x20000000000000000000000000000000000000c4;

    Rogue internal rogue;
    RogueToken internal odd;
    RogueHook internal hook;
    Escrow internal escrow;
    address internal realManager;
    address internal pairAX;
    address internal pairXB;
    address internal poolAX;
    address internal poolXB;

    function setUp() public virtual override {
        super.setUp();
        (rogue, odd, escrow) = (new Rogue(), new RogueToken(), new Escrow());
        address x = address(odd);
        (pairAX, pairXB) = (_pair(a, 1e24, x, 1e24), _pair(x, 1e24, b, 1e24));
        (poolAX, poolXB) = (_pool(a, x, 3000, 200, 1e24), _pool(x, b, 3000, 200, 1e24));
        _hookedPool();
        address[4] memory hostile = [address(rogue), x, address(hook), address(escrow)];
        for (uint256 index = 0; index < 3; ++index) {
            PlainToken token = PlainToken([a, b, c][index]);
            for (uint256 who = 0; who < 4; ++who) {
                token.mint(hostile[who], 1e26);
            }
            rogue.approve(token, address(router));
            odd.approve(token, address(router));
            hook.approve(token, address(router));
            token.mint(VICTIM, 1e26);
            vm.prank(VICTIM);
            token.approve(address(router), type(uint256).max);
        }
        odd.mint(USER, 1e30);
        vm.prank(USER);
        odd.approve(address(router), type(uint256).max);
    }

    function _hookedPool() private {
        hook = RogueHook(HOOK);
        vm.etch(HOOK, type(RogueHook).runtimeCode);
        realManager = _create(bytes.concat(_v4("PoolManager"), abi.encode(address(this))));
        IMinter minter = IMinter(_create(bytes.concat(_v4("PoolModifyLiquidityTest"), abi.encode(realManager))));
        for (uint256 index = 0; index < 2; ++index) {
            PlainToken token = [tokenA, tokenB][index];
            token.mint(address(this), 1e30);
            token.approve(address(minter), type(uint256).max);
        }
        (address low, address high) = a < b ? (a, b) : (b, a);
        IManager.PoolKey memory key = IManager.PoolKey(low, high, 3000, 60, HOOK);
        IManager(realManager).initialize(key, PRICE_ONE);
        minter.modifyLiquidity(key, IManager.ModifyLiquidityParams(-6000, 6000, 1e24, 0), "");
    }

    function _v4(string memory name) private view returns (bytes memory) {
        return _code(string.concat("../node_modules/@uniswap/v4-core/out/", name, ".sol/", name, ".json"), ".bytecode.object");
    }

    /// The kind of step and the target that stand for a design, and what comes behind them.
    function _step(Design design, uint8 last, uint8 path, address sells, address buys, uint256 amount, uint256 claims)
        internal
        view
        returns (bytes memory)
    {
        address there = address(rogue);
        uint8 way = _way(sells, buys) | last;
        uint8 onward = Routes.ZERO_FOR_ONE | last;
        if (design == Design.V2) return Routes.v2(way, path, 0, there);
        if (design == Design.V2_FEE) return bytes.concat(Routes.step(16, way, path, 0, there), bytes3(uint24(3000)));
        if (design == Design.SOLIDLY) return Routes.step(2, way, path, 0, there);
        if (design == Design.V3 || design == Design.ALGEBRA) return Routes.v3(way, path, 0, there);
        if (design == Design.V4 || design == Design.V4_RUN) return _v4Step(way, path, there, address(0));
        if (design == Design.V4_HOOK) return _v4Step(way, path, realManager, HOOK);
        if (design == Design.BALANCER_V2) return bytes.concat(Routes.step(5, last, path, 0, there), bytes32(0));
        if (design == Design.BALANCER_V3) return bytes.concat(Routes.step(8, last, path, 0, there), bytes20(address(1)));
        if (design == Design.BUFFER) return bytes.concat(Routes.step(8, last, path, 0, there), bytes20(buys));
        if (design == Design.CURVE) return bytes.concat(Routes.step(6, 0, path, 0, there), hex"000100");
        if (design == Design.DODO_V2) return Routes.step(9, onward, path, 0, there);
        if (design == Design.DODO_V1) return Routes.step(10, Routes.ZERO_FOR_ONE, path, 0, there);
        if (design == Design.WOO) return Routes.step(13, last, path, 0, there);
        if (design == Design.MAVERICK) return Routes.step(14, onward, path, 0, there);
        if (design == Design.MAVERICK_V2) return bytes.concat(Routes.step(25, onward, path, 0, there), bytes4(uint32(7)));
        if (design == Design.IZISWAP) return bytes.concat(Routes.step(26, way, path, 0, there), bytes3(0));
        if (design == Design.INFINITY) return _infinity(way, path, there);
        if (design == Design.CONVERTER) return bytes.concat(Routes.step(24, onward, path, 0, there), hex"00");
        if (design == Design.FLUID) return Routes.step(22, onward, path, 0, there);
        if (design == Design.FLUID_LITE) return bytes.concat(Routes.step(23, onward, path, 0, there), bytes32(0));
        if (design == Design.AIRSWAP) return bytes.concat(Routes.step(19, last, path, 0, there), _order(amount, claims));
        if (design == Design.EKUBO) return bytes.concat(Routes.step(21, last, path, 0, there), bytes32(0));
        return Routes.step(12, onward, path, 0, there);
    }

    function _v4Step(uint8 flags, uint8 path, address target, address hooks) private pure returns (bytes memory) {
        return bytes.concat(Routes.step(4, flags, path, 0, target), bytes3(uint24(3000)), bytes3(uint24(60)), bytes20(hooks));
    }

    /// The settler is hostile: it asks for no signature.
    function _order(uint256 amount, uint256 claims) private pure returns (bytes memory) {
        bytes memory terms = abi.encodePacked(uint128(amount), uint128(claims), uint256(0), type(uint40).max);
        return bytes.concat(bytes20(address(1)), terms, new bytes(65));
    }

    /// The hostile pool alone, beside an honest one, ahead of one, and behind one.
    function _aroundRogue(Design design, uint256 shape, uint256 amount, uint256 claims)
        internal
        view
        returns (bytes memory)
    {
        if (design == Design.V4_RUN) {
            bytes memory first = _step(design, 0, 0x01, a, b, 0, 0);
            return bytes.concat(Routes.tokens(a, b, c), first, _step(design, 0, 0x12, b, c, 0, 0));
        }
        if (shape == 0) return bytes.concat(Routes.tokens(a, b), _step(design, 0, 0x01, a, b, amount, claims));
        if (shape == 1) {
            bytes memory rest = _step(design, 0, 0x01, a, b, amount - amount / 2, claims);
            return bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, Routes.HALF, pairAB), rest);
        }
        if (shape == 2) {
            bytes memory ahead = _step(design, 0, 0x01, a, b, amount, claims);
            return bytes.concat(Routes.tokens(a, b, c), ahead, Routes.v3(_way(b, c), 0x12, 0, poolBC));
        }
        bytes memory first_ = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        return bytes.concat(Routes.tokens(a, b, c), first_, _step(design, 0, 0x12, b, c, amount, claims));
    }

    /// The hostile token wraps another, and unwraps.
    function _throughWrapper(uint8 variant) internal view returns (bytes memory) {
        address x = address(odd);
        bytes memory wraps = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, x), bytes1(variant));
        bytes memory unwraps = bytes.concat(Routes.step(11, 0, 0x12, 0, x), bytes1(variant));
        return bytes.concat(Routes.tokens(a, x, b), wraps, unwraps);
    }

    /// The hostile token between honest pools, sold to one, or bought from one; `direct` lets the last pool pay the recipient.
    function _throughToken(Design design, bool direct) internal view returns (bytes memory) {
        address x = address(odd);
        uint8 last = direct ? Routes.TO_RECIPIENT : 0;
        if (design == Design.TOKEN_BETWEEN_PAIRS) {
            bytes memory first = Routes.v2(_way(a, x), 0x01, 0, pairAX);
            return bytes.concat(Routes.tokens(a, x, b), first, Routes.v2(_way(x, b) | last, 0x12, 0, pairXB));
        }
        if (design == Design.TOKEN_BETWEEN_POOLS) {
            bytes memory first = Routes.v3(_way(a, x), 0x01, 0, poolAX);
            return bytes.concat(Routes.tokens(a, x, b), first, Routes.v3(_way(x, b) | last, 0x12, 0, poolXB));
        }
        if (design == Design.TOKEN_SOLD) {
            bytes memory half = Routes.v2(_way(x, b) | last, 0x01, Routes.HALF, pairXB);
            return bytes.concat(Routes.tokens(x, b), half, Routes.v3(_way(x, b) | last, 0x01, 0, poolXB));
        }
        bytes memory half_ = Routes.v2(_way(a, x) | last, 0x01, Routes.HALF, pairAX);
        return bytes.concat(Routes.tokens(a, x), half_, Routes.v3(_way(a, x) | last, 0x01, 0, poolAX));
    }
}
