import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { Address, Call, Hex, Refusal } from "../../core/types.ts";
import type { FeeConfig } from "./adaptive-fee.ts";
import { type History, RING, slots, type Timepoint, WINDOW } from "./history.ts";
import { type Fees, MOST_AGE, type Past } from "./past.ts";
import type { Sliding } from "./sliding-fee.ts";

/** The contract that stores a pool's timepoints and sets its fee. */
export type Operator = {
  readonly address: Address;
  readonly generation: History["generation"];
  /** Whether it has parameters for each direction. */
  readonly directional: boolean;
  /** Index of the newest timepoint. */
  readonly lastIndex: number;
};

/** Constant fees, fees that depend on volatility, or on the last move of the price. */
export type FeeSource =
  | { readonly fees: Fees }
  | Pick<Past, "configs" | "history">
  | { readonly sliding: Sliding };

/** A sequence of reads in rounds: each round yields its calls and receives their answers. */
export type Reading<T> = Generator<readonly Call[], T | Refusal, readonly Hex[]>;

/**
 * timepoints(uint256): v1 → initialized, time, tick's sum, …, volatility's sum, average tick, volume's sum; v2 and
 * Integral → initialized, time, both sums, tick, average tick, …
 */
const TIMEPOINTS: Hex = "0x74eceae6";
/** feeConfig() → alpha1, alpha2, beta1, beta2, gamma1, gamma2; v1: volumeBeta, volumeGamma; baseFee */
const FEE_CONFIG: Hex = "0x1e5eb1d0";
/** feeConfigZto() and feeConfigOtz() of v1.9 with a fee a direction: the words of v1 */
const FEE_CONFIGS: readonly Hex[] = ["0x824e8e87", "0x90577ef6"];
/** Multicall3 has the same address on every chain; its getCurrentBlockTimestamp() returns the time of the read. */
const CLOCK: Call = { to: "0xca11bde05977b3631167028862be2a173976ca11", data: "0x0f28c97d" };

const WORDS = 7;
/** Timepoints read per round of the search for the window's start: four rounds suffice for the whole ring. */
const PROBES = 31;
/**
 * Number of timepoints read from the window's start on, and of those read then, while the last one is younger than the
 * state can get: a pool that writes one in every block is else read anew after 64 blocks.
 */
const READ_AHEAD = [64, 128, 256] as const;

/** Progress of a reading: its next calls, or its result and the number of answers used. */
type Progress<T> =
  | { readonly calls: readonly Call[] }
  | { readonly value: T | Refusal; readonly used: number };

/** Runs a reading from its start with the answers so far. */
export function progressOf<T>(reading: Reading<T>, answers: readonly Hex[]): Progress<T> {
  let used = 0;
  let step = reading.next();
  while (step.done !== true && used < answers.length) {
    const given = answers.slice(used, used + step.value.length);
    used += given.length;
    step = reading.next(given);
  }
  return step.done === true ? { value: step.value, used } : { calls: step.value };
}

/** Reads the parameters of the fees and, if these depend on volatility, the timepoints at both ends of the window. */
export function* readFeeSource(operator: Operator): Reading<FeeSource> {
  const { address, generation, directional, lastIndex } = operator;
  const ends = [lastIndex, lastIndex + RING - 1, lastIndex + 1, 0];
  const asked = directional ? FEE_CONFIGS : [FEE_CONFIG];
  const answers = yield [
    ...asked.map((data) => ({ to: address, data })),
    CLOCK,
    ...ends.map((index) => timepointCall(address, index)),
  ];
  const [clock = "0x", ...points] = answers.slice(asked.length);
  const configs = configsOf(operator, answers.slice(0, asked.length));
  if ("refusal" in configs) return configs;
  if (generation === "integral" && timepointOf(generation, points[0] ?? "0x") === undefined)
    return NO_TIMEPOINTS;
  const [down, up] = configs;
  if (isFlat(down) && isFlat(up)) return { fees: [down.baseFee, up.baseFee] };
  if (!hasWords(clock, 1)) return { refusal: "the time of the reading is not known" };
  const target = Number(uintAt(clock, 0)) - WINDOW;
  const history = yield* readHistory(operator, target, points);
  return "refusal" in history ? history : { configs, history };
}

function configsOf({ generation }: Operator, answers: readonly Hex[]): Past["configs"] | Refusal {
  const [down, up = down] = answers.map((words) => configOf(generation, words));
  if (down === undefined || up === undefined) return { refusal: "feeConfig failed" };
  if ("refusal" in down) return down;
  if ("refusal" in up) return up;
  // A plugin that returns a fee of zero leaves the pool's own in place; one that sets it does not.
  const isAmbiguous = generation === "integral" && down.baseFee === 0;
  return isAmbiguous ? { refusal: "a plugin's fee of zero is ambiguous" } : [down, up];
}

/** Whether the fee is the same at any volatility. */
const isFlat = ({ alpha1, alpha2 }: Pick<FeeConfig, "alpha1" | "alpha2">) => alpha1 === 0 && alpha2 === 0;

/**
 * @param words answers for the newest timepoint, the one before it, the one after it in the ring, and the first of
 *   the ring
 */
