import { debts } from "./debts.ts";
import { incidents } from "./incidents.ts";
import { type Defect, inFile } from "./mutant.ts";
import { owedSteps } from "./owed-steps.ts";
import { rogues } from "./rogues.ts";
import { steps } from "./steps.ts";
import { wrapperSteps } from "./wrapper-steps.ts";

const core = [
  ...inFile(
    "Router.sol",
    ["deadline not checked", "if (block.timestamp > terms >> 192)", "if (false)"],
    ["deadline off by one", "block.timestamp > terms >> 192)", "block.timestamp >= terms >> 192)"],
    ["lock not closed", "Lock.close();", ""],
    ["lock not opened", "        Lock.open();", ""],
    ["minimum not checked", "if (out <= minOut - 1)", "if (false)"],
    ["minimum off by one", "out <= minOut - 1", "out < minOut - 1"],
    ["value not checked", "if (msg.value != value)", "if (false)"],
    ["same token not refused", "if (sold == bought)", "if (false)"],
    ["router as recipient", "if (recipient == address(this))", "if (false)"],
    ["recipient swapped for the caller", "recipient := or(recipient, ", "recipient := or(0, "],
    ["router as fee recipient", "to == address(0) || to == address(this)", "to == address(0)"],
    ["fee without recipient", "to == address(0) || to == address(this)", "to == address(this)"],
    ["fee cap not checked", "if (bps > FEE_CAP_BPS)", "if (false)"],
    ["fee cap off by one", "if (bps > FEE_CAP_BPS)", "if (bps >= FEE_CAP_BPS)"],
    ["fee rounded up", "((amount % BPS) * bps) / BPS", "((amount % BPS) * bps + BPS - 1) / BPS"],
    ["fee overflows", "(amount / BPS) * bps + ((amount % BPS) * bps) / BPS", "amount * bps / BPS"],
    [
      "sell fee is the buy fee",
      "_feeOf(amountIn, uint16(terms >> 176))",
      "_feeOf(amountIn, uint16(terms >> 160))",
    ],
    ["sell fee beside the amount", "run.start(amountIn - fee);", "run.start(amountIn);"],
    ["buy fee beside the payout", "gross -= fee;", "gross -= 0;"],
    ["buy fee without custody", "run.keepCustody();", "{}"],
    ["permit after the fee", "head.kind() == PERMIT || head.kind() == PERMIT2_PULL", "false"],
    ["source register off by one", "gt(byte(2, head), last))", "gt(byte(2, head), add(last, 1)))"],
    [
      "destination register off by one",
      "lt(sub(byte(3, head), 1), last)",
      "lt(sub(byte(3, head), 1), add(last, 1))",
    ],
    ["the sold token can be bought", "lt(sub(byte(3, head), 1), last)", "lt(byte(3, head), add(last, 1))"],
    ["route end not checked", "if (cursor != end)", "if (false)"],
    [
      "direct payouts credited too",
      "            if (!head.has(TO_RECIPIENT)) {\n                bool wraps",
      "            {\n                bool wraps",
    ],
    ["a step leaves what it takes", "                    mstore(slot, 0)\n", ""],
    ["every share is all", "if (head.takesAll()) {", "if (true) {"],
    ["what came out replaces what was there", "let sum := add(mload(slot), out)", "let sum := out"],
    ["a sum of the loop wraps around", "if (wraps) revert BadAnswer(head.target());", ""],
    ["leftovers not refused", "if (rest != 0) _complain(run);", ""],
    [
      "what was there counts as paid",
      "if (before == NOT_READ) before = Tokens.balance(bought, recipient);",
      "if (before == NOT_READ) before = 0;",
    ],
    ["a falling balance wraps around", "balance > before ? balance - before : 0", "balance - before"],
    ["native taken at any time", "if (Lock.isOpen())", "if (false)"],
    ["permits for other tokens", "if (head.src() != 0) revert BadRegister", "if (false) revert BadRegister"],
    ["unknown kinds pass", "if (kind != PERMIT && kind != PERMIT2_PULL) revert UnknownKind(kind);", ""],
    [
      "a callback that is not owed passes",
      "        revert CallbackRefused(msg.sender, bytes4(uint32(selector)));",
      "",
    ],
  ),
  ...inFile(
    "Run.sol",
    [
      "share rounded up",
      "amount := add(mul(shr(32, all), share), shr(32, mul(and(all, 0xffffffff), share)))",
      "amount := add(mul(shr(32, all), share), shr(32, add(mul(and(all, 0xffffffff), share), 0xffffffff)))",
    ],
    [
      "share overflows",
      "amount := add(mul(shr(32, all), share), shr(32, mul(and(all, 0xffffffff), share)))",
      "amount := shr(32, mul(all, share))",
    ],
    ["registers not debited", "mstore(slot, rest)", ""],
    ["a register's sum wraps around", "if (wraps) revert BadAnswer(head.target());", ""],
    ["only three registers checked", "if iszero(lt(slot, top)) { break }", "break"],
    ["one register not checked", "if iszero(lt(slot, top))", "if iszero(lt(slot, sub(top, 0x20)))"],
    ["every register is the caller's", "if iszero(index) { found := mload(run) }", "found := mload(run)"],
    ["no register is the caller's", "if iszero(index) { found := mload(run) }", ""],
    ["direct payout not checked", "if (head.dst() != direct)", "if (false)"],
    ["next pool beyond the end", "if (next >= end(run))", "if (false)"],
    ["balance before read again", "if (balanceBefore(run) == NOT_READ)", "if (true)"],
    [
      "registers not zero at first",
      "mstore(add(run, DIRECT), bought)",
      "mstore(add(run, REGISTERS), bought) mstore(add(run, add(REGISTERS, 0x20)), bought) mstore(add(run, DIRECT), bought)",
    ],
    ["calls are laid out over the run", "RUN = 0x1e0;", "RUN = 0x1c0;"],
    [
      "the run's memory not taken",
      "mstore(0x40, add(add(run, REGISTERS), shl(5, add(count, 2))))",
      "mstore(0x40, run)",
    ],
  ),
  ...inFile(
    "Lock.sol",
    ["lock not checked", "if (_read() != OPEN) revert Reentered();", ""],
    ["any debt redeems", "if (_read() != result) return false;", ""],
    [
      "debt not used up",
      "        if (_read() != result) return false;\n        _write(RUNNING);",
      "        if (_read() != result) return false;",
    ],
  ),
  ...inFile(
    "Tokens.sol",
    [
      "transfers that fail pass",
      "if (!usual) judge(done, token, to, amount);\n    }\n\n    /// @notice Pays",
      "}\n\n    /// @notice Pays",
    ],
    ["tokens without code pass", "gt(extcodesize(token), 0)", "1"],
    [
      "a false answer passes",
      "fine := and(and(done, iszero(returndatasize())), gt(extcodesize(token), 0))",
      "fine := and(done, gt(extcodesize(token), 0))",
    ],
    [
      "a transfer that fails with a true passes",
      "}\n            usual := and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done)",
      "}\n            usual := and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f))",
    ],
    [
      "an approval that fails with a true passes",
      "0x00, 0x20)\n            usual := and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done)",
      "0x00, 0x20)\n            usual := and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f))",
    ],
    ["reasons are swallowed", "revert(m, returndatasize())", "done := 0"],
    [
      "short answers are balances",
      "done := and(gt(returndatasize(), 0x1f), staticcall(gas(), token, 0x1c, 0x24, 0x00, 0x20))",
      "done := staticcall(gas(), token, 0x1c, 0x24, 0x00, 0x20)",
    ],
    ["allowances may stay", "if (rest != 0) revert NotTaken(spender);", ""],
    ["native refused goes unnoticed", "if (!done) revert NativeRefused(to, amount);", ""],
  ),
];

export const defects: readonly Defect[] = [
  ...incidents,
  ...rogues,
  ...debts,
  ...core,
  ...steps,
  ...owedSteps,
  ...wrapperSteps,
];
