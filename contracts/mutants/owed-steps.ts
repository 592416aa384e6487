import { type Defect, inFile } from "./mutant.ts";

/** Of Maverick v1 and iZiSwap, whose steps share a commitment. */
export const owedSteps: readonly Defect[] = [
  ...inFile(
    "steps/Owed.sol",
    ["Maverick's debt may stay open", "eq(tload(WORD), RUNNING)", "1"],
    ["Maverick's pool answers too little", "gt(returndatasize(), 0x3f)", "1"],
    ["Maverick's pool answers a byte too few", "gt(returndatasize(), 0x3f)", "gt(returndatasize(), 0x3e)"],
    [
      "Maverick's debt leaves its payer open",
      "mstore(add(place, 0x120), payer)",
      "mstore(add(place, 0x120), 0)",
    ],
  ),
  ...inFile(
    "steps/MaverickV1.sol",
    ["Maverick the wrong way", "mstore(add(m, 0x60), sellsA)", "mstore(add(m, 0x60), iszero(sellsA))"],
    ["Maverick asked for an output", "mstore(add(m, 0x80), 0)", "mstore(add(m, 0x80), 1)"],
    ["Maverick given a limit", "mstore(add(m, 0xa0), 0)", "mstore(add(m, 0xa0), 1)"],
    ["Maverick's words of nothing not written", "mstore(add(m, 0x80), 0) // an exact input", ""],
    ["Maverick pays the router alone", "mstore(add(m, 0x20), to)", "mstore(add(m, 0x20), address())"],
    ["Maverick given three words", "mstore(add(m, 0xe0), 0x40)", "mstore(add(m, 0xe0), 0x60)"],
  ),
  ...inFile(
    "steps/IZiSwap.sol",
    ["iZiSwap pays whoever asks", "Lock.redeem(debt);", "Lock.resume(debt);"],
    [
      "iZiSwap's debt without its caller",
      "mstore(add(m, 0x40), caller())",
      "mstore(add(m, 0x40), calldataload(0xe4))",
    ],
    ["iZiSwap's payer is not in the debt", "mstore(add(m, 0x20), payer)", "mstore(add(m, 0x20), address())"],
    ["iZiSwap pays what is asked", "amount := calldataload(0xc4)", "amount := calldataload(0x04)"],
    [
      "iZiSwap's pool takes a part",
      "if (amount - took > amount >> UNASKED_BITS) revert PartialFill(head.target(), amount, took);",
      "",
    ],
    [
      "iZiSwap's pool takes more",
      "amount - took > amount >> UNASKED_BITS",
      "int256(amount - took) > int256(amount >> UNASKED_BITS)",
    ],
    [
      "iZiSwap's last unit that may go unasked",
      "amount - took > amount >> UNASKED_BITS",
      "amount - took >= amount >> UNASKED_BITS",
    ],
    ["iZiSwap may leave twice as much", "UNASKED_BITS = 10", "UNASKED_BITS = 9"],
    ["iZiSwap's pool must take all", "UNASKED_BITS = 10", "UNASKED_BITS = 255"],
    ["iZiSwap's other amount", "if (!sellsX) (took, out) = (out, took);", ""],
    ["iZiSwap the wrong way", "mul(xor(X2Y, Y2X), sellsX)", "mul(xor(X2Y, Y2X), iszero(sellsX))"],
    ["iZiSwap's limit not read", "signextend(2, shr(8, head))", "0"],
    ["iZiSwap's limit without its sign", "signextend(2, shr(8, head))", "and(shr(8, head), 0xffffff)"],
    ["iZiSwap's limit a byte too late", "signextend(2, shr(8, head))", "signextend(2, head)"],
    [
      "iZiSwap's amount cut off",
      "mstore(add(m, 0x80), amount)",
      "mstore(add(m, 0x80), and(amount, sub(shl(128, 1), 1)))",
    ],
    ["iZiSwap pays the router alone", "mstore(add(m, 0x60), to)", "mstore(add(m, 0x60), address())"],
    ["iZiSwap's data without the amount", "mstore(add(m, 0x140), amount)", ""],
  ),
  // The stranger and the pool have to be seen paid.
  {
    name: "iZiSwap pays whoever asks, as test_aStrangerAsks sees it",
    edits: [{ file: "steps/IZiSwap.sol", from: "Lock.redeem(debt);", to: "Lock.resume(debt);" }],
    test: "test_aStrangerAsks",
  },
  {
    name: "iZiSwap's pool takes a part, as test_anIZiSwapPoolThatRunsOut sees it",
    edits: [
      {
        file: "steps/IZiSwap.sol",
        from: "if (amount - took > amount >> UNASKED_BITS) revert PartialFill(head.target(), amount, took);",
        to: "",
      },
    ],
    test: "test_anIZiSwapPoolThatRunsOut",
  },
];
