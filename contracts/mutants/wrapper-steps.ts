import { type Defect, inFile } from "./mutant.ts";

/** Of the steps of wrappers, vaults and converters, and of pools that take their input by allowance. */
export const wrapperSteps: readonly Defect[] = [
  ...inFile(
    "steps/Wrap.sol",
    ["unwraps anything", "run.token(head.src()) != wrapper || ", ""],
    ["unwraps into anything", " || run.token(head.dst()) != NATIVE", ""],
    ["wraps into anything", "if (run.token(head.dst()) != wrapper) revert BadWrapper(wrapper);", ""],
    ["wrapping pays elsewhere", "head.staysInRouter();", ""],
  ),
  ...inFile(
    "steps/Erc4626.sol",
    [
      "wraps and unwraps at a stranger",
      "if (wrapped != head.target()) revert BadWrapper(head.target());",
      "",
    ],
    ["a wrapper's allowance may stay", "            Tokens.requireUsed(sold, wrapper);\n", ""],
    ["a wrapper pays elsewhere", "        head.staysInRouter();\n", ""],
    ["deposits at a stranger", "head.has(ZERO_FOR_ONE) ? head.dst() : head.src()", "head.src()"],
    [
      "wrappers count what was there",
      "return Tokens.balance(bought, address(this)) - before;",
      "return Tokens.balance(bought, address(this));",
    ],
    ["deposit not taken", "            Tokens.requireUsed(sold, address(vault));\n", ""],
  ),
  ...inFile(
    "steps/Converter.sol",
    ["converter's input not taken", "        Tokens.requireUsed(sold, converter);\n", ""],
    ["converter the wrong way", "onward ? bytes4(0xf2c07aae) : bytes4(0x68f30150)", "bytes4(0xf2c07aae)"],
    ["module the wrong way", "onward ? bytes4(0x95991276) : bytes4(0x8d7ef9bb)", "bytes4(0x95991276)"],
    [
      "the module's rest stays in the router",
      "        if (rest != 0) Tokens.move(sold, address(this), converter, rest);\n",
      "",
    ],
    [
      "the module is approved for its rest too",
      "return (amount / rate, amount - rest);",
      "return (amount / rate, amount);",
    ],
    [
      "Spark's module the wrong way",
      "selector, sold, bought, amount, 0",
      "selector, bought, sold, amount, 0",
    ],
    ["Spark's module is told a minimum", "amount, 0, to, 0", "amount, amount, to, 0"],
    ["a module of any number of digits", " || functions > MODULE + MOST_DIGITS", ""],
    ["functions below the module's", "functions < MODULE || ", ""],
    [
      "converter pays the router alone",
      "address to = run.receiver(head, next);",
      "address to = address(this);",
    ],
  ),
  ...inFile(
    "steps/Fluid.sol",
    ["fluid's input not taken", "        if (value == 0) Tokens.requireUsed(sold, pool);\n", ""],
    ["fluid the wrong way", "head.has(ZERO_FOR_ONE)", "!head.has(ZERO_FOR_ONE)"],
    ["fluid pays the router alone", "address to = run.receiver(head, next);", "address to = address(this);"],
    ["fluid is sent no native coins", "sold == NATIVE ? amount : 0", "0"],
    ["fluid sells what the caller holds", "        run.hold(head, amount);\n", ""],
  ),
  ...inFile(
    "steps/FluidLite.sol",
    ["fluidLite's input not taken", "        if (value == 0) Tokens.requireUsed(sold, dex);\n", ""],
    ["fluidLite the wrong way", "mstore(add(m, 0x80), down)", "mstore(add(m, 0x80), iszero(down))"],
    ["fluidLite's key the wrong way", "head.has(ZERO_FOR_ONE)", "!head.has(ZERO_FOR_ONE)"],
    ["fluidLite's salt not read", "calldataload(sub(next, 0x20))", "0"],
    [
      "fluidLite pays the router alone",
      "address to = run.receiver(head, next);",
      "address to = address(this);",
    ],
    ["fluidLite is sent no native coins", "sold == NATIVE ? amount : 0", "0"],
    ["fluidLite sells what the caller holds", "        run.hold(head, amount);\n", ""],
    ["fluidLite answers too little", "mul(mload(0x00), gt(returndatasize(), 0x1f))", "mload(0x00)"],
  ),
];
