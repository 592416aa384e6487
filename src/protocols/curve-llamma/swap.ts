import { bandFee, curvatureOf, upperPrice } from "../../core/math/curve/llamma-math.ts";
import { generations, type State } from "./state.ts";

const ONE = 10n ** 18n;
/** Most bands that a trade may touch, and most steps including empty bands before the first. */
const MOST_BANDS = 50;
const MOST_STEPS = MOST_BANDS + 1024;

/** Amounts of a trade, 18 digits, and the contents after it of all bands that it passed. */
export type Swapped = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The first band touched and the last one reached. */
  readonly from: number;
  readonly to: number;
  /** Balance of the coin sold in each band from the first on, and balance of the coin bought left in the last band. */
  readonly sold: readonly bigint[];
  readonly left: bigint;
};

/** ln(A / (A - 1)), and the largest ratio of a band's price to the oracle's; both depend on A and the version only. */
type Ratios = { readonly logRatio: bigint; readonly farthest: bigint };

const ratios = new Map<string, Ratios>();

/**
 * The ratios of a market, cached. The largest ratio is that of fifty bands: multiplied one by one, or in versions
 * before dynamic band fees as the 25th power squared.
 *
 * @source curvefi/curve-stablecoin contracts/ControllerFactory.vy add_market, contracts/AMM.vy __init__
 */
function ratiosOf({ a, generation }: State): Ratios {
  const { hasBandFees, ln } = generations[generation];
  const key = `${a} ${generation}`;
  const known = ratios.get(key);
  if (known !== undefined) return known;
  let farthest = ONE;
  if (hasBandFees) for (let k = 0; k < MOST_BANDS; k++) farthest = (farthest * a) / (a - 1n);
  else farthest = ((a ** 25n * ONE) / (a - 1n) ** 25n) ** 2n / ONE;
  const found = { logRatio: ln((ONE * a) / (a - 1n)), farthest };
  ratios.set(key, found);
  return found;
}

/** One band of a trade, before it is filled. */
export type Step = {
  readonly n: number;
  readonly x: bigint;
  readonly y: bigint;
  /** The band's upper price, 18 digits. */
  readonly upper: bigint;
};

/** 1 / (1 - fee), 18 digits, with the larger of the band's and the pool's fee. */
export function antifeeOf(state: State, { upper }: Pick<Step, "upper">): bigint {
  const own = generations[state.generation].hasBandFees
    ? bandFee({ price: state.price, upper }, state.a)
    : 0n;
  const fee = own > state.fee ? own : state.fee;
  return (ONE * ONE) / (ONE - (fee < ONE ? fee : ONE - 1n));
}

/**
 * A band in the direction of a trade: its holdings of the coin sold (`has`) and of the coin bought (`pays`), with
 * (near + has)·(far + pays) = invariant.
 */
export type Side = {
  readonly has: bigint;
  readonly pays: bigint;
  readonly near: bigint;
  readonly far: bigint;
  readonly invariant: bigint;
};

export function sideOf(state: State, isPump: boolean, step: Step): Side {
  const { f, g, invariant } = curvatureOf({ ...step, price: state.price }, state.a);
  return isPump
    ? { has: step.x, pays: step.y, near: f, far: g, invariant }
    : { has: step.y, pays: step.x, near: g, far: f, invariant };
}

/**
 * Input of a band, and its balance of the coin sold after it. `left` is the balance of the coin bought if the trade
 * ends in the band.
 */
type Filled = { readonly taken: bigint; readonly sold: bigint; readonly left: bigint | undefined };

/** @returns "revert" if the contract reverts, undefined if the band pays nothing */
function fill(state: State, isPump: boolean, step: Step, amount: bigint): Filled | "revert" | undefined {
  const { has, pays, near, far, invariant } = sideOf(state, isPump, step);
  if (pays === 0n || far === 0n) return undefined;
  const antifee = antifeeOf(state, step);
  const room = invariant / far - near - has;
  if (room < 0n) return "revert";
  const whole = (room * antifee) / ONE;
  if (whole >= amount) {
    const net = (amount * ONE) / antifee;
    if (near + has + net === 0n) return "revert";
    const rest = invariant / (near + has + net) - far + 1n;
    if (rest < 0n) return "revert";
    const admin = ((amount - net) * state.adminFee) / ONE;
    return { taken: amount, sold: has + amount - admin, left: rest < pays ? rest : pays };
  }
  const taken = whole > 1n ? whole : 1n;
  const admin = ((taken - room) * state.adminFee) / ONE;
  return { taken, sold: has + taken - admin, left: undefined };
}

