// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./Errors.sol";
import {Lock} from "./Lock.sol";
import {HEAD_BYTES, Head, TO_RECIPIENT, readHead} from "./Head.sol";
import {NOT_READ, REGISTERS, Run, Runs} from "./Run.sol";
import {NATIVE, Tokens} from "./Tokens.sol";
import {Permits} from "./Permits.sol";
import {AirSwap} from "./steps/AirSwap.sol";
import {BalancerV2} from "./steps/BalancerV2.sol";
import {BalancerV3} from "./steps/BalancerV3.sol";
import {Converter} from "./steps/Converter.sol";
import {Curve} from "./steps/Curve.sol";
import {Dodo} from "./steps/Dodo.sol";
import {Ekubo} from "./steps/Ekubo.sol";
import {Erc4626} from "./steps/Erc4626.sol";
import {Fluid} from "./steps/Fluid.sol";
import {FluidLite} from "./steps/FluidLite.sol";
import {Funded} from "./steps/Funded.sol";
import {IZiSwap} from "./steps/IZiSwap.sol";
import {Infinity} from "./steps/Infinity.sol";
import {MaverickV1} from "./steps/MaverickV1.sol";
import {Rfq} from "./steps/Rfq.sol";
import {Solidly} from "./steps/Solidly.sol";
import {V2} from "./steps/V2.sol";
import {V2Fee} from "./steps/V2Fee.sol";
import {V3} from "./steps/V3.sol";
import {V4} from "./steps/V4.sol";
import {Wrap} from "./steps/Wrap.sol";

