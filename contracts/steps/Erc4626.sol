// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadWrapper, UnknownVariant} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface IVault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
}

interface IRateWrapper {
    function wrap(uint256 amount) external;
    function unwrap(uint256 amount) external;
}

/// @notice Tokens that wrap others at a rate. extra = variant u8: 0 = ERC-4626, 1 = wrap and unwrap as wstETH has them
/// @dev    The vault is the wrapping token itself, bought or sold: were it anything else, tokens that were pulled could stay
///         behind.
library Erc4626 {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        address wrapped = run.token(head.has(ZERO_FOR_ONE) ? head.dst() : head.src());
        if (wrapped != head.target()) revert BadWrapper(head.target());
        uint256 variant = (Head.unwrap(head) >> 24) & 0xff;
        if (variant == 0) return _vault(run, head, amount, next);
        if (variant == 1) return _wrapper(run, head, amount);
        revert UnknownVariant(variant);
    }

    function _vault(Run run, Head head, uint256 amount, uint256 next) private returns (uint256 out) {
        IVault vault = IVault(head.target());
        address sold = run.token(head.src());
        address receiver = run.receiver(head, next);
        run.hold(head, amount);
        if (head.has(ZERO_FOR_ONE)) {
            Tokens.approve(sold, address(vault), amount);
            out = vault.deposit(amount, receiver);
            Tokens.requireUsed(sold, address(vault));
        } else {
            out = vault.redeem(amount, receiver, address(this));
        }
    }

    /// @dev Rounding of the wrapped token can eat a unit on the way, so what arrived counts.
    function _wrapper(Run run, Head head, uint256 amount) private returns (uint256) {
        head.staysInRouter();
        address wrapper = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        uint256 before = Tokens.balance(bought, address(this));
        run.hold(head, amount);
        if (head.has(ZERO_FOR_ONE)) {
            Tokens.approve(sold, wrapper, amount);
            IRateWrapper(wrapper).wrap(amount);
            Tokens.requireUsed(sold, wrapper);
        } else {
            IRateWrapper(wrapper).unwrap(amount);
        }
        return Tokens.balance(bought, address(this)) - before;
    }
}
