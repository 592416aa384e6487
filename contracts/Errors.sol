// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Every way in which the router itself refuses. A slippage failure alone is an Error(string), since wallets and
// clients look for its words. Whatever a token or a pool reverts with is passed on unchanged.

/// The deadline has passed (or none was given).
error Expired(uint256 deadline, uint256 timestamp);
/// The router is already running a swap in this transaction.
error Reentered();
/// A minimum of zero would accept any price.
error NoMinimum();
/// The recipient may not be the router: it holds nothing between calls, so the tokens would be anyone's.
error BadRecipient(address recipient);
/// The token sold and the token bought are the same, or the table has fewer than two.
error SameToken(address token);
/// Native input must be sent along exactly; other input with no value at all.
error WrongValue(uint256 sent, uint256 wanted);
/// A fee above the cap.
error FeeTooHigh(uint256 bps, uint256 cap);
/// A fee without somebody to pay it to, or to the router itself.
error BadFeeRecipient(address recipient);
/// The route ends inside its token table or inside a step.
error RouteTruncated(uint256 wanted, uint256 end);
/// A step names a register outside the token table, or buys what the route sells.
error BadRegister(uint256 src, uint256 dst, uint256 last);
/// No step of this kind exists.
error UnknownKind(uint256 kind);
/// A step may pay the recipient only in the token bought, where no fee is taken from it and the design can do so.
error BadDirectPayout(uint256 register);
/// Something of a token was left when the steps had run.
error LeftOver(address token, uint256 amount);
/// A payment was asked for that no step of the running swap has promised: another amount, payer, pool or time.
error CallbackRefused(address caller, bytes4 selector);
/// A pool returned without having taken what was sold to it.
error NotTaken(address pool);
/// A pool took another amount than it was sold.
error PartialFill(address pool, uint256 wanted, uint256 took);
/// A second pull of the token sold, or one of the native coin: the router has it already.
error PulledTwice(address token);
/// A step's variant does not exist.
error UnknownVariant(uint256 variant);
/// A maker's order was sold more than it takes, or so little that the maker would pay nothing for it; or, where it fills
/// whole alone, another amount than its own.
error BadFill(address maker, uint256 amount, uint256 takerAmount);
/// A maker's order could not be filled: its signature, nonce, expiry, balance or allowance. The reason is the first
/// four bytes of what Permit2 or AirSwap said.
error MakerRefused(address maker, bytes4 reason);
/// A pool answered with too few bytes, with nothing bought, or with more than can be added to what is there.
error BadAnswer(address pool);
/// A wrapping step whose target is not the wrapped token of the route, or whose other side is not the native coin.
error BadWrapper(address wrapper);
/// A token answered a transfer with `false`, with too few bytes, or has no code.
error TransferFailed(address token, address to, uint256 amount);
/// An account refused the native coin.
error NativeRefused(address to, uint256 amount);
/// The native coin is taken only while a swap runs.
error UnexpectedNative(address sender, uint256 amount);