/// @title Braid's router: runs a route that was found elsewhere, and pays or reverts
/// @notice Tokens move from the caller of `swap` or from the router, never from anyone else. Between calls the router
///         holds nothing, remembers nothing and obeys nobody: no owner, no storage, no upgrade, no call of the caller's
///         choosing, no constructor argument. contracts/README.md has the route format byte by byte.
contract Router {
    uint256 private constant BPS = 10_000;
    uint256 private constant FEE_CAP_BPS = 5_000;
    uint256 private constant ADDRESS_BYTES = 20;
    uint256 private constant PERMIT = 17;
    uint256 private constant PERMIT2_PULL = 18;
    uint256 private constant PERMIT_BYTES = 102;
    // Bytes behind a step's fixed part, at the place of its kind.
    bytes32 private constant EXTRA_BYTES = hex"000300001a20030014000001000000860366669a1d2000200104030000000000";

    /// @notice Sells `amountIn` of the route's first token for its last
    /// @param  amountIn  Smallest units taken from the caller, the sell fee included; exactly this much
    /// @param  minOut    The least that the recipient's balance must grow by, the buy fee already taken; not 0
    /// @param  recipient Who is paid; 0 = the caller
    /// @param  terms     deadline, Unix seconds (64 bits) | sell fee, bps (16) | buy fee, bps (16) | fee recipient (160)
    /// @param  route     nTokens u8 | tokens 20 B each | steps
    /// @return out       What the recipient's balance grew by
    function swap(uint256 amountIn, uint256 minOut, address recipient, uint256 terms, bytes calldata route)
        external
        payable
        returns (uint256 out)
    {
        Lock.close();
        if (block.timestamp > terms >> 192) revert Expired(terms >> 192, block.timestamp);
        (Run run, uint256 cursor, address sold, address bought) = _open(amountIn, recipient, route);
        run.start(amountIn);
        if (uint192(terms) != 0) cursor = _takeSellFee(run, cursor, sold, terms);
        _steps(run, cursor);
        out = _pay(run, bought, terms);
        unchecked {
            // A minimum of 0 wraps around and fails too.
            if (out <= minOut - 1) _refuse(minOut);
        }
        Lock.open();
    }

    /// @notice Pools ask for their input here, whatever name their design gave the callback
    /// @dev    Payable only because the check that it is not would cost every callback 15 gas; no pool sends value.
    fallback() external payable {
        // By far the most frequent first; of other callbacks only Balancer v3's has this length.
        if (msg.data.length == V3.CALLBACK_BYTES) V3.callback();
        uint256 selector;
        assembly ("memory-safe") {
            selector := shr(224, calldataload(0x00))
        }
        if (selector == V4.CALLBACK) V4.callback();
        if (selector == BalancerV3.CALLBACK) BalancerV3.callback();
        if (selector == Infinity.CALLBACK) Infinity.callback();
        if (selector == Ekubo.CALLBACK) Ekubo.callback();
        // Of Ekubo's length too, which has gone by: one name for each direction, and neither is read.
        if (msg.data.length == IZiSwap.CALLBACK_BYTES) IZiSwap.callback();
        revert CallbackRefused(msg.sender, bytes4(uint32(selector)));
    }

    /// @notice Wrappers and pools pay the native coin here, while a swap runs
    receive() external payable {
        if (Lock.isOpen()) revert UnexpectedNative(msg.sender, msg.value);
    }

    function _open(uint256 amountIn, address recipient, bytes calldata route)
        private
        view
        returns (Run run, uint256 cursor, address sold, address bought)
    {
        uint256 count;
        uint256 last;
        uint256 table;
        uint256 value;
        address payer;
        assembly ("memory-safe") {
            // An empty route reads whatever follows it in calldata; the check behind the steps refuses it.
            count := byte(0, calldataload(route.offset))
            last := sub(count, iszero(iszero(count)))
            table := add(route.offset, 1)
            cursor := add(table, mul(count, ADDRESS_BYTES))
            sold := shr(96, calldataload(table))
            bought := shr(96, calldataload(add(table, mul(last, ADDRESS_BYTES))))
            let native := eq(sold, NATIVE)
            value := mul(native, amountIn)
            payer := xor(caller(), mul(xor(caller(), address()), native))
            recipient := or(recipient, mul(caller(), iszero(recipient)))
        }
        if (msg.value != value) revert WrongValue(msg.value, value);
        if (sold == bought) revert SameToken(sold); // a table of none or one too
        if (recipient == address(this)) revert BadRecipient(recipient);
        uint256 end;
        assembly ("memory-safe") {
            end := add(route.offset, route.length)
        }
        run = Runs.open(payer, recipient, table, count, last, end);
    }

    /// @dev A permit at the head of the route comes before the fee, which is the first thing that it is needed for.
    function _takeSellFee(Run run, uint256 cursor, address sold, uint256 terms) private returns (uint256) {
        address to = address(uint160(terms));
        if (to == address(0) || to == address(this)) revert BadFeeRecipient(to);
        if (uint16(terms >> 160) != 0) run.keepCustody();
        Head head = readHead(cursor);
        if (head.kind() == PERMIT || head.kind() == PERMIT2_PULL) {
            unchecked {
                cursor += HEAD_BYTES + PERMIT_BYTES;
            }
            _rareStep(run, head, run.take(head), cursor);
        }
        uint256 amountIn = run.left(0);
        uint256 fee = _feeOf(amountIn, uint16(terms >> 176));
        if (fee != 0) {
            if (sold == NATIVE) Tokens.sendNative(to, fee);
            else Tokens.move(sold, run.payer(), to, fee);
            unchecked {
                run.start(amountIn - fee);
            }
        }
        return cursor;
    }

    /// @dev floor(amount·bps / 10,000) in two halves, so that no amount overflows.
    function _feeOf(uint256 amount, uint256 bps) private pure returns (uint256) {
        if (bps > FEE_CAP_BPS) revert FeeTooHigh(bps, FEE_CAP_BPS);
        unchecked {
            return (amount / BPS) * bps + ((amount % BPS) * bps) / BPS;
        }
    }

    /// @dev Whatever a step that overruns the route has read and done is undone by the check at the end.
    function _steps(Run run, uint256 cursor) private {
        uint256 end = run.end();
        uint256 last = run.last();
        while (cursor < end) {
            Head head = readHead(cursor);
            uint256 amount;
            uint256 out;
            bool outside;
            assembly ("memory-safe") {
                cursor := add(cursor, add(HEAD_BYTES, byte(byte(0, head), EXTRA_BYTES)))
                outside := or(iszero(lt(sub(byte(3, head), 1), last)), gt(byte(2, head), last))
            }
            if (outside) revert BadRegister(head.src(), head.dst(), last);
            // As Run.take and Run.credit do, without the jumps.
            if (head.takesAll()) {
                assembly ("memory-safe") {
                    let slot := add(add(run, REGISTERS), shl(5, byte(2, head)))
                    amount := mload(slot)
                    mstore(slot, 0)
                }
            } else {
                amount = run.take(head);
            }
            uint256 kind = head.kind();
            if (kind == 3) out = V3.swap(run, head, amount, cursor);
            else if (kind == 1) out = V2.swap(run, head, amount, cursor);
            else {
                if (kind == 4) cursor = V4.swap(run, head, amount, cursor);
                else _rareStep(run, head, amount, cursor);
                continue;
            }
            if (!head.has(TO_RECIPIENT)) {
                bool wraps;
                assembly ("memory-safe") {
                    let slot := add(add(run, REGISTERS), shl(5, byte(3, head)))
                    let sum := add(mload(slot), out)
                    wraps := lt(sum, out)
                    mstore(slot, sum)
                }
                if (wraps) revert BadAnswer(head.target());
            }
        }
        if (cursor != end) revert RouteTruncated(cursor, end);
    }

    function _rareStep(Run run, Head head, uint256 amount, uint256 next) private {
        uint256 kind = head.kind();
        uint256 out;
        if (kind == 7) out = Wrap.swap(run, head, amount);
        else if (kind == 2) out = Solidly.swap(run, head, amount, next);
        else if (kind == 6) out = Curve.swap(run, head, amount);
        else if (kind == 5) out = BalancerV2.swap(run, head, amount, next);
        else if (kind == 15) out = Rfq.swap(run, head, amount, next);
        else out = _rarerStep(run, head, amount, next);
        if (!head.has(TO_RECIPIENT)) run.credit(head, out);
    }

    function _rarerStep(Run run, Head head, uint256 amount, uint256 next) private returns (uint256 out) {
        uint256 kind = head.kind();
        if (kind == 8) return BalancerV3.swap(run, head, amount, next);
        if (kind == 9) return Dodo.swapV2(run, head, amount, next);
        if (kind == 10) return Dodo.swapV1(run, head, amount);
        if (kind == 11) return Erc4626.swap(run, head, amount, next);
        if (kind == 12) return Funded.swapLiquidityBook(run, head, amount, next);
        if (kind == 13) return Funded.swapWooFi(run, head, amount, next);
        if (kind == 14) return MaverickV1.swap(run, head, amount, next);
        if (kind == 16) return V2Fee.swap(run, head, amount, next);
        if (kind == 19) return AirSwap.swap(run, head, amount, next);
        if (kind == 20) return Infinity.swap(run, head, amount, next);
        if (kind == 21) return Ekubo.swap(run, head, amount, next);
        if (kind == 22) return Fluid.swap(run, head, amount, next);
        if (kind == 23) return FluidLite.swap(run, head, amount, next);
        if (kind == 24) return Converter.swap(run, head, amount, next);
        if (kind == 25) return Funded.swapMaverick(run, head, amount, next);
        if (kind == 26) return IZiSwap.swap(run, head, amount, next);
        if (kind != PERMIT && kind != PERMIT2_PULL) revert UnknownKind(kind);
        if (head.src() != 0) revert BadRegister(head.src(), head.dst(), run.last());
        run.putBack(head, amount);
        if (kind == PERMIT) Permits.permit(run, head, next);
        else Permits.pull(run, amount, next);
    }

    /// @dev What the router holds of the token bought goes out here: the fee, then all the rest. Every other register
    ///      must be empty: what stayed in the router would be anyone's.
    function _pay(Run run, address bought, uint256 terms) private returns (uint256) {
        (uint256 gross, uint256 rest) = run.close();
        if (rest != 0) _complain(run);
        address recipient = run.recipient();
        uint256 before = run.balanceBefore();
        if (gross != 0) {
            uint256 bps = uint16(terms >> 160);
            if (bps != 0) {
                uint256 fee = _feeOf(gross, bps);
                if (fee != 0) Tokens.pay(bought, address(uint160(terms)), fee);
                unchecked {
                    gross -= fee;
                }
            }
            if (before == NOT_READ) before = Tokens.balance(bought, recipient);
            Tokens.pay(bought, recipient, gross);
        }
        uint256 balance = Tokens.balance(bought, recipient);
        unchecked {
            return balance > before ? balance - before : 0;
        }
    }

    function _complain(Run run) private pure {
        uint256 index = 0;
        while (run.left(index) == 0) ++index;
        revert LeftOver(run.token(index), run.left(index));
    }

    function _refuse(uint256 minOut) private pure {
        if (minOut == 0) revert NoMinimum();
        revert("min return not reached");
    }
}
