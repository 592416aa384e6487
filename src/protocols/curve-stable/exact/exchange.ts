import {
  type Amplification,
  ampAt,
  balanceFor,
  dynamicFee,
  FEE_DENOMINATOR,
  invariant,
  scaled,
} from "../../../core/math/curve/stable-math.ts";
import { roundings, type State, type Swap } from "../state.ts";

const PRECISION = 10n ** 18n;
const MAX_UINT256 = 2n ** 256n - 1n;

/** What an exchange pays and leaves. */
export type Exchanged = {
  /** Smallest units of coin `j`, ≥ 0, fee taken. */
  readonly dy: bigint;
  readonly next: State;
};

/** A pool at a time, in 18-digit units. */
export type Balanced = { readonly xp: bigint[]; readonly d: bigint; readonly amplification: Amplification };

/**
 * D costs as much as all the rest of a swap and changes only with the state, of which a search asks many amounts:
 * it is remembered for as long as the state object lives.
 */
const known = new WeakMap<State, { readonly amp: bigint; readonly d: bigint | undefined }>();

/** @returns undefined where D cannot be computed, and so every exchange reverts */
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

/** The invariant crossed, in 18-digit units, before any fee. */
type Crossing = {
  /** Balance of coin `i` after. */
  readonly x: bigint;
  /** Balance of coin `j` after. */
  readonly y: bigint;
  /** What coin `j` falls by. */
  readonly fall: bigint;
  /** Fee of 10^10 for this crossing. */
  readonly fee: bigint;
};

function cross(state: State, { i, j, dx, timestamp }: Swap): Crossing | undefined {
  const added = dx * state.rates[i]!;
  if (added > MAX_UINT256) return undefined;
  return crossScaled(state, { i, j, dx: added / PRECISION, timestamp });
}

/** `dx` is in 18-digit units here. */
function crossScaled(state: State, { i, j, dx, timestamp }: Swap): Crossing | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined) return undefined;
  const { xp, d, amplification } = start;
  const [xi, xj] = [xp[i]!, xp[j]!];
  const x = xi + dx;
  xp[i] = x;
  const y = balanceFor(j, xp, d, amplification);
  if (y === undefined) return undefined;
  const fee = dynamicFee((xi + x) / 2n, (xj + y) / 2n, state.fee, state.offpegFeeMultiplier);
  return { x, y, fall: xj - y, fee };
}

/** Smallest units of coin `j` for the taker and for the admin, and the fee that stays, in 18 digits. */
type Payment = { readonly dy: bigint; readonly adminDy: bigint; readonly stays: bigint };

/** `rate` is that of coin `j`. The two orders of fee and rate round differently. */
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
 * What `exchange` pays for `dx` of coin `i`:
 *
 *   dy = floor( (g - floor(g·fee)) / rate_j ),  g = xp_j - y(x_i + dx) - 1
 *
 * in the rounding of the pool's implementation. All but the admin's part of the fee stays in the pool.
 *
 * @returns undefined where the contract reverts; a `dy` of 0 is a legal answer
 * @source curvefi/curve-contract contracts/pool-templates/base/SwapTemplateBase.vy exchange; others in `roundings`
 */
export function exchange(state: State, swap: Swap): Exchanged | undefined {
  const { i, j, dx } = swap;
  const crossing = cross(state, swap);
  if (crossing === undefined) return undefined;
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
 * What the view `get_dy` answers, which an exchange need not pay: see `roundings`.
 *
 * @returns smallest units of coin `j`; undefined where the contract reverts
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
 * The input that buys about `dy`: the invariant solved backwards with the fee of the balances as they are. This is
 * the view `get_dx` of stableswap-ng, rounding included; an exchange of it may pay a little more or less.
 *
 * @param swap `dx` holds the wanted amount of coin `j`, in smallest units
 * @returns smallest units of coin `i`; undefined where the pool does not hold so much
 * @source curvefi/stableswap-ng contracts/main/CurveStableSwapNGViews.vy _get_dx
 */
export function getDx(state: State, { i, j, dx: dy, timestamp }: Swap): bigint | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined) return undefined;
  const { xp, d, amplification } = start;
  const fee = dynamicFee(xp[i]!, xp[j]!, state.fee, state.offpegFeeMultiplier);
  const gross = (((dy * state.rates[j]!) / PRECISION + 1n) * FEE_DENOMINATOR) / (FEE_DENOMINATOR - fee);
  xp[j] = xp[j]! - gross;
  if (xp[j]! <= 0n) return undefined;
  const x = balanceFor(i, xp, d, amplification);
  return x === undefined || x < xp[i]! ? undefined : ((x - xp[i]!) * PRECISION) / state.rates[i]!;
}
