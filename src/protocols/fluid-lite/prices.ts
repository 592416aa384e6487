import { isqrt } from "../../core/math/roots.ts";
import { bigNumberOf, bitsOf, type Field, withBits } from "../shared/packed-word.ts";
import { FIELDS, type Pair, RANGE_SHIFT, SHIFT, type State, THRESHOLD_SHIFT } from "./state.ts";

export const PRICE_UNIT = 10n ** 27n;
const INVERSE = PRICE_UNIT * PRICE_UNIT;
/** Units of a range, of a threshold, and of a share of the centre price. */
const RANGE_UNIT = 10_000n;
const THRESHOLD_UNIT = 100n;
const SHARE_UNIT = 1_000_000n;
/** From this price on the product of two prices is taken of their leading digits. */
const LARGE = 10n ** 38n;
const LARGE_UNIT = 10n ** 18n;
/** Above this the contract's arithmetic might overflow. */
const MOST_PRICE = 2n ** 128n;

/** A pool's prices and imaginary reserves at a second, and the state once shifts that have ended are cleared. */
export type Prices = {
  readonly state: State;
  /** Token1 per token0, 27 decimals. */
  readonly center: bigint;
  readonly upper: bigint;
  readonly lower: bigint;
  /** In units of 1e-9 of a token. */
  readonly imaginary: Pair<bigint>;
};

type Shift = { readonly [name in keyof typeof RANGE_SHIFT]: Field };

/**
 * Prices and reserves with which the contract would trade at a second.
 *
 * @returns undefined if it would revert
 * @source Instadapp/fluid-contracts-public contracts/protocols/dexLite/core/helpers.sol _getPricesAndReserves
 */
export function pricesAt(before: State, timestamp: number): Prices | undefined {
  const now = BigInt(timestamp);
  const centered = centerAt(before, now);
  if (centered === undefined || !isPrice(centered.center)) return undefined;
  const ranged = rangesAt(before.variables, centered.state, now);
  if (ranged === undefined) return undefined;
  const { state, upper, lower } = ranged;
  // The contract's owners cannot set such a range: what it would compute is not known.
  if (upper >= RANGE_UNIT || lower >= RANGE_UNIT) return undefined;
  const center = rebalanced(before.variables, state.centerShift, { ...centered, upper, lower, now });
  if (!isPrice(center)) return undefined;
  const [high, low] = endsOf(center, { upper, lower });
  const imaginary = imaginaryOf(state, high, low);
  return imaginary && { state, center, upper: high, lower: low, imaginary };
}

function isPrice(price: bigint): boolean {
  return price > 0n && price < MOST_PRICE;
}

/** Upper and lower price of a range about a centre price. */
function endsOf(center: bigint, { upper, lower }: { readonly upper: bigint; readonly lower: bigint }) {
  return [
    (center * RANGE_UNIT) / (RANGE_UNIT - upper),
    (center * (RANGE_UNIT - lower)) / RANGE_UNIT,
  ] as const;
}

type Centered = { readonly state: State; readonly center: bigint };

/** The centre price before it follows the price: stored, named, or on its way from one to the other. */
function centerAt(state: State, now: bigint): Centered | undefined {
  const { variables, named } = state;
  if (bitsOf(variables, FIELDS.isCenterShifting) === 1n) return centerShifted(state, now);
  if (bitsOf(variables, FIELDS.namer) === 0n) return { state, center: bigNumberOf(variables, FIELDS.center) };
  return { state, center: named };
}

/** @source helpers.sol _calcCenterPrice */
function centerShifted(state: State, now: bigint): Centered | undefined {
  const { variables, centerShift, named } = state;
  const stored = bigNumberOf(variables, FIELDS.center);
  const [last, start] = [bitsOf(centerShift, SHIFT.last), bitsOf(centerShift, SHIFT.start)];
  const duration = bitsOf(centerShift, SHIFT.duration);
  if (named === 0n || duration === 0n) return undefined;
  const since = now - (last > start ? last : start);
  const moved = (stored * bitsOf(centerShift, SHIFT.share) * since) / (duration * SHARE_UNIT);
  const onWay = named > stored ? stored + moved : stored > moved ? stored - moved : 0n;
  if (named > stored ? named > onWay : named < onWay) return { state, center: onWay };
  return {
    state: {
      ...state,
      variables: withBits(variables, FIELDS.isCenterShifting, 0n),
      centerShift: withBits(centerShift, SHIFT.named, 0n),
    },
    center: named,
  };
}

/** A value on its way from another one. */
function between(from: bigint, to: bigint, passed: bigint, duration: bigint): bigint {
  return to > from ? from + ((to - from) * passed) / duration : from - ((from - to) * passed) / duration;
}

/** Two values that shift, "over" once the shift has ended. */
function shifted(
  packed: bigint,
  [upper, lower]: Pair<bigint>,
  fields: Shift,
  now: bigint,
): Pair<bigint> | "over" | undefined {
  const [duration, start] = [bitsOf(packed, fields.duration), bitsOf(packed, fields.start)];
  if (start + duration < now) return "over";
  if (duration === 0n) return undefined;
  const at = (field: Field, value: bigint) => between(bitsOf(packed, field), value, now - start, duration);
  return [at(fields.upper, upper), at(fields.lower, lower)];
}

