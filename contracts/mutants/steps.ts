import { inFile, type Mutant } from "./mutant.ts";

/** Of the steps, one library a design. */
export const steps: readonly Mutant[] = [
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
    "steps/BalancerV2.sol",
    [
      "shares are granted too",
      "uint256 held = Tokens.balance(sold, address(this));",
      "uint256 held = Tokens.balance(sold, address(this)); Tokens.approve(sold, vault, amount);",
    ],
    [
      "what the Vault took of shares not counted",
      "if (held - Tokens.balance(sold, address(this)) != amount) revert NotTaken(vault);",
      "",
    ],
    [
      "the Vault may take more shares than are sold",
      "if (held - Tokens.balance(sold, address(this)) != amount)",
      "if (held - Tokens.balance(sold, address(this)) < amount)",
    ],
    [
      "what lay in the router counts as sold",
      "uint256 held = Tokens.balance(sold, address(this));",
      "uint256 held = amount;",
    ],
    ["no token is a share", "if (head.has(ZERO_FOR_ONE))", "if (false)"],
    ["every token is a share", "if (head.has(ZERO_FOR_ONE))", "if (true)"],
    ["Balancer v2 input not taken", "            Tokens.requireUsed(sold, vault);", ""],
  ),
  ...inFile(
    "steps/BalancerV3.sol",
    ["buffers never wrap", "if (unwraps || order.pool == order.bought)", "if (unwraps)"],
    ["buffers never unwrap", "if (unwraps || order.pool == order.bought)", "if (order.pool == order.bought)"],
    ["buffers the other way", "unwraps ? UNWRAP : WRAP", "unwraps ? WRAP : UNWRAP"],
    ["buffers are not paid first", "            _pay(order);\n            (, took", "            (, took"],
    ["pools are not paid", "            );\n            _pay(order);", "            );"],
    ["Balancer v3 not settled", "IBalancerV3Vault(msg.sender).settle(order.sold, order.amount);", ""],
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
  ...inFile(
    "steps/Funded.sol",
    [
      "Liquidity Book's other amount",
      "shr(shl(7, forY), mload(0x00))",
      "shr(shl(7, iszero(forY)), mload(0x00))",
    ],
    ["Liquidity Book's both amounts", "0xffffffffffffffffffffffffffffffff)", "not(0))"],
    ["the other amount of version 2.0", "out := mload(shl(5, forY))", "out := mload(shl(5, iszero(forY)))"],
    ["version 2.0 read as 2.1", "gt(returndatasize(), 0x3f)", "gt(returndatasize(), 0x5f)"],
    ["version 2.1 read as 2.0", "gt(returndatasize(), 0x3f)", "gt(returndatasize(), 0x1f)"],
    ["Liquidity Book answers nothing", "if (!answered) revert BadAnswer(pair);", ""],
    ["Liquidity Book answers a byte too few", "gt(returndatasize(), 0x1f)", "gt(returndatasize(), 0x1e)"],
  ),
];
