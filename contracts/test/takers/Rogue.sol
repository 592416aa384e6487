// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV2Model, BalancerV3Model} from "../models/Vaults.sol";
import {FluidLiteModel} from "../models/FluidLite.sol";
import {ILockCallback, InfinityManagerModel} from "../models/Infinity.sol";
import {MaverickV2Model} from "../models/MaverickV2.sol";
import {IUnlockCallback, V4Model} from "../models/V4.sol";
import {Asker} from "./Asker.sol";

/// A hostile pool, manager, vault, converter or settler of every design.
contract Rogue is Asker {
    // Of two designs that share a selector, the one that it stands for.
    bool private isOther;
    // Handed back by a manager in the place of what its callback answered.
    bytes private handBack;

    function pose(bytes4 callback, bool other, bytes calldata instead) external {
        (callbackName, isOther, handBack) = (callback, other, instead);
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        // Of so deep a pool the formula gives what is claimed, less a unit or so.
        return address(sold) < address(bought) ? (uint256(1), claims, uint256(0)) : (claims, uint256(1), uint256(0));
    }

    function getAmountOut(uint256, address) external view returns (uint256) {
        return claims;
    }

    /// Uniswap v2 and Solidly.
    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        take(address(bought), to, out0 + out1);
    }

    /// Uniswap v4's manager, or Balancer v3's Vault, which calls back with what it was given.
    function unlock(bytes calldata data) external returns (bytes memory answer) {
        _moment();
        if (takes == 0) {
            _payMeasured(msg.sender);
            answer = abi.encode(claims);
        } else if (isOther) {
            _call(msg.sender, data);
            answer = abi.encode(claims);
        } else {
            answer = IUnlockCallback(msg.sender).unlockCallback(data);
        }
        _moment();
        if (handBack.length > 0) answer = handBack;
    }

    /// Uniswap v4.
    function swap(V4Model.PoolKey calldata, V4Model.SwapParams calldata params, bytes calldata) external returns (int256) {
        return _reported(params.zeroForOne, params.amountSpecified);
    }

    function _reported(bool down, int256 specified) private returns (int256) {
        _moment();
        int256 paid = -int256(_part(uint256(-specified)));
        int256 got = int256(claims);
        (int256 first, int256 second) = down ? (paid, got) : (got, paid);
        return first << 128 | int256(uint256(uint128(int128(second))));
    }

    /// PancakeSwap Infinity's manager, which names itself for its Vault.
    function vault() external view returns (address) {
        return address(this);
    }

    function lock(bytes calldata data) external returns (bytes memory answer) {
        _moment();
        if (takes == 0) {
            _payMeasured(msg.sender);
            answer = abi.encode(claims);
        } else {
            answer = ILockCallback(msg.sender).lockAcquired(data);
        }
        _moment();
    }

    function swap(
        InfinityManagerModel.PoolKey calldata,
        InfinityManagerModel.SwapParams calldata params,
        bytes calldata
    ) external returns (int256) {
        return _reported(params.zeroForOne, params.amountSpecified);
    }

    function sync(address) external {
        _moment();
    }

    function settle() external payable returns (uint256) {
        _moment();
        return 0;
    }

    /// Pays as much less or more than it is asked for as it pays less or more than it claims.
    function take(address token, address to, uint256 amount) public {
        _moment();
        uint256 sum = pays < claims ? amount - _least(amount, claims - pays) : amount + (pays - claims);
        if (sum > amount) gifts += sum - amount;
        _call(token, abi.encodeCall(bought.transfer, (to, sum)));
        _moment();
    }

    function _least(uint256 one, uint256 other) private pure returns (uint256) {
        return one < other ? one : other;
    }

    /// Balancer v3.
    function swap(BalancerV3Model.VaultSwapParams calldata params) external returns (uint256, uint256, uint256) {
        _moment();
        return (claims, _part(params.amountGivenRaw), claims);
    }

    function erc4626BufferWrapOrUnwrap(BalancerV3Model.BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256, uint256, uint256)
    {
        _moment();
        return (claims, _part(params.amountGivenRaw), claims);
    }

    function settle(address, uint256) external returns (uint256) {
        _moment();
        return 0;
    }

    function sendTo(address token, address to, uint256 amount) external {
        take(token, to, amount);
    }

    /// Balancer v2.
    function swap(
        BalancerV2Model.SingleSwap calldata single,
        BalancerV2Model.FundManagement calldata funds,
        uint256,
        uint256
    ) external payable returns (uint256) {
        _pullAndPay(single.amount, funds.recipient);
        return claims;
    }

    /// Curve, which answers nothing.
    function exchange(int128, int128, uint256 amount, uint256) external payable {
        _pullAndPay(amount, msg.sender);
    }

    /// DODO v2.
    function sellBase(address to) external returns (uint256) {
        return _paid(to);
    }

    /// DODO v1.
    function sellBaseToken(uint256 amount, uint256, bytes calldata) external returns (uint256) {
        _pullAndPay(amount, msg.sender);
        return claims;
    }

    /// Liquidity Book: 2.0 answers two words, its heirs one.
    function swap(bool, address to) external {
        _paid(to);
        uint256 claimed = claims;
        bool old = isOther;
        assembly {
            mstore(0x00, 0)
            mstore(0x20, claimed)
            if old { return(0x00, 0x40) }
            mstore(0x00, shl(128, claimed))
            return(0x00, 0x20)
        }
    }

    /// WooFi v2.
    function swap(address, address, uint256, uint256, address to, address) external returns (uint256) {
        return _paid(to);
    }

    /// Maverick v2.
    function swap(address to, MaverickV2Model.SwapParams calldata p, bytes calldata) external returns (uint256, uint256) {
        return (p.amount, _paid(to));
    }

    /// Sky.
    function daiToUsds(address to, uint256 amount) external {
        _pullAndPay(amount, to);
    }

    /// Fluid.
    function swapIn(bool, uint256 amount, uint256, address to) external payable returns (uint256) {
        _pullAndPay(amount, to);
        return claims;
    }

    /// Fluid DEX Lite, which pays before it pulls.
    function swapSingle(
        FluidLiteModel.DexKey calldata, bool, int256 amount, uint256, address to, bool, bytes calldata, bytes calldata
    ) external payable returns (uint256 claimed) {
        claimed = _paid(to);
        _pull(uint256(amount));
        _moment();
    }

    /// AirSwap.
    function swap(
        address to,
        uint256,
        uint256,
        address,
        address,
        uint256,
        address,
        uint256 amount,
        uint8,
        bytes32,
        bytes32
    ) external {
        _pullAndPay(amount, to);
    }

    /// Ekubo, which calls back by the selector 0.
    function lock() external returns (uint256) {
        _moment();
        if (takes == 0) _payMeasured(msg.sender);
        else _call(msg.sender, bytes.concat(bytes4(0), bytes32(0), msg.data[4:]));
        _moment();
        return claims;
    }

    /// Ekubo's swap, by the same selector.
    fallback() external payable {
        require(msg.sig == 0 && msg.data.length == 132);
        _moment();
        uint256 words = uint256(bytes32(msg.data[100:]));
        int256 took = int256(_part(uint128(words >> 32)));
        int256 got = -int256(claims);
        (int256 first, int256 second) = words >> 31 & 1 == 1 ? (got, took) : (took, got);
        int256 delta = first << 128 | int256(uint256(uint128(int128(second))));
        assembly {
            mstore(0x00, delta)
            mstore(0x20, 0)
            return(0x00, 0x40)
        }
    }

    function startPayments() external {
        _moment();
    }

    function completePayments() external {
        _moment();
    }

    function withdraw() external {
        take(address(bytes20(msg.data[4:])), address(bytes20(msg.data[24:])), uint128(bytes16(msg.data[44:])));
    }

    function _paid(address to) private returns (uint256) {
        _moment();
        _pay(to);
        _moment();
        return claims;
    }

    function _pullAndPay(uint256 amount, address to) private {
        _moment();
        _pull(amount);
        _moment();
        _pay(to);
        _moment();
    }

    receive() external payable {}
}