function* readHistory(
  { address, generation, lastIndex }: Operator,
  target: number,
  words: readonly Hex[],
): Reading<History> {
  const [newest, before, next, zero] = words.map((answer) => timepointOf(generation, answer));
  const oldest = next ?? zero;
  if (newest === undefined || oldest === undefined) return NO_TIMEPOINTS;
  const oldestIndex = next === undefined ? 0 : (lastIndex + 1) % RING;
  const span: Span = { oldest, newest, count: slots(oldestIndex, lastIndex) + 1 };
  const ask = (positions: readonly number[]) =>
    positions.map((position) => timepointCall(address, oldestIndex + position));
  const start = yield* findStart(span, target, { ask, generation });
  if (typeof start !== "number") return start;
  const window = yield* readWindow(start, target + MOST_AGE, span, { ask, generation });
  if ("refusal" in window) return window;
  const both = before === undefined ? [newest] : [before, newest];
  if (!isAscending(both) || !isAscending(window)) return { refusal: "timepoints are not in order" };
  const ended = [...both.slice(0, -1), withTick(generation, newest, before)];
  return { generation, lastIndex, newest: ended, windowIndex: (oldestIndex + start) % RING, window };
}

const timepointCall = (address: Address, index: number): Call => ({
  to: address,
  data: callData(TIMEPOINTS, index % RING),
});

const NO_TIMEPOINTS: Refusal = { refusal: "timepoints failed" };

/** Reads the newest timepoint alone. */
export function* readNewest({ address, generation, lastIndex }: Operator): Reading<Timepoint> {
  const [words = "0x"] = yield [timepointCall(address, lastIndex)];
  return timepointOf(generation, words) ?? NO_TIMEPOINTS;
}

/** All timepoints; positions count from the oldest, 0. */
type Span = { readonly oldest: Timepoint; readonly newest: Timepoint; readonly count: number };

type Asking = {
  readonly ask: (positions: readonly number[]) => readonly Call[];
  readonly generation: History["generation"];
};

/** The timepoints from position `start` on, at least up to the time `until` or as far as READ_AHEAD goes. */
function* readWindow(
  start: number,
  until: number,
  { count }: Span,
  { ask, generation }: Asking,
): Reading<readonly Timepoint[]> {
  const window: Timepoint[] = [];
  for (const more of READ_AHEAD) {
    const from = start + window.length;
    if (from >= count || (window.at(-1)?.timestamp ?? 0) > until) break;
    const found = (yield ask(range(from, Math.min(from + more, count)))).map((words) =>
      timepointOf(generation, words),
    );
    if (!found.every((point) => point !== undefined)) return NO_TIMEPOINTS;
    window.push(...found);
  }
  return window;
}

/** Position of the last timepoint at or before `target`; 0 if all are later. A search with 31 probes per round. */
function* findStart(span: Span, target: number, { ask, generation }: Asking): Reading<number> {
  if (span.oldest.timestamp > target) return 0;
  if (span.newest.timestamp <= target) return span.count - 1;
  let [low, high] = [0, span.count - 1];
  while (high - low > 1) {
    const stride = Math.ceil((high - low) / (PROBES + 1));
    const positions = range(1, Math.ceil((high - low) / stride)).map((k) => low + k * stride);
    const points = (yield ask(positions)).map((words) => timepointOf(generation, words));
    if (!points.every((point) => point !== undefined)) return NO_TIMEPOINTS;
    const young = points.findIndex(({ timestamp }) => timestamp > target);
    const count = young < 0 ? positions.length : young;
    [low, high] = [positions[count - 1] ?? low, positions[count] ?? high];
  }
  return low;
}

const isAscending = (points: readonly Timepoint[]) =>
  points.every(({ timestamp }, k) => k === 0 || timestamp > points[k - 1]!.timestamp);

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);

/** Decodes a timepoint; undefined if the slot is empty or has no timepoint. */
function timepointOf(generation: History["generation"], words: Hex): Timepoint | undefined {
  if (!hasWords(words, WORDS) || uintAt(words, 0) === 0n || uintAt(words, 1) >= 2n ** 32n) return undefined;
  const isV1 = generation === "v1";
  return {
    timestamp: Number(uintAt(words, 1)),
    tickCumulative: intAt(words, 2),
    volatilityCumulative: uintAt(words, isV1 ? 4 : 3),
    tick: isV1 ? 0 : Number(intAt(words, 4)),
    averageTick: Number(intAt(words, 5)),
    volumeCumulative: isV1 ? uintAt(words, 6) : 0n,
  };
}

/**
 * The newest timepoint with its tick, which v1 does not store: it follows from the cumulative ticks of the last two.
 */
function withTick(
  generation: History["generation"],
  newest: Timepoint,
  before: Timepoint | undefined,
): Timepoint {
  if (generation !== "v1" || before === undefined) return newest;
  const seconds = BigInt(newest.timestamp - before.timestamp);
  return { ...newest, tick: Number((newest.tickCumulative - before.tickCumulative) / seconds) };
}

function configOf(generation: History["generation"], words: Hex): FeeConfig | Refusal {
  const count = generation === "v1" ? 9 : 7;
  if (!hasWords(words, count)) return { refusal: "feeConfig failed" };
  const at = (index: number) => Number(uintAt(words, index));
  const [alpha1, alpha2, beta1, beta2, gamma1, gamma2] = range(0, 6).map(at) as SixNumbers;
  const [volumeBeta, volumeGamma] = generation === "v1" ? [at(6), at(7)] : [0, 0];
  const isSteep = gamma1 === 0 || gamma2 === 0 || (generation === "v1" && volumeGamma === 0);
  if (!isFlat({ alpha1, alpha2 }) && isSteep) return { refusal: "the fee's configuration has no width" };
  const baseFee = at(count - 1);
  return { alpha1, alpha2, beta1, beta2, gamma1, gamma2, volumeBeta, volumeGamma, baseFee };
}

type SixNumbers = [number, number, number, number, number, number];