function held(state: State, n: number, amounts: readonly bigint[]): bigint | undefined {
  return amounts[n - state.first] ?? (state.isWhole ? 0n : undefined);
}

/** The active band; undefined if it is unknown, or its price is out of bounds. */
export function startOf(state: State): Step | undefined {
  const { activeBand: n } = state;
  const x = held(state, n, state.x);
  const y = held(state, n, state.y);
  if (state.price === 0n) return undefined;
  const { shift } = generations[state.generation];
  const upper = upperPrice(n, state.basePrice, { logRatio: ratiosOf(state).logRatio, shift });
  return x === undefined || y === undefined || upper === undefined ? undefined : { n, x, y, upper };
}

/**
 * The band after `step` in the direction of the trade.
 *
 * @param touched bands so far, counted from the first that held something
 * @returns "end" if the contract stops: last band, too many bands, or too far from the oracle's price; undefined if
 *   the next band is unknown
 */
export function after(state: State, isPump: boolean, step: Step, touched: number): Step | "end" | undefined {
  const { a, price } = state;
  const { farthest } = ratiosOf(state);
  const distance = (step.upper * ONE) / price;
  if (step.n === (isPump ? state.maxBand : state.minBand) || touched === MOST_BANDS) return "end";
  if (isPump ? distance < (ONE * ONE) / farthest : distance > farthest) return "end";
  const n = step.n + (isPump ? 1 : -1);
  const pays = held(state, n, isPump ? state.y : state.x);
  if (pays === undefined) return undefined;
  if (isPump) return { n, x: 0n, y: pays, upper: (step.upper * (a - 1n)) / a };
  return { n, x: pays, y: 0n, upper: (step.upper * a) / (a - 1n) };
}

/** Progress of a trade. */
type Walk = { amountIn: bigint; amountOut: bigint; from: number; readonly sold: bigint[] };

/** Trades with one band. @returns the coin bought that is left in the band if the trade ends there, or "revert" */
function visit(state: State, isPump: boolean, step: Step, { walk, amount }: { walk: Walk; amount: bigint }) {
  const { n, x, y } = step;
  if (walk.sold.length === 0) {
    if (x === 0n && y === 0n) return undefined;
    walk.from = n;
  }
  const filled = fill(state, isPump, step, amount - walk.amountIn);
  if (filled === "revert") return "revert";
  walk.sold.push(filled?.sold ?? (isPump ? x : y));
  if (filled === undefined) return undefined;
  walk.amountIn += filled.taken;
  walk.amountOut += (isPump ? y : x) - (filled.left ?? 0n);
  return filled.left;
}

/**
 * Sells `amount` (18 digits) of the stablecoin (`isPump`) or of the collateral into the bands, from the active one
 * on. If the bands run out, the trade takes less than `amount`. At most 50 bands are touched.
 *
 * @returns undefined if the contract reverts, or an unknown band is reached
 * @source curvefi/curve-stablecoin contracts/AMM.vy calc_swap_out
 */
export function swapOut(state: State, isPump: boolean, amount: bigint): Swapped | undefined {
  const walk: Walk = { amountIn: 0n, amountOut: 0n, from: 0, sold: [] };
  let step: Step | undefined = startOf(state);
  for (let turn = 1; step !== undefined; turn++) {
    const left = visit(state, isPump, step, { walk, amount });
    if (left === "revert") return undefined;
    if (left !== undefined) return { ...walk, to: step.n, left };
    const next: Step | "end" | undefined =
      turn === MOST_STEPS ? "end" : after(state, isPump, step, walk.sold.length);
    if (next === "end") return { ...walk, to: step.n, left: 0n };
    step = next;
  }
  return undefined;
}
