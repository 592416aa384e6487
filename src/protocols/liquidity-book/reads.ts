import { callData, hasWords, uintAt } from "../../core/abi.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import type { FeeParameters, State, Volatility } from "./state.ts";

/** v2.1 and v2.2: getActiveId(), getStaticFeeParameters(), getVariableFeeParameters(), getLBHooksParameters() */
const HEAD_V21: readonly Hex[] = ["0xdbe65edc", "0x7ca0de30", "0x8d7024e5", "0x781a8915"];
const HOOKS = 3;
/** v2.0: getReservesAndId(), feeParameters() */
const HEAD_V20: readonly Hex[] = ["0x1b05b83e", "0x98c7adf3"];
/** getBin(uint24) → reserve of X, reserve of Y */
const GET_BIN: Hex = "0x0abe9688";

/**
 * Number of bins read on each side of the active one: at a step of 20 basis points, a price factor of 1.67 in each
 * direction.
 */
const REACH = 256;
/** Bits of v2.2's hook parameters for calls before and after a swap. */
const SWAP_HOOKS = 3n << 160n;

const isV20 = (pool: Pool) => pool.facts.version === "2.0";
const headOf = (pool: Pool) => (isV20(pool) ? HEAD_V20 : HEAD_V21);

/** Reads the head, then the bins around the active one. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const head = headOf(pool);
  if (answers.length === 0) return head.map((data) => ({ to: pool.address, data }));
  const activeId = activeIdOf(pool, answers);
  if (answers.length > head.length || activeId === undefined) return [];
  return Array.from({ length: 2 * REACH + 1 }, (_, k) => ({
    to: pool.address,
    data: callData(GET_BIN, activeId - REACH + k),
  }));
}

function activeIdOf(pool: Pool, [answer = "0x"]: readonly Hex[]): number | undefined {
  const at = isV20(pool) ? 2 : 0;
  return hasWords(answer, at + 1) ? Number(uintAt(answer, at)) : undefined;
}

/** The state, or why the pair is refused. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const activeId = activeIdOf(pool, answers);
  if (activeId === undefined) return { refusal: "the active bin is not known" };
  const fees = isV20(pool) ? feesV20(answers) : feesV21(answers, pool.facts.binStep as number);
  if ("refusal" in fees) return fees;
  const bins = answers.slice(headOf(pool).length);
  if (bins.length !== 2 * REACH + 1 || !bins.every((answer) => hasWords(answer, 2)))
    return { refusal: "getBin failed" };
  return {
    feesInBin: !isV20(pool),
    // Only v2.2 answers what its hooks are.
    ...(!isV20(pool) && hasWords(answers[HOOKS]!, 1) ? { isLimited: true } : {}),
    ...fees,
    activeId,
    first: activeId - REACH,
    xs: bins.map((answer) => uintAt(answer, 0)),
    ys: bins.map((answer) => uintAt(answer, 1)),
  };
}

type Fees = { readonly parameters: FeeParameters; readonly volatility: Volatility };

function feesV20([, answer = "0x"]: readonly Hex[]): Fees | Refusal {
  if (!hasWords(answer, 12)) return { refusal: "feeParameters failed" };
  const at = (index: number) => Number(uintAt(answer, index));
  return {
    parameters: parametersFrom(at(0), (index) => at(index + 1)),
    volatility: { accumulator: at(8), reference: at(9), idReference: at(10), time: at(11) },
  };
}

/** Fee parameters of v2.1 and v2.2. In v2.1 the call for hooks reverts, which means no hooks. */
function feesV21(answers: readonly Hex[], binStep: number): Fees | Refusal {
  const [, fixed = "0x", variable = "0x", hooks = "0x"] = answers;
  if (!hasWords(fixed, 7) || !hasWords(variable, 4)) return { refusal: "the fee parameters failed" };
  if (hasWords(hooks, 1) && (uintAt(hooks, 0) & SWAP_HOOKS) !== 0n)
    return { refusal: "a hook is called around swaps" };
  const at = (index: number) => Number(uintAt(variable, index));
  return {
    parameters: parametersFrom(binStep, (index) => Number(uintAt(fixed, index))),
    volatility: { accumulator: at(0), reference: at(1), idReference: at(2), time: at(3) },
  };
}

/** The seven parameters, in the order common to all versions. */
function parametersFrom(binStep: number, at: (index: number) => number): FeeParameters {
  return {
    binStep,
    baseFactor: at(0),
    filterPeriod: at(1),
    decayPeriod: at(2),
    reductionFactor: at(3),
    variableFeeControl: at(4),
    protocolShare: at(5),
    maxVolatility: at(6),
  };
}
