// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "./Routes.sol";
import {Assertions, vm} from "./Vm.sol";
import {PlainToken} from "../models/Tokens.sol";

interface IRouter {
    function swap(uint256 amountIn, uint256 minOut, address recipient, uint256 terms, bytes calldata route)
        external
        payable
        returns (uint256 out);
}

interface IPairFactory {
    function createPair(address a, address b) external returns (address);
}

interface IPair {
    function mint(address to) external returns (uint256);
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
    function skim(address to) external;
}

interface IPoolFactory {
    function createPool(address a, address b, uint24 fee) external returns (address);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address to, int24 lower, int24 upper, uint128 liquidity, bytes calldata data) external;
    function tickSpacing() external view returns (int24);
}

interface IQuoter {
    struct Question {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        uint24 fee;
        uint160 sqrtPriceLimitX96;
    }

    function quoteExactInputSingle(Question memory question) external returns (uint256, uint160, uint32, uint256);
}

interface IWrapped {
    function deposit() external payable;
    function balanceOf(address account) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// The router as it ships, real pools from their packages' bytecode, and a user with endless approvals.
abstract contract World is Assertions {
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    address internal constant USER = address(0x1001);
    address internal constant OTHER = address(0x1002);
    address internal constant FEES = address(0x1003);
    uint160 internal constant PRICE_ONE = 1 << 96;

    IRouter internal router;
    IPairFactory internal pairs;
    IPoolFactory internal pools;
    IQuoter internal quoter;
    IWrapped internal wrapped;
    PlainToken internal tokenA;
    PlainToken internal tokenB;
    PlainToken internal tokenC;

    function setUp() public virtual {
        router = IRouter(_create(_code(vm.envString("ROUTER_ARTIFACT"), ".initCode")));
        pairs = IPairFactory(
            _create(bytes.concat(_package("v2-core/build/UniswapV2Factory.json"), abi.encode(address(this))))
        );
        pools = IPoolFactory(_create(_package("v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json")));
        wrapped = IWrapped(_create(_package("v2-periphery/build/WETH9.json")));
        quoter = IQuoter(
            _create(
                bytes.concat(
                    _package("v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json"),
                    abi.encode(address(pools), address(wrapped))
                )
            )
        );
        tokenA = new PlainToken();
        tokenB = new PlainToken();
        tokenC = new PlainToken();
        for (uint256 index = 0; index < 3; ++index) {
            PlainToken token = [tokenA, tokenB, tokenC][index];
            token.mint(USER, 1e30);
            vm.prank(USER);
            token.approve(address(router), type(uint256).max);
        }
        vm.deal(USER, 1e24);
        vm.startPrank(USER);
        wrapped.deposit{value: 1e23}();
        wrapped.approve(address(router), type(uint256).max);
        vm.stopPrank();
        vm.deal(address(this), 1e27);
        wrapped.deposit{value: 1e26}();
    }

    /// A Uniswap v2 pair with these reserves.
    function _pair(address a, uint256 reserveA, address b, uint256 reserveB) internal returns (address pair) {
        pair = pairs.createPair(a, b);
        _give(a, pair, reserveA);
        _give(b, pair, reserveB);
        IPair(pair).mint(address(this));
    }

    /// A Uniswap v3 pool at a price of one with one position, `width` tick spacings to each side.
    function _pool(address a, address b, uint24 fee, int24 width, uint128 liquidity) internal returns (address pool) {
        pool = pools.createPool(a, b, fee);
        IPool(pool).initialize(PRICE_ONE);
        int24 spacing = IPool(pool).tickSpacing();
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        IPool(pool).mint(address(this), -spacing * width, spacing * width, liquidity, abi.encode(token0, token1));
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata data) external {
        (address token0, address token1) = abi.decode(data, (address, address));
        if (owed0 > 0) _give(token0, msg.sender, owed0);
        if (owed1 > 0) _give(token1, msg.sender, owed1);
    }

    function _give(address token, address to, uint256 amount) internal {
        if (token == address(wrapped)) wrapped.transfer(to, amount);
        else PlainToken(token).mint(to, amount);
    }

    function _swap(uint256 amount, uint256 minOut, uint256 terms, bytes memory route) internal returns (uint256) {
        vm.prank(USER);
        return router.swap(amount, minOut, address(0), terms, route);
    }

    function _swap(uint256 amount, bytes memory route) internal returns (uint256) {
        return _swap(amount, 1, Terms.PLAIN, route);
    }

    /// Direction flag of a pool that sells `sold` for `bought`.
    function _way(address sold, address bought) internal pure returns (uint8) {
        return sold < bought ? Routes.ZERO_FOR_ONE : 0;
    }

    function _reserves(address pair, address sold) internal view returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1,) = IPair(pair).getReserves();
        return IPair(pair).token0() == sold ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    /// What the pair's own rule allows: floor(in·997·out / (in·997 + reserve·1000)).
    function _quotePair(address pair, address sold, uint256 amount) internal view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, sold);
        return amount * 997 * reserveOut / (reserveIn * 1000 + amount * 997);
    }

    function _quotePool(address sold, address bought, uint24 fee, uint256 amount) internal returns (uint256 out) {
        (out,,,) = quoter.quoteExactInputSingle(IQuoter.Question(sold, bought, amount, fee, 0));
    }

    function _holdsNothing() internal view {
        eq(address(router).balance, 0, "router native");
        eq(tokenA.balanceOf(address(router)), 0, "router A");
        eq(tokenB.balanceOf(address(router)), 0, "router B");
        eq(tokenC.balanceOf(address(router)), 0, "router C");
        eq(wrapped.balanceOf(address(router)), 0, "router wrapped");
    }

    function _package(string memory path) private view returns (bytes memory) {
        return _code(string.concat("../node_modules/@uniswap/", path), ".bytecode");
    }

    function _code(string memory path, string memory key) internal view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(path), key);
    }

    function _create(bytes memory code) internal returns (address made) {
        assembly {
            made := create(0, add(code, 0x20), mload(code))
        }
        yes(made != address(0), "deployed");
    }

    receive() external payable {}
}
