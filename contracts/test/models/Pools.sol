// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IErc20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Pools whose bytecode no package ships, reduced to their interface: each pays `amount · rate / 1e18` of what it holds
/// and takes its input exactly as the real design does. The prices are not the point; who moves what is.
abstract contract Priced {
    uint256 public rate = 1e18;

    function setRate(uint256 value) external {
        rate = value;
    }

    function _price(uint256 amount) internal view returns (uint256) {
        return amount * rate / 1e18;
    }

    receive() external payable virtual {}
}

/// Solidly: paid in advance, reserves kept, asked for its price.
contract SolidlyModel is Priced {
    address public immutable token0;
    address public immutable token1;
    uint256 private reserve0;
    uint256 private reserve1;

    constructor(address a, address b) {
        (token0, token1) = a < b ? (a, b) : (b, a);
    }

    function sync() public {
        reserve0 = IErc20(token0).balanceOf(address(this));
        reserve1 = IErc20(token1).balanceOf(address(this));
    }

    function getAmountOut(uint256 amount, address tokenIn) public view returns (uint256) {
        require(tokenIn == token0 || tokenIn == token1, "not a token of this pair");
        return _price(amount);
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        if (out0 > 0) IErc20(token0).transfer(to, out0);
        if (out1 > 0) IErc20(token1).transfer(to, out1);
        uint256 in0 = IErc20(token0).balanceOf(address(this)) + out0 - reserve0;
        uint256 in1 = IErc20(token1).balanceOf(address(this)) + out1 - reserve1;
        require(out1 <= _price(in0) && out0 <= _price(in1), "not paid");
        sync();
    }
}

