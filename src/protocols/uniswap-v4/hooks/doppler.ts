import { callData, hasWords, uintAt } from "../../../core/abi.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../../core/types.ts";
import { DYNAMIC_FEE } from "../../shared/pool-managers/pool-manager.ts";
import { type Found, type HookFamily, NO_CUTS } from "./family.ts";

/**
 * Doppler's hooks of multicurve pools. None takes or adds anything.
 *
 * - multicurve: called after swaps, emits a log
 * - scheduled: besides, reverts before the pool's starting time
 * - decay: besides, lowers the fee of a pool with a dynamic fee linearly in time until it is the final one
 *
 * @source whetstoneresearch/doppler: a289a75 src/UniswapV4MulticurveInitializerHook.sol, 2fc12b1
 *   src/UniswapV4ScheduledMulticurveInitializerHook.sol, 1842c10c src/initializers/DecayMulticurveInitializerHook.sol
 */

/** startingTimeOf(bytes32) and getFeeScheduleOf(bytes32) */
const STARTING_TIME_OF: Hex = "0xa5264869";
const GET_FEE_SCHEDULE_OF: Hex = "0x10d052f2";

/** Words of a schedule: starting time, first fee, final fee, last fee, duration in seconds. */
const SCHEDULE = { start: 0, endFee: 2, lastFee: 3, seconds: 4, words: 5 };

/**
 * Gas of the call after a swap, which emits a log of the pool's key and the amounts, and of one before it: together the
 * median that the decaying hook, compiled from its source, added to 190 swaps.
 */
const AFTER_GAS = 9_000;
const BEFORE_GAS = 5_000;

const PLAIN = { ...NO_CUTS, fees: null, moves: "never" } as const;

function ofHook({ id, facts }: Pool, selector: Hex): Call {
  return { to: facts.hooks as Address, data: callData(selector, BigInt(id)) };
}

/** A family with a single call that answers in `words` words. */
function asking(
  selector: Hex,
  words: number,
  load: (answer: Hex, at: At, pool: Pool) => Found | Refusal,
): HookFamily {
  return {
    reads: (pool, answers) => (answers.length === 0 ? [ofHook(pool, selector)] : []),
    load(pool, [answer = "0x"], at) {
      return hasWords(answer, words) ? load(answer, at, pool) : { refusal: "Doppler's hook does not answer" };
    },
  };
}

export const dopplerMulticurve: HookFamily = {
  reads: () => [],
  load: () => ({ rule: { ...PLAIN, gas: AFTER_GAS }, ages: false }),
};

export const dopplerScheduled = asking(STARTING_TIME_OF, 1, (answer, at) => {
  if (BigInt(at.timestamp) < uintAt(answer, 0)) return { refusal: "the pool has not opened" };
  return { rule: { ...PLAIN, gas: AFTER_GAS + BEFORE_GAS }, ages: false };
});

export const dopplerDecay = asking(GET_FEE_SCHEDULE_OF, SCHEDULE.words, (answer, at, { facts }) => {
  if (facts.fee !== DYNAMIC_FEE) return { refusal: "the hook cannot set the fee of a pool with a fixed one" };
  const [start, endFee, lastFee, seconds] = [
    uintAt(answer, SCHEDULE.start),
    uintAt(answer, SCHEDULE.endFee),
    uintAt(answer, SCHEDULE.lastFee),
    uintAt(answer, SCHEDULE.seconds),
  ];
  const hasEnded = lastFee === endFee || BigInt(at.timestamp) >= start + seconds;
  if (!hasEnded) return { refusal: "the pool's fee still falls with every second" };
  const fee = Number(endFee);
  return { rule: { ...PLAIN, fees: [fee, fee], gas: AFTER_GAS + BEFORE_GAS }, ages: false };
});
