import type { Address } from "../../core/types.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluid } from "./index.ts";
import { type Half, isOn, type Limit, NO_HALF, type Pair, type State, scaleOf, UNLIMITED } from "./state.ts";
import { swapOut } from "./swap.ts";

const READ_AT = 1_700_000_000;
const DEBTS = ["token0Debt", "token1Debt"];
const RESERVES = ["token0RealReserves", "token1RealReserves"];
const IMAGINARY = ["token0ImaginaryReserves", "token1ImaginaryReserves"];
const LIMITS = ["withdrawableToken0", "withdrawableToken1", "borrowableToken0", "borrowableToken1"];

/** The record with names that begin in lower case: sources differ in that. */
function lowered(value: unknown): Fields {
  const all = value as Fields;
  const names = Object.keys(understood(all, [], Object.keys(all ?? {})));
  return Object.fromEntries(names.map((name) => [name[0]!.toLowerCase() + name.slice(1), all[name]]));
}

function pairOf(fields: Fields, names: readonly string[]): Pair<bigint> {
  return names.map((name) => integer(fields[name])) as unknown as Pair<bigint>;
}

function halfOf(value: unknown): Half {
  if (value === undefined || value === null) return NO_HALF;
  const fields = understood(lowered(value), [...RESERVES, ...IMAGINARY], DEBTS);
  return { real: pairOf(fields, RESERVES), imaginary: pairOf(fields, IMAGINARY) };
}

/** Debts that are not given limit nothing. */
function debtsOf(value: unknown): Pair<bigint> {
  const fields = lowered(value ?? {});
  return DEBTS.every((name) => fields[name] !== undefined) ? pairOf(fields, DEBTS) : [UNLIMITED, UNLIMITED];
}

/** A limit that is not given is none. */
function limitOf(value: unknown): Limit {
  const { available, expandsTo, expandDuration } = understood(lowered(value), [
    "available",
    "expandsTo",
    "expandDuration",
  ]);
  const amount = (given: unknown) => (given === null ? UNLIMITED : integer(given));
  return {
    available: amount(available),
    expandsTo: amount(expandsTo),
    seconds: expandDuration === null ? 0n : integer(expandDuration),
  };
}

/** Seconds between the read of the limits and the swap. */
function ageOf({ state, pool }: Vector): number {
  const { syncTimestamp } = state;
  const ago = typeof syncTimestamp === "string" ? /^now-(\d+)s\b/.exec(syncTimestamp) : null;
  if (ago !== null) return Number(ago[1]);
  const now = pool.timestamp ?? state.currentTimestamp ?? state.rpcBlockTimestamp ?? state.ts;
  if (syncTimestamp === undefined || now === undefined || now === null) return 0;
  return Number(integer(now) - integer(syncTimestamp));
}

function decimalsOf(vector: Vector): readonly unknown[] {
  if (vector.state.decimals !== undefined) return list(vector.state.decimals);
  return list(vector.pool.tokens).map((token) => lowered(token).decimals);
}

function stateOf(vector: Vector): State {
  const fields = understood(
    vector.state,
    ["collateralReserves", "debtReserves", "dexLimits", "centerPrice", "fee"],
    ["decimals", "syncTimestamp", "unit", "currentTimestamp", "rpcBlockTimestamp", "ts"],
  );
  const collateral = halfOf(fields.collateralReserves);
  const debt = halfOf(fields.debtReserves);
  const limits = understood(lowered(fields.dexLimits), LIMITS);
  const [withdrawable0, withdrawable1, borrowable0, borrowable1] = LIMITS.map((name) =>
    limitOf(limits[name]),
  );
  const scales = decimalsOf(vector).map((decimals) => scaleOf(integer(decimals)));
  const [x, y] = (isOn(collateral) ? collateral : debt).imaginary;
  if (x === 0n || scales.length !== 2) throw new NotUnderstood("neither half has reserves");
  const center = integer(fields.centerPrice);
  // The price of the last swap is not recorded: the reserves have it.
  const price = (y * 10n ** 27n) / x;
  return {
    collateral,
    debt,
    debts: debtsOf(fields.debtReserves),
    withdrawable: [withdrawable0!, withdrawable1!],
    borrowable: [borrowable0!, borrowable1!],
    scales: [scales[0]!, scales[1]!],
    centerPrice: center,
    fee: integer(fields.fee),
    revenueCut: 0n,
    oracle: { time: 0, price, before: price, center },
    readAt: READ_AT,
    readFor: 1,
    isOpen: true,
  };
}

export const suite: VectorSuite = {
  names: ["fluid-dex-t1"],
  open(vector) {
    const state = stateOf(vector);
    const subject = subjectOf(state, vector.tokens as Address[]);
    const timestamp = READ_AT + ageOf(vector);
    const at = { blockNumber: 1, timestamp };
    if (vector.sequential && vector.swaps.length > 1)
      throw new NotUnderstood("the reserves after a swap are not known");
    return (swap) => {
      const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
      const amount = asked(swap);
      if (swap.kind === "exactIn")
        return complaint(swap, fluid.quote(subject.states, subject.pool, i, j, amount, "in", at));
      // The contract's own swap of an exact output; the router only sells.
      const amountIn = swapOut(state, { i, amount, timestamp });
      return complaint(swap, amountIn === undefined ? undefined : { amountIn, amountOut: amount });
    };
  },
};