/// Curve: pulls by allowance, pays the caller, and in its oldest form answers nothing.
contract CurveModel is Priced {
    address[] public coins;
    /// Parts of a thousand of the input that it pulls; 1000 is honest.
    uint256 public pulls = 1000;

    constructor(address[] memory list) {
        coins = list;
    }

    function setPulls(uint256 value) external {
        pulls = value;
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external payable {
        _exchange(uint128(i), uint128(j), dx, minDy);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable returns (uint256) {
        return _exchange(i, j, dx, minDy);
    }

    function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 minDy) external returns (uint256) {
        return _exchange(uint128(i) + 1, uint128(j) + 1, dx, minDy);
    }

    function exchange_underlying(uint256 i, uint256 j, uint256 dx, uint256 minDy) external returns (uint256) {
        return _exchange(i + 1, j + 1, dx, minDy);
    }

    /// Saddle's name for it.
    function swap(uint8 i, uint8 j, uint256 dx, uint256 minDy, uint256 deadline) external returns (uint256) {
        require(block.timestamp <= deadline, "late");
        return _exchange(i, j, dx, minDy);
    }

    function _exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) private returns (uint256 dy) {
        dy = _price(dx);
        require(dy >= minDy, "slippage");
        if (coins[i] == 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE) require(msg.value == dx, "value");
        else _pull(coins[i], dx * pulls / 1000);
        if (coins[j] == 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE) payable(msg.sender).transfer(dy);
        else IErc20(coins[j]).transfer(msg.sender, dy);
    }

    /// Takes tokens that answer nothing too, and passes their reasons on.
    function _pull(address token, uint256 amount) private {
        (bool done, bytes memory answer) =
            token.call(abi.encodeCall(IErc20.transferFrom, (msg.sender, address(this), amount)));
        if (!done) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}

/// DODO: v2 sells what it finds above its reserves, v1 pulls by allowance.
contract DodoModel is Priced {
    IErc20 public immutable base;
    IErc20 public immutable quote;
    uint256 private baseReserve;
    uint256 private quoteReserve;

    constructor(address base_, address quote_) {
        base = IErc20(base_);
        quote = IErc20(quote_);
    }

    function sync() public {
        baseReserve = base.balanceOf(address(this));
        quoteReserve = quote.balanceOf(address(this));
    }

    function sellBase(address to) external returns (uint256 out) {
        out = _price(base.balanceOf(address(this)) - baseReserve);
        quote.transfer(to, out);
        sync();
    }

    function sellQuote(address to) external returns (uint256 out) {
        out = _price(quote.balanceOf(address(this)) - quoteReserve);
        base.transfer(to, out);
        sync();
    }

    function sellBaseToken(uint256 amount, uint256 least, bytes calldata data) external returns (uint256 out) {
        require(data.length == 0, "flash");
        base.transferFrom(msg.sender, address(this), amount);
        out = _price(amount);
        require(out >= least, "slippage");
        quote.transfer(msg.sender, out);
        sync();
    }
}

/// Liquidity Book 2.1: sells what it finds above its reserves, answers both amounts in one word, Y above X.
abstract contract LiquidityBookPairs is Priced {
    IErc20 public immutable tokenX;
    IErc20 public immutable tokenY;
    uint256 private reserveX;
    uint256 private reserveY;

    constructor(address x, address y) {
        tokenX = IErc20(x);
        tokenY = IErc20(y);
    }

    function sync() public {
        reserveX = tokenX.balanceOf(address(this));
        reserveY = tokenY.balanceOf(address(this));
    }

    function _sell(bool swapForY, address to) internal returns (uint256 out) {
        (IErc20 sold, IErc20 bought) = swapForY ? (tokenX, tokenY) : (tokenY, tokenX);
        out = _price(sold.balanceOf(address(this)) - (swapForY ? reserveX : reserveY));
        bought.transfer(to, out);
        sync();
    }
}

/// Version 2.1 and later: Y above X in one word.
contract LiquidityBookModel is LiquidityBookPairs {
    constructor(address x, address y) LiquidityBookPairs(x, y) {}

    function swap(bool swapForY, address to) external returns (bytes32) {
        uint256 out = _sell(swapForY, to);
        return bytes32(swapForY ? out << 128 : out);
    }
}

/// Version 2.0: X and Y, a word each.
contract LiquidityBookOldModel is LiquidityBookPairs {
    constructor(address x, address y) LiquidityBookPairs(x, y) {}

    function swap(bool swapForY, address to) external returns (uint256 x, uint256 y) {
        uint256 out = _sell(swapForY, to);
        return swapForY ? (uint256(0), out) : (out, uint256(0));
    }
}

/// WooFi v2: many tokens in one pool, paid in advance.
contract WooModel is Priced {
    mapping(address => uint256) private reserves;

    function sync(address token) public {
        reserves[token] = IErc20(token).balanceOf(address(this));
    }

    function swap(address from, address to, uint256 amount, uint256 least, address receiver, address)
        external
        returns (uint256 out)
    {
        require(IErc20(from).balanceOf(address(this)) - reserves[from] >= amount, "not paid");
        out = _price(amount);
        require(out >= least, "slippage");
        IErc20(to).transfer(receiver, out);
        sync(from);
        sync(to);
    }
}

interface IMaverickCallback {
    function swapCallback(uint256 toPay, uint256 bought, bytes calldata data) external;
}

/// Maverick v1: asks for its input in a callback of its own name.
contract MaverickModel is Priced {
    IErc20 public immutable tokenA;
    IErc20 public immutable tokenB;

    constructor(address a, address b) {
        tokenA = IErc20(a);
        tokenB = IErc20(b);
    }

    function swap(address to, uint256 amount, bool aIn, bool exactOut, uint256 limit, bytes calldata data)
        external
        returns (uint256, uint256 out)
    {
        require(!exactOut && limit == 0, "exact out, or a limit");
        (IErc20 sold, IErc20 bought) = aIn ? (tokenA, tokenB) : (tokenB, tokenA);
        out = _price(amount);
        bought.transfer(to, out);
        uint256 before = sold.balanceOf(address(this));
        IMaverickCallback(msg.sender).swapCallback(amount, out, data);
        require(sold.balanceOf(address(this)) - before >= amount, "not paid");
        return (amount, out);
    }
}