/** The ranges, and the state without their shift if that is over. @source helpers.sol _calcRangeShifting */
function rangesAt(variables: bigint, state: State, now: bigint) {
  const stored: Pair<bigint> = [bitsOf(variables, FIELDS.upper), bitsOf(variables, FIELDS.lower)];
  if (bitsOf(variables, FIELDS.isRangeShifting) === 0n) return { state, upper: stored[0], lower: stored[1] };
  const found = shifted(state.rangeShift, stored, RANGE_SHIFT, now);
  if (found === undefined) return undefined;
  if (found !== "over") return { state, upper: found[0], lower: found[1] };
  const cleared = withBits(state.variables, FIELDS.isRangeShifting, 0n);
  return { state: { ...state, variables: cleared, rangeShift: 0n }, upper: stored[0], lower: stored[1] };
}

type Following = {
  readonly center: bigint;
  readonly upper: bigint;
  readonly lower: bigint;
  readonly now: bigint;
};

/** The centre price after it has followed the price towards an end of its range, within its limits. */
function rebalanced(variables: bigint, shift: bigint, { center, upper, lower, now }: Following): bigint {
  const status = bitsOf(variables, FIELDS.status);
  if (status < 2n) return center;
  const [high, low] = endsOf(center, { upper, lower });
  const [passed, seconds] = [now - bitsOf(shift, SHIFT.last), bitsOf(shift, SHIFT.seconds)];
  const end = status === 2n ? high : low;
  const reached = passed < seconds ? between(center, end, passed, seconds) : end;
  const [most, least] = [bigNumberOf(shift, SHIFT.most), bigNumberOf(shift, SHIFT.least)];
  if (reached > most) return most;
  return reached < least ? least : reached;
}

function imaginaryOf({ variables }: State, upper: bigint, lower: bigint): Pair<bigint> | undefined {
  const [supply0, supply1] = [bitsOf(variables, FIELDS.supply0), bitsOf(variables, FIELDS.supply1)];
  const mean =
    upper < LARGE ? isqrt(upper * lower) : isqrt((upper / LARGE_UNIT) * (lower / LARGE_UNIT)) * LARGE_UNIT;
  if (mean < PRICE_UNIT) {
    const found = outside(mean, upper, supply0, supply1);
    return found && [found[0] + supply0, found[1] + supply1];
  }
  if (lower === 0n) return undefined;
  const found = outside(INVERSE / mean, INVERSE / lower, supply1, supply0);
  return found && [found[1] + supply0, found[0] + supply1];
}

/**
 * The reserves outside of the range: (x + rx)·(y + ry) is the same at both of its ends.
 *
 * @param mean the geometric mean of the range's ends, `end` its upper one, in units of the second token
 * @source helpers.sol _calculateReservesOutsideRange
 */
function outside(mean: bigint, end: bigint, rx: bigint, ry: bigint): Pair<bigint> | undefined {
  const width = end - mean;
  if (width <= 0n) return undefined;
  const half = (mean * rx + ry * PRICE_UNIT) / (2n * width);
  const x = half + isqrt((rx * ry * PRICE_UNIT) / width + half * half);
  return [x, (x * mean) / PRICE_UNIT];
}

/**
 * The state after a swap that left a price: whether the centre price follows it from now on, and in which direction.
 *
 * @param before the variables as they were before the swap, which say what shifts
 * @returns undefined if the contract would revert
 * @source helpers.sol _getRebalancingStatus
 */
export function statusAfter(
  before: bigint,
  { state, center, upper, lower }: Prices,
  price: bigint,
  timestamp: number,
): State | undefined {
  if (bitsOf(before, FIELDS.status) === 0n) return state;
  const found = thresholdsAt(before, state, BigInt(timestamp));
  if (found === undefined) return undefined;
  const [high, low] = found.thresholds;
  const above = center + ((upper - center) * (THRESHOLD_UNIT - high)) / THRESHOLD_UNIT;
  const below = center - ((center - lower) * (THRESHOLD_UNIT - low)) / THRESHOLD_UNIT;
  const status = price > above ? 2n : price < below ? 3n : 1n;
  return { ...found.state, variables: withBits(found.state.variables, FIELDS.status, status) };
}

/** @source helpers.sol _calcThresholdShifting */
function thresholdsAt(
  variables: bigint,
  state: State,
  now: bigint,
): { readonly state: State; readonly thresholds: Pair<bigint> } | undefined {
  const stored = [
    bitsOf(variables, FIELDS.upperThreshold),
    bitsOf(variables, FIELDS.lowerThreshold),
  ] as const;
  if (bitsOf(variables, FIELDS.isThresholdShifting) === 0n) return { state, thresholds: stored };
  const thresholds = shifted(state.thresholdShift, stored, THRESHOLD_SHIFT, now);
  if (thresholds !== "over") return thresholds && { state, thresholds };
  const cleared = withBits(state.variables, FIELDS.isThresholdShifting, 0n);
  return { state: { ...state, variables: cleared, thresholdShift: 0n }, thresholds: stored };
}
