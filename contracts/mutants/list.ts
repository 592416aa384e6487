/** One defect put into the router: the tests must notice every one. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file … */
  readonly from: string;
  /** … and is replaced by this. */
  readonly to: string;
};

function inFile(file: string, ...rows: readonly (readonly [string, string, string])[]): readonly Mutant[] {
  return rows.map(([name, from, to]) => ({ name, file, from, to }));
}

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
      "            if (!head.has(TO_RECIPIENT)) {\n                assembly",
      "            {\n                assembly",
    ],
    ["a step leaves what it takes", "                    mstore(slot, 0)\n", ""],
    ["every share is all", "if (head.takesAll()) {", "if (true) {"],
    ["what came out replaces what was there", "mstore(slot, add(mload(slot), out))", "mstore(slot, out)"],
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

const pools = [
  ...inFile(
    "steps/V2.sol",
    ["v2 fee off by one", "(PPM - feePpm)", "(PPM - feePpm - 1)"],
    [
      "v2 direction",
      "let flip := shl(5, zeroForOne)\n            reserveIn",
      "let flip := shl(5, iszero(zeroForOne))\n            reserveIn",
    ],
    ["v2 pays what is paid already", "if (!head.has(PREFUNDED)) ", ""],
    ["v2 answer not checked", "done := and(done, gt(returndatasize(), 0x3f))", ""],
  ),
  ...inFile(
    "steps/V2Fee.sol",
    [
      "fee token believed on arrival",
      "Tokens.balance(run.token(head.src()), address(pair)) - reserveIn",
      "amount",
    ],
    ["fee token believed on payout", "return Tokens.balance(bought, to) - before;", "return out;"],
  ),
  ...inFile(
    "steps/V3.sol",
    ["v3 debt not used up", "tstore(WORD, RUNNING)", ""],
    ["v3 debt not checked", "if owed {", "if 1 {"],
    ["v3 input not taken", "eq(tload(WORD), RUNNING)", "1"],
    [
      "v3 answer not checked",
      "fine := and(and(gt(returndatasize(), 0x3f), sgt(out, 0)), ",
      "fine := and(1, ",
    ],
    [
      "v3 pays twice what is asked",
      "mstore(0x00, 0x23b872dd)",
      "mstore(0x60, mul(asked, 2)) mstore(0x00, 0x23b872dd)",
    ],
    [
      "v3 pays another than who asked",
      "mstore(0x00, 0x23b872dd)",
      "mstore(0x40, origin()) mstore(0x00, 0x23b872dd)",
    ],
    ["v3 believes a token", "Tokens.judge(done, token, msg.sender, asked);", ""],
    ["v3 leaves the free pointer behind", "mstore(0x40, free)", ""],
    [
      "v3 takes the router for every payer",
      "let payer := address()\n            if iszero(source) { payer := mload(run) }",
      "let payer := address()",
    ],
    [
      "v3 price limits swapped",
      "xor(HIGHEST, mul(xor(LOWEST, HIGHEST), zeroForOne))",
      "xor(LOWEST, mul(xor(LOWEST, HIGHEST), zeroForOne))",
    ],
  ),
  ...inFile(
    "steps/V4.sol",
    ["v4 registers believed", "if (!Lock.resume(result)) revert NotTaken(manager);", "Lock.resume(result);"],
    ["v4 short answer", "if (!done) revert BadAnswer(manager);", ""],
    ["v4 debt not checked", "if (!owed) revert CallbackRefused(msg.sender, msg.sig);", ""],
    ["v4 run's debt not checked", "Lock.redeem(debt);", ""],
    [
      "v4 registers outside",
      "if (head.src() > last || head.dst() > last || head.dst() == 0) {",
      "if (false) {",
    ],
    ["v4 run pays the next pool", "if (head.has(TO_NEXT)) revert BadDirectPayout(head.dst());", ""],
    ["v4 direct payout unread", "if (head.has(TO_RECIPIENT)) run.receiver(head, next);", ""],
    ["v4 input not taken", "if (!Lock.isRedeemed()) revert NotTaken(manager);", ""],
    ["v4 direct payout forgotten", "if (direct != 0) V4Manager.take(", "if (false) V4Manager.take("],
  ),
  ...inFile(
    "steps/V4Manager.sol",
    ["v4 partial fill", "if (took != amount) revert PartialFill(msg.sender, amount, took);", ""],
    ["v4 nothing bought", "if (int256(out) <= 0) revert BadAnswer(msg.sender);", ""],
  ),
  ...inFile(
    "steps/Wrap.sol",
    ["unwraps anything", "run.token(head.src()) != wrapper || ", ""],
    ["unwraps into anything", " || run.token(head.dst()) != NATIVE", ""],
    ["wraps into anything", "if (run.token(head.dst()) != wrapper) revert BadWrapper(wrapper);", ""],
    ["wrapping pays elsewhere", "head.staysInRouter();", ""],
  ),
  ...inFile(
    "steps/Erc4626.sol",
    ["redeems from a stranger", "if (sold != address(vault)) revert BadWrapper(address(vault));", ""],
    ["unwraps at a stranger", "if (sold != wrapper) revert BadWrapper(wrapper);", ""],
    [
      "wrappers count what was there",
      "return Tokens.balance(bought, address(this)) - before;",
      "return Tokens.balance(bought, address(this));",
    ],
    ["deposit not taken", "            Tokens.requireUsed(sold, address(vault));\n", ""],
  ),
  ...inFile(
    "steps/Rfq.sol",
    ["orders overfilled", "if (amount > takerAmount)", "if (false)"],
    [
      "orders rounded up",
      "out = makerAmount * amount / takerAmount;",
      "out = (makerAmount * amount + takerAmount - 1) / takerAmount;",
    ],
    ["orders for anybody", "head.has(ZERO_FOR_ONE) ? msg.sender : address(0)", "address(0)"],
    ["makers not paid", "        Tokens.move(sold, run.holder(head.src()), maker, amount);\n", ""],
  ),
  ...inFile(
    "Permits.sol",
    ["pulled tokens still the caller's", "run.hasAll();", ""],
    ["pulled twice", "if (run.payer() == address(this)) revert PulledTwice(run.token(0));", ""],
  ),
  ...inFile(
    "steps/Converter.sol",
    ["converter's input not taken", "        Tokens.requireUsed(sold, converter);\n", ""],
    ["converter the wrong way", "onward ? bytes4(0xf2c07aae) : bytes4(0x68f30150)", "bytes4(0xf2c07aae)"],
    [
      "converter pays the router alone",
      "address to = run.receiver(head, next);",
      "address to = address(this);",
    ],
  ),
  ...inFile(
    "steps/BalancerV3.sol",
    ["Balancer v3 debt not checked", "Lock.redeem(_debt(order, msg.sender));", ""],
    ["Balancer v3 debt as v4's", "abi.encode(order, vault, CALLBACK)", "abi.encode(order, vault)"],
    [
      "Balancer v3 partial fill",
      "if (took != order.amount) revert PartialFill(order.pool, order.amount, took);",
      "",
    ],
  ),
  ...inFile(
    "steps/Curve.sol",
    ["Curve input not taken", "if (sold != NATIVE) Tokens.requireUsed(sold, pool);", ""],
    ["Curve pays elsewhere", "head.staysInRouter();", ""],
    [
      "Curve counts what was there",
      "return Tokens.balance(bought, address(this)) - before;",
      "return Tokens.balance(bought, address(this));",
    ],
  ),
  ...inFile(
    "steps/Dodo.sol",
    ["DODO v1 sells quote", "if (!head.has(ZERO_FOR_ONE)) revert UnknownVariant(0);", ""],
    [
      "DODO counts what was there",
      "return Tokens.balance(quote, address(this)) - before;",
      "return Tokens.balance(quote, address(this));",
    ],
  ),
  ...inFile("steps/Funded.sol", [
    "Liquidity Book's other amount",
    "forY ? amounts >> 128 : uint128(amounts)",
    "forY ? uint128(amounts) : amounts >> 128",
  ]),
];

export const mutants: readonly Mutant[] = [...core, ...pools];
