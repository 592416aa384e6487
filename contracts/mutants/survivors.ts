/** Why the tests cannot notice a mutant. */
export type Reason = "equivalent" | "gas only" | "unreachable";

/** Generated mutants that survive, by name: each with its kind and the argument for it. */
export const survivors: Readonly<Record<string, readonly [reason: Reason, why: string]>> = {
  "Router.sol _pay: flip a comparison: balance > before -> balance >= before": [
    "equivalent",
    "Where both balances are the same, their difference is the 0 that the other branch answers.",
  ],
  "Router.sol _steps: drop a check: head.takesAll() -> false": [
    "gas only",
    "Run.take reads the same share from the step and takes all of the register where it is 0: the branch saves its jumps.",
  ],
  "Run.sol close: flip a comparison: lt(slot, top) -> iszero(gt(slot, top))": [
    "gas only",
    "The round more that it makes reads the last register, just emptied, and the two words behind it, which are always zero.",
  ],
  "steps/Ekubo.sol _trade: flip a comparison: lt(sold, bought) -> iszero(gt(sold, bought))": [
    "equivalent",
    "They differ where a token is traded for itself: the core has no pool of such a key, and refuses it either way round.",
  ],
  "steps/V3.sol callback: drop a statement: mstore(0x60, 0) -> nothing": [
    "equivalent",
    "Compiled code reads this word as the bytes of a call that answered nothing, and no callback keeps the bytes of an answer.",
  ],
};
