import {
  type Amplification,
  ampAt,
  balanceFor,
  dynamicFee,
  FEE_DENOMINATOR,
  invariant,
  scaled,
} from "../../../core/math/curve/stable-math.ts";
import { MAX_UINT256 } from "../../../core/tokens.ts";
import { roundings, type State, type Swap } from "../state.ts";

const PRECISION = 10n ** 18n;

/** Output of an exchange, and the state after it. */
export type Exchanged = {
  /** Smallest units of coin `j`, ≥ 0, net of the fee. */
  readonly dy: bigint;
  readonly next: State;
};

/** Balances and D at a time, in 18-digit units. */
export type Balanced = { readonly xp: bigint[]; readonly d: bigint; readonly amplification: Amplification };

/** Cache by state object: D costs as much as the rest of a swap, and a search quotes many amounts per state. */
const known = new WeakMap<State, { readonly amp: bigint; readonly d: bigint | undefined }>();

/** @returns undefined if D cannot be computed, so that every exchange reverts */
export function balanced(state: State, timestamp: number): Balanced | undefined {
  const xp = scaled(state.balances, state.rates);
  const amplification = { amp: ampAt(state.ramp, timestamp), precision: state.aPrecision };
  let entry = known.get(state);
  if (entry?.amp !== amplification.amp) {
    entry = { amp: amplification.amp, d: invariant(xp, amplification, roundings[state.rounding].product) };
    known.set(state, entry);
  }
  return entry?.d === undefined ? undefined : { xp, d: entry.d, amplification };
}

/** A trade along the invariant before fees, in 18-digit units. */
type Crossing = {
  /** Balance of coin `i` after. */
  readonly x: bigint;
  /** Balance of coin `j` after. */
  readonly y: bigint;
  /** Fall of coin `j`. */
  readonly fall: bigint;
  /** Fee of 10^10 for this crossing. */
  readonly fee: bigint;
};

function cross(state: State, { i, j, dx, timestamp }: Swap): Crossing | undefined {
  const added = dx * state.rates[i]!;
  if (added > MAX_UINT256) return undefined;
  return crossScaled(state, { i, j, dx: added / PRECISION, timestamp });
}

/** As `cross`, with `dx` in 18-digit units. */
function crossScaled(state: State, { i, j, dx, timestamp }: Swap): Crossing | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined) return undefined;
  const { xp, d, amplification } = start;
  const xi = xp[i]!;
  const xj = xp[j]!;
  const x = xi + dx;
  xp[i] = x;
  const y = balanceFor(j, xp, d, amplification);
  if (y === undefined) return undefined;
  const fee = dynamicFee((xi + x) / 2n, (xj + y) / 2n, state.fee, state.offpegFeeMultiplier);
  return fee === undefined ? undefined : { x, y, fall: xj - y, fee };
}

/** Smallest units of coin `j` paid to the trader and to the admin, and the fee left in the pool, in 18 digits. */
type Payment = { readonly dy: bigint; readonly adminDy: bigint; readonly stays: bigint };

/** Converts a crossing to amounts. The two orders of fee and rate round differently. @param rate of coin `j` */
function payment(state: State, { fall, fee }: Crossing, call: "view" | "exchange", rate: bigint) {
  const { kept, fee: order } = roundings[state.rounding][call];
  const gross = fall - kept;
  if (gross < 0n) return undefined;
  if (order === "beforeRate") {
    const taken = (gross * fee) / FEE_DENOMINATOR;
    const admin = (taken * state.adminFee) / FEE_DENOMINATOR;
    const dy = ((gross - taken) * PRECISION) / rate;
    return { dy, adminDy: (admin * PRECISION) / rate, stays: taken - admin } satisfies Payment;
  }
  const bought = (gross * PRECISION) / rate;
  const taken = (bought * fee) / FEE_DENOMINATOR;
  const adminDy = (taken * state.adminFee) / FEE_DENOMINATOR;
  return { dy: bought - taken, adminDy, stays: 0n } satisfies Payment;
}

/**
 * The contract's `exchange` of `dx` of coin `i`:
 *
 *   dy = floor( (g - floor(g·fee)) / rate_j ),  g = xp_j - y(x_i + dx) - 1
 *
 * with the rounding of the pool's implementation. All of the fee except the admin's part stays in the pool.
 *
 * @returns undefined if the contract reverts; a `dy` of 0 is a valid answer
 * @source curvefi/curve-contract contracts/pool-templates/base/SwapTemplateBase.vy exchange; others in `roundings`
 */
export function exchange(state: State, swap: Swap): Exchanged | undefined {
  const { i, j, dx } = swap;
  const crossing = cross(state, swap);
  if (crossing === undefined) return undefined;
  if (crossing.y === 0n && roundings[state.rounding].oracle) return undefined;
  const rate = state.rates[j]!;
  const paid = payment(state, crossing, "exchange", rate);
  if (paid === undefined) return undefined;
  const balances = state.balances.slice();
  if (roundings[state.rounding].balances === "moved") {
    balances[i] = balances[i]! + dx;
    balances[j] = balances[j]! - paid.dy - paid.adminDy;
  } else {
    balances[i] = (crossing.x * PRECISION) / state.rates[i]!;
    balances[j] = ((crossing.y + paid.stays) * PRECISION) / rate;
  }
  return { dy: paid.dy, next: { ...state, balances } };
}

/**
 * The view `get_dy`, whose answer an exchange need not pay: see `roundings`.
 *
 * @returns smallest units of coin `j`; undefined if the contract reverts
 */
export function getDy(state: State, swap: Swap): bigint | undefined {
  const crossing = cross(state, swap);
  return crossing && payment(state, crossing, "view", state.rates[swap.j]!)?.dy;
}

/** As `getDy`, with `dx` in 18-digit units. */
export function getDyScaled(state: State, swap: Swap): bigint | undefined {
  const crossing = crossScaled(state, swap);
  return crossing && payment(state, crossing, "view", state.rates[swap.j]!)?.dy;
}

/**
 * The input that buys about `dy`: the invariant solved backwards with the fee at the present balances. It equals the
 * view `get_dx` of stableswap-ng, rounding included; an exchange of it may pay slightly more or less.
 *
 * @param swap its `dx` is the wanted amount of coin `j`, in smallest units
 * @returns smallest units of coin `i`; undefined if the pool does not hold so much
 * @source curvefi/stableswap-ng contracts/main/CurveStableSwapNGViews.vy _get_dx
 */
export function getDx(state: State, { i, j, dx: dy, timestamp }: Swap): bigint | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined) return undefined;
  const { xp, d, amplification } = start;
  const fee = dynamicFee(xp[i]!, xp[j]!, state.fee, state.offpegFeeMultiplier);
  if (fee === undefined) return undefined;
  const gross = (((dy * state.rates[j]!) / PRECISION + 1n) * FEE_DENOMINATOR) / (FEE_DENOMINATOR - fee);
  xp[j] = xp[j]! - gross;
  if (xp[j]! <= 0n) return undefined;
  const x = balanceFor(i, xp, d, amplification);
  return x === undefined || x < xp[i]! ? undefined : ((x - xp[i]!) * PRECISION) / state.rates[i]!;
}
