// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function approve(address spender, uint256 value) external returns (bool);
}

interface IV3 {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external;
    function token0() external view returns (address);
    function token1() external view returns (address);
}

interface IV2 {
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
    function token1() external view returns (address);
}

/// A token that trades in somebody else's pool, keeps a part, or reverts, whenever it is taken from its holder.
contract HostileToken {
    enum Trade {
        None,
        V2,
        V3
    }

    string public constant name = "Hostile";
    string public constant symbol = "EVIL";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1e30;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    Trade private trade;
    address private pool;
    bool private zeroForOne;
    uint256 private traded;
    uint256 private keptPpm;
    bool private reverting;

    constructor() {
        balanceOf[msg.sender] = totalSupply;
    }

    function arm(Trade trade_, address pool_, bool zeroForOne_, uint256 traded_, uint256 keptPpm_, bool reverting_)
        external
    {
        (trade, pool, zeroForOne, traded, keptPpm, reverting) =
            (trade_, pool_, zeroForOne_, traded_, keptPpm_, reverting_);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(!reverting, "not today");
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value - (value * keptPpm) / 1e6;
        if (trade == Trade.V3) _tradeV3();
        if (trade == Trade.V2) _tradeV2();
        return true;
    }

    function _tradeV3() private {
        uint160 limit =
            zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        IV3(pool).swap(address(this), zeroForOne, int256(traded), limit, "");
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        address sold = amount0 > 0 ? IV3(msg.sender).token0() : IV3(msg.sender).token1();
        IToken(sold).transfer(msg.sender, uint256(amount0 > 0 ? amount0 : amount1));
    }

    function _tradeV2() private {
        (uint256 reserve0, uint256 reserve1,) = IV2(pool).getReserves();
        (uint256 held, uint256 paying) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 out = (traded * 990 * paying) / (held * 1000 + traded * 990);
        IToken(zeroForOne ? IV2(pool).token0() : IV2(pool).token1()).transfer(pool, traded);
        IV2(pool).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, address(this), "");
    }
}

/// A wallet that is a contract: it passes on a part of what it is paid, or reverts.
contract HostileTaker {
    uint256 private forwarded;
    bool private reverting;

    function arm(uint256 forwarded_, bool reverting_) external {
        (forwarded, reverting) = (forwarded_, reverting_);
    }

    function approve(address token, address spender) external {
        IToken(token).approve(spender, type(uint256).max);
    }

    receive() external payable {
        require(!reverting, "no thanks");
        if (forwarded == 0) return;
        (bool done,) = address(0xdead).call{value: forwarded}("");
        require(done, "not passed on");
    }
}
