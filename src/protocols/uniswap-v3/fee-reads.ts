import { addressAt, callData, hasWords, intAt, uintAt, wordsAt } from "../../core/abi.ts";
import { historyOf, NO_HISTORY, type TickHistory } from "../../core/math/concentrated/tick-history.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { type MovingFee, movingFeePpm, type Ring, readsAverage } from "./moving-fee.ts";
import { type FeeSource, STAKING_GAS } from "./state.ts";

/**
 * The fee of a pool of Slipstream, which a module of its factory states: one that is set by hand, or one that follows the
 * distance of the price from its average.
 *
 * @source velodrome-finance/slipstream contracts/core/fees/{Custom,Dynamic}SwapFeeModule.sol (193a6b8)
 */

/** fee() of the pool, swapFeeModule() of the factory */
export const FEE: Hex = "0xddca3f43";
const SWAP_FEE_MODULE: Hex = "0x23c43a51";
/** tickSpacingToFee(int24) of the factory */
const SPACING_FEE: Hex = "0x380dc1c2";
/** Functions of a module: defaultScalingFactor(), defaultFeeCap(), secondsAgo(), MIN_SECONDS_AGO() */
const DEFAULT_SCALING: Hex = "0xba743e38";
const DEFAULT_CAP: Hex = "0xdcf4eb27";
const SECONDS_AGO: Hex = "0x633dd145";
const BLOCK_SECONDS: Hex = "0x60b3042c";
/** dynamicFeeConfig(address pool) → base fee, cap, scaling; in later modules also whether the first swap differs, and its fee */
const FEE_CONFIG: Hex = "0x5bb525ff";
/** observe(uint32[] secondsAgos) and observations(uint256) of the pool */
const OBSERVE: Hex = "0x883bdbfd";
const OBSERVATIONS: Hex = "0x252c09d7";

/** Indexes of these pools' answers after slot0 and liquidity; where the fee moves, further ones follow. */
const AT = { fee: 2, module: 3, scaling: 4, config: 5, cap: 6, seconds: 7, block: 8, base: 9 } as const;
const AFTER_MODULE = 10;
const AT_MOVING = { newest: 10, next: 11, first: 12, sums: 13 } as const;

/** A base fee, or a fee before the first observation, that stands for 0. */
const ZERO_INDICATOR = 420n;
const MOST_FEE_PPM = 1_000_000n;
/** Cap on the points of the average that are read. Modules in use have 300. */
const MOST_POINTS = 4096;
/** Points per call: the pool searches its ring for each, which takes 15,000 to 35,000 gas. */
const POINTS_PER_CALL = 64;

/** Calls made together with slot0 and liquidity. */
export function feeReads(pool: Pool): readonly Call[] {
  return [
    { to: pool.address, data: FEE },
    { to: pool.facts.feesFrom as Address, data: SWAP_FEE_MODULE },
  ];
}

/** Calls made once the module is known, and once its settings are; none where `answers` has what they need. */
export function moduleReads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const named = answers[AT.module] ?? "0x";
  if (answers.length === AT.scaling && hasWords(named, 1)) return settingReads(pool, named);
  const moving = answers.length === AFTER_MODULE ? settingsOf(pool, answers) : undefined;
  return moving === undefined || "refusal" in moving ? [] : observationReads(pool, answers, moving);
}

function settingReads(pool: Pool, named: Hex): readonly Call[] {
  const module = addressAt(named, 0);
  const factory = pool.facts.feesFrom as Address;
  return [
    { to: module, data: DEFAULT_SCALING },
    { to: module, data: callData(FEE_CONFIG, BigInt(pool.address)) },
    ...[DEFAULT_CAP, SECONDS_AGO, BLOCK_SECONDS].map((data) => ({ to: module, data })),
    { to: factory, data: callData(SPACING_FEE, pool.facts.tickSpacing as number) },
  ];
}

/** Number of answers before the bitmap words. */
export function headWithFee(pool: Pool, answers: readonly Hex[]): number {
  const settings = answers.length < AFTER_MODULE ? undefined : settingsOf(pool, answers);
  if (settings === undefined || "refusal" in settings) return AFTER_MODULE;
  return AT_MOVING.sums + chunksOf(settings, slotsOf(answers)).length;
}

function observationReads(pool: Pool, answers: readonly Hex[], settings: Settings): readonly Call[] {
  const slots = slotsOf(answers);
  const at = [slots.index, (slots.index + 1) % Math.max(1, slots.cardinality), 0];
  return [
    ...at.map((slot) => ({ to: pool.address, data: callData(OBSERVATIONS, slot) })),
    ...chunksOf(settings, slots).map((ago) => ({
      to: pool.address,
      data: callData(OBSERVE, 32, ago.length, ...ago),
    })),
  ];
}

/** The points of the average, as one list a call; none where no average is taken. */
function chunksOf(settings: Settings, slots: Pick<Ring, "cardinality">): number[][] {
  const points = readsAverage(settings, slots) ? pointsOf(settings) : [];
  const count = Math.ceil(points.length / POINTS_PER_CALL);
  return Array.from({ length: count }, (_, k) =>
    points.slice(k * POINTS_PER_CALL, (k + 1) * POINTS_PER_CALL),
  );
}

/** The seconds before the block whose sums are read, descending: the whole window, block by block. */
function pointsOf({ window, stepSeconds }: Settings): number[] {
  const whole = Math.floor(window / stepSeconds);
  const ago = Array.from({ length: whole + 1 }, (_, k) => (whole - k) * stepSeconds);
  return ago[0] === window ? ago : [window, ...ago];
}

