// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./Errors.sol";
import {Lock} from "./Lock.sol";
import {HEAD_BYTES, Head, MEASURED, NOT_READ, Run, Runs, TO_NEXT, TO_RECIPIENT, readHead} from "./Run.sol";
import {NATIVE, Tokens} from "./Tokens.sol";
import {V2} from "./steps/V2.sol";
import {V3} from "./steps/V3.sol";
import {Wrap} from "./steps/Wrap.sol";

/// @title Braid's router: runs a route that was found elsewhere, and pays or reverts
/// @notice Tokens move from the caller of `swap` or from the router, never from anyone else. Between calls the router
///         holds nothing, remembers nothing and obeys nobody: no owner, no storage, no upgrade, no call of the caller's
///         choosing, no constructor argument. contracts/README.md has the route format byte by byte.
contract Router {
    uint256 private constant BPS = 10_000;
    uint256 private constant FEE_CAP_BPS = 5_000;
    uint256 private constant ADDRESS_BYTES = 20;

    /// @notice Sells `amountIn` of the route's first token for its last
    /// @param  amountIn  Smallest units taken from the caller, the sell fee included; exactly this much
    /// @param  minOut    The least that the recipient's balance must grow by, the buy fee already taken; not 0
    /// @param  recipient Who is paid; 0 = the caller
    /// @param  terms     0 (24 bits) | deadline, Unix seconds (40) | sell fee, bps (16) | buy fee, bps (16) | fee recipient (160)
    /// @param  route     nTokens u8 | tokens 20 B each | steps
    /// @return out       What the recipient's balance grew by
    function swap(uint256 amountIn, uint256 minOut, address recipient, uint256 terms, bytes calldata route)
        external
        payable
        returns (uint256 out)
    {
        Lock.close();
        if (terms >> 232 != 0) revert BadTerms(terms);
        if (block.timestamp > terms >> 192) revert Expired(terms >> 192, block.timestamp);
        if (minOut == 0) revert NoMinimum();

        (Run memory run, uint256 cursor) = _open(recipient, route);
        address sold = Runs.token(run, 0);
        if (sold == NATIVE) {
            if (msg.value != amountIn) revert WrongValue(msg.value, amountIn);
            run.payer = address(this);
        } else if (msg.value != 0) {
            revert WrongValue(msg.value, 0);
        }
        if (uint192(terms) != 0) amountIn -= _takeSellFee(run, sold, amountIn, terms);
        uint256 registers = run.registers;
        assembly ("memory-safe") {
            mstore(registers, amountIn)
        }

        _steps(run, cursor);
        out = _pay(run, terms);
        if (out < minOut) revert("min return not reached");
        Lock.open();
    }

    /// @notice Pools ask for their input here, whatever name their design gave the callback
    fallback() external {
        V3.callback();
    }

    /// @notice Wrappers and pools pay the native coin here, while a swap runs
    receive() external payable {
        if (Lock.isOpen()) revert UnexpectedNative(msg.sender, msg.value);
    }

    function _open(address recipient, bytes calldata route) private view returns (Run memory run, uint256 cursor) {
        uint256 count;
        uint256 registers;
        uint256 tokens;
        assembly ("memory-safe") {
            tokens := add(route.offset, 1)
            // An empty route reads whatever follows it in calldata; the length check below refuses it.
            count := byte(0, calldataload(route.offset))
            registers := mload(0x40)
            let size := shl(5, count)
            mstore(0x40, add(registers, size))
            calldatacopy(registers, calldatasize(), size)
        }
        run.end = tokens + route.length - 1;
        cursor = tokens + count * ADDRESS_BYTES;
        if (cursor > run.end) revert RouteTruncated(cursor, run.end);
        if (count < 2) revert TooFewTokens(count);
        run.payer = msg.sender;
        run.recipient = recipient == address(0) ? msg.sender : recipient;
        if (run.recipient == address(this)) revert BadRecipient(run.recipient);
        run.tokens = tokens;
        run.last = count - 1;
        run.registers = registers;
        run.balanceBefore = NOT_READ;
        if (Runs.token(run, 0) == Runs.token(run, run.last)) revert SameToken(Runs.token(run, 0));
    }

    function _takeSellFee(Run memory run, address sold, uint256 amountIn, uint256 terms)
        private
        returns (uint256 fee)
    {
        address to = address(uint160(terms));
        if (to == address(0) || to == address(this)) revert BadFeeRecipient(to);
        run.custody = uint16(terms >> 160) != 0;
        fee = _feeOf(amountIn, uint16(terms >> 176));
        if (fee == 0) return 0;
        if (run.payer == address(this)) Tokens.pay(sold, to, fee);
        else Tokens.transferFrom(sold, run.payer, to, fee);
    }

    /// @dev floor(amount·bps / 10,000) in two halves, so that no amount overflows.
    function _feeOf(uint256 amount, uint256 bps) private pure returns (uint256) {
        if (bps > FEE_CAP_BPS) revert FeeTooHigh(bps, FEE_CAP_BPS);
        return (amount / BPS) * bps + ((amount % BPS) * bps) / BPS;
    }

    function _steps(Run memory run, uint256 cursor) private {
        while (cursor < run.end) {
            Head head = readHead(cursor);
            uint256 next = cursor + HEAD_BYTES + _extraBytes(head.kind());
            if (next > run.end) revert RouteTruncated(next, run.end);
            if (head.src() > run.last) revert BadRegister(head.src(), run.last);
            if (head.dst() > run.last || head.dst() == 0) revert BadRegister(head.dst(), run.last);
            if (head.has(MEASURED)) _measuredStep(run, head, next);
            else _plainStep(run, head, next);
            cursor = next;
        }
    }

    function _plainStep(Run memory run, Head head, uint256 next) private {
        uint256 out = _step(run, head, next);
        if (!head.has(TO_RECIPIENT)) Runs.credit(run, head, out);
    }

    /// @dev Believes the balance and not the pool. Where somebody else is paid, the pool's word stands and what that
    ///      receiver got is measured by the next step or by the final check.
    function _measuredStep(Run memory run, Head head, uint256 next) private {
        if (head.has(TO_RECIPIENT | TO_NEXT)) return _plainStep(run, head, next);
        address bought = Runs.token(run, head.dst());
        uint256 before = Tokens.balance(bought, address(this));
        _step(run, head, next);
        Runs.credit(run, head, Tokens.balance(bought, address(this)) - before);
    }

    function _step(Run memory run, Head head, uint256 next) private returns (uint256 out) {
        uint256 kind = head.kind();
        uint256 amount = Runs.take(run, head);
        if (kind == 1) return V2.swap(run, head, amount, next);
        if (kind == 3) return V3.swap(run, head, amount, next);
        if (kind == 7) return Wrap.swap(run, head, amount);
        revert UnknownKind(kind);
    }

    function _extraBytes(uint256 kind) private pure returns (uint256) {
        return kind == 1 ? V2.EXTRA_BYTES : 0;
    }

    /// @dev What the router holds of the token bought goes out here: the fee, then all the rest.
    function _pay(Run memory run, uint256 terms) private returns (uint256 out) {
        for (uint256 index = 0; index < run.last; ++index) {
            uint256 rest = Runs.left(run, index);
            if (rest != 0) revert LeftOver(Runs.token(run, index), rest);
        }
        address bought = Runs.token(run, run.last);
        uint256 gross = Runs.left(run, run.last);
        if (gross != 0) {
            if (run.custody) {
                uint256 fee = _feeOf(gross, uint16(terms >> 160));
                if (fee != 0) Tokens.pay(bought, address(uint160(terms)), fee);
                gross -= fee;
            }
            if (run.balanceBefore == NOT_READ) {
                run.balanceBefore = Tokens.balance(bought, run.recipient);
            }
            Tokens.pay(bought, run.recipient, gross);
        }
        uint256 balance = Tokens.balance(bought, run.recipient);
        return balance > run.balanceBefore ? balance - run.balanceBefore : 0;
    }
}
