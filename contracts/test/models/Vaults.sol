// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Balancer v2: one vault pulls by allowance and pays anyone; the native coin is the zero address.
contract BalancerV2Model is Priced {
    struct SingleSwap {
        bytes32 poolId;
        uint8 kind;
        address assetIn;
        address assetOut;
        uint256 amount;
        bytes userData;
    }

    struct FundManagement {
        address sender;
        bool fromInternalBalance;
        address payable recipient;
        bool toInternalBalance;
    }

    bytes32 public constant POOL = keccak256("pool");
    /// Parts of a thousand of the input that a swap takes; 1000 is honest.
    uint256 public takes = 1000;

    function setTakes(uint256 value) external {
        takes = value;
    }

    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256 out)
    {
        require(single.poolId == POOL && single.kind == 0 && deadline >= block.timestamp, "bad swap");
        require(funds.sender == msg.sender, "not a relayer");
        require(!funds.fromInternalBalance && !funds.toInternalBalance, "internal balance");
        out = _price(single.amount);
        require(out >= limit, "limit");
        if (single.assetIn == address(0)) require(msg.value == single.amount, "value");
        else IErc20(single.assetIn).transferFrom(funds.sender, address(this), single.amount * takes / 1000);
        if (single.assetOut == address(0)) funds.recipient.transfer(out);
        else IErc20(single.assetOut).transfer(funds.recipient, out);
    }
}

interface IWrapped4626 {
    function asset() external view returns (address);
}

/// Balancer v3: calls back with the very bytes that it is unlocked with, and wants every account even at the end. A buffer
/// wraps and unwraps at the same rate, and only what it was given before.
contract BalancerV3Model is Priced {
    struct VaultSwapParams {
        uint8 kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGivenRaw;
        uint256 limitRaw;
        bytes userData;
    }

    struct BufferWrapOrUnwrapParams {
        uint8 kind;
        uint8 direction;
        address wrappedToken;
        uint256 amountGivenRaw;
        uint256 limitRaw;
    }

    mapping(address => int256) private owed;
    uint256 private debts;
    mapping(address => uint256) private reserves;
    bool private unlocked;
    /// Parts of a thousand of the input that a swap takes; 1000 is honest.
    uint256 public takes = 1000;

    function setTakes(uint256 value) external {
        takes = value;
    }

    function sync(address token) public {
        reserves[token] = IErc20(token).balanceOf(address(this));
    }

    function unlock(bytes calldata data) external returns (bytes memory) {
        unlocked = true;
        (bool done, bytes memory answer) = msg.sender.call(data);
        if (!done) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        require(debts == 0, "BalanceNotSettled");
        unlocked = false;
        return answer;
    }

    function swap(VaultSwapParams calldata params) external returns (uint256, uint256 took, uint256 out) {
        require(unlocked && params.kind == 0, "locked");
        took = params.amountGivenRaw * takes / 1000;
        out = _price(took);
        _owe(params.tokenIn, int256(took));
        _owe(params.tokenOut, -int256(out));
        return (out, took, out);
    }

    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256, uint256 took, uint256 out)
    {
        require(unlocked && params.kind == 0 && params.direction < 2, "locked");
        (address sold, address bought) = (IWrapped4626(params.wrappedToken).asset(), params.wrappedToken);
        if (params.direction == 1) (sold, bought) = (bought, sold);
        took = params.amountGivenRaw * takes / 1000;
        require(owed[sold] <= -int256(took), "not paid first");
        out = _price(took);
        _owe(sold, int256(took));
        _owe(bought, -int256(out));
        return (out, took, out);
    }

    function _owe(address token, int256 more) private {
        int256 before = owed[token];
        owed[token] = before + more;
        if (before == 0 && more != 0) debts += 1;
        if (before != 0 && before + more == 0) debts -= 1;
    }

    function settle(address token, uint256) external returns (uint256 credit) {
        credit = IErc20(token).balanceOf(address(this)) - reserves[token];
        _owe(token, -int256(credit));
        sync(token);
    }

    function sendTo(address token, address to, uint256 amount) external {
        _owe(token, int256(amount));
        IErc20(token).transfer(to, amount);
        sync(token);
    }
}

/// ERC-4626: deposits pull by allowance, redemptions burn shares of the owner.
contract VaultModel is Priced {
    IErc20 public immutable asset;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(address of_) {
        asset = IErc20(of_);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function deposit(uint256 assets, address receiver) public returns (uint256 shares) {
        asset.transferFrom(msg.sender, address(this), assets);
        shares = _price(assets);
        balanceOf[receiver] += shares;
    }

    function redeem(uint256 shares, address receiver, address owner) public returns (uint256 assets) {
        require(owner == msg.sender, "owner");
        balanceOf[owner] -= shares;
        assets = shares * 1e18 / rate;
        asset.transfer(receiver, assets);
    }

    function wrap(uint256 amount) external returns (uint256) {
        return deposit(amount, msg.sender);
    }

    function unwrap(uint256 amount) external returns (uint256) {
        return redeem(amount, msg.sender, msg.sender);
    }
}