type Settings = Omit<MovingFee, "ring" | "history">;

/** What the module states; undefined where it does not move the pool's fee. */
function settingsOf(pool: Pool, answers: readonly Hex[]): Settings | Refusal | undefined {
  const [ownBase, ownCap, ownScaling, opens, opening] = numbersOf(answers[AT.config]!);
  const [scaling, cap] = ownScaling
    ? [ownScaling, ownCap]
    : [numbersOf(answers[AT.scaling]!)[0], numbersOf(answers[AT.cap]!)[0]];
  if (scaling === undefined || ownBase === ZERO_INDICATOR || (scaling === 0n && !opens)) return undefined;
  const [base, window, blockSeconds] = [AT.base, AT.seconds, AT.block].map((k) => numbersOf(answers[k]!)[0]);
  const numbers = [ownBase || base, cap, window, blockSeconds];
  if (!numbers.every((value) => value !== undefined && value < 2n ** 32n)) return NOT_MODELLED;
  const [basePpm, capPpm, seconds, assumed] = numbers.map(Number) as [number, number, number, number];
  const stepSeconds = Math.min(assumed, (pool.facts.blockSeconds as number | undefined) ?? assumed);
  if (!(seconds > 0 && stepSeconds > 0 && seconds / stepSeconds <= MOST_POINTS)) return NOT_MODELLED;
  const settings = { basePpm, capPpm, scaling, window: seconds, blockSeconds: assumed, stepSeconds };
  return opens ? { ...settings, openingPpm: openingOf(Number(opening ?? 0n), basePpm) } : settings;
}

function openingOf(stated: number, basePpm: number): number {
  if (stated === 0) return basePpm;
  return stated === Number(ZERO_INDICATOR) ? 0 : stated;
}

const NOT_MODELLED: Refusal = { refusal: "the module computes its fee in another way" };

/** The first words of an answer, at most five. */
const numbersOf = (answer: Hex): bigint[] =>
  Array.from({ length: Math.min(5, Math.floor((answer.length - 2) / 64)) }, (_, k) => uintAt(answer, k));

/** slot0's words 2 to 4: the newest observation's index, the number of slots in use, and the number to come. */
function slotsOf(answers: readonly Hex[]) {
  const slot0 = answers[0]!;
  const [index, cardinality, cardinalityNext] = [2, 3, 4].map((k) =>
    hasWords(slot0, k + 1) ? Number(uintAt(slot0, k)) : 0,
  ) as [number, number, number];
  return { index, cardinality, cardinalityNext };
}

/**
 * The present fee and its source, or why the pool is refused. A module without the functions of a moving fee has its fees set
 * by hand.
 *
 * @param tick of the pool
 * @param at the block of the answers
 */
export function feeFrom(
  pool: Pool,
  answers: readonly Hex[],
  tick: number,
  at: At,
): { feePpm: number; fees: FeeSource } | Refusal {
  const [fee] = numbersOf(answers[AT.fee] ?? "0x");
  const named = answers[AT.module] ?? "0x";
  if (fee === undefined || fee >= MOST_FEE_PPM || !hasWords(named, 1) || answers.length < AFTER_MODULE)
    return { refusal: "the fee or its module failed" };
  const source = { module: addressAt(named, 0), readAt: at.timestamp, swapGas: STAKING_GAS };
  const feePpm = Number(fee);
  const settings = settingsOf(pool, answers);
  if (settings === undefined) return { feePpm, fees: source };
  const moving = "refusal" in settings ? settings : movingOf(settings, answers, at);
  if ("refusal" in moving) return moving;
  // A module that is not the one that is modelled would state another fee for the block that was read.
  const modelled = movingFeePpm(moving, tick, at.timestamp);
  return modelled === undefined || modelled === feePpm
    ? { feePpm, fees: { ...source, moving } }
    : NOT_MODELLED;
}

function movingOf(settings: Settings, answers: readonly Hex[], at: At): MovingFee | Refusal {
  const slots = slotsOf(answers);
  const [newest, next, first] = [AT_MOVING.newest, AT_MOVING.next, AT_MOVING.first].map((k) =>
    observationTime(answers[k] ?? "0x"),
  );
  if (newest === undefined || slots.cardinality === 0) return { refusal: "the pool's observations failed" };
  const whileEmpty = first === undefined ? {} : { oldest: first };
  const ring: Ring = { ...slots, newest, ...(next === undefined ? whileEmpty : { overwrittenNext: next }) };
  const history = historyFrom(chunksOf(settings, ring), answers.slice(AT_MOVING.sums), at);
  return { ...settings, ring, history };
}

/** The Unix time of an observation; undefined for an empty slot. */
function observationTime(answer: Hex): number | undefined {
  return hasWords(answer, 4) && uintAt(answer, 3) !== 0n ? Number(uintAt(answer, 0)) : undefined;
}

/** Nothing is known where the pool could not look back over the whole window. */
function historyFrom(chunks: readonly number[][], answers: readonly Hex[], at: At): TickHistory {
  const sums = chunks.map((_, k) => {
    const answer = answers[k] ?? "0x";
    return wordsAt(answer, 0).map((place) => Number(intAt(answer, place)));
  });
  const isWhole = chunks.every(
    (ago, k) => sums[k]!.length === ago.length && sums[k]!.every(Number.isSafeInteger),
  );
  if (!isWhole) return NO_HISTORY;
  return historyOf(
    chunks.flat().map((seconds) => at.timestamp - seconds),
    sums.flat(),
  );
}
