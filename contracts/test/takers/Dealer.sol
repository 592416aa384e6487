// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlainToken} from "../models/Tokens.sol";
import {Mischief} from "./Mischief.sol";

/// Sells one token for another, and keeps to nothing: what it takes, what it pays and what it claims to have paid are set
/// apart from each other.
abstract contract Dealer is Mischief {
    PlainToken internal sold;
    PlainToken internal bought;
    uint256 internal pays;
    uint256 internal claims;
    // Parts of a thousand of the input that it takes or asks for: 1000 is honest, and 0 asks for nothing at all.
    uint256 internal takes;
    /// What it has given to callers beyond what it claimed.
    uint256 public gifts;

    function deal(address sells, address buys, uint256 pays_, uint256 claims_, uint256 takes_) external {
        (sold, bought) = (PlainToken(sells), PlainToken(buys));
        (pays, claims, takes) = (pays_, claims_, takes_);
    }

    function approve(PlainToken token, address spender) external {
        token.approve(spender, type(uint256).max);
    }

    function give(PlainToken token, address to, uint256 amount) external {
        token.transfer(to, amount);
        gifts += amount;
    }

    function _part(uint256 amount) internal view returns (uint256) {
        return amount * takes / 1000;
    }

    /// As pools do that are given an allowance.
    function _pull(uint256 amount) internal {
        sold.transferFrom(msg.sender, address(this), _part(amount));
    }

    /// Where the caller believes what is claimed.
    function _pay(address to) internal {
        if (claims < pays) gifts += pays - claims;
        _payMeasured(to);
    }

    /// Where the caller counts what arrives.
    function _payMeasured(address to) internal {
        bought.transfer(to, pays);
    }

    function _call(address target, bytes memory data) internal returns (bytes memory) {
        (bool done, bytes memory answer) = target.call(data);
        if (!done) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}
