import type { Route } from "../types.ts";

/** A sale that pays too little, and the smaller one before it. */
type Traded = Pick<Route, "amountIn" | "amountOut">;

/** The next amount is at most this many times the last one. */
const LEAP = 64n;
/** The next amount is this many times the last one where, by the last two sales, no amount pays what is wanted. */
const STEP = 4n;
/** An aim exceeds the amount that should pay enough by one part in this many, since paying a unit too little is useless. */
const BEYOND = 2n ** 30n;
/** Sales that follow straight lines, which are exact where a route has little slippage. Where these fall behind, the next ones bend. */
export const STRAIGHT = 4;

/** What is to be paid, and the number of sales that have paid too little. */
type Wanting = { readonly wanted: bigint; readonly tries: number };

/** Slightly more than the amount that should pay enough, by extrapolation from the last one or two sales. */
export function beyond(last: Traded, before: Traded | undefined, { wanted, tries }: Wanting): bigint {
  const { amountIn, amountOut } = last;
  const [sold, paid] = [amountIn - (before?.amountIn ?? 0n), amountOut - (before?.amountOut ?? 0n)];
  const [by, per] = sold > 0n && paid > 0n ? [sold, paid] : [amountIn, amountOut];
  const short = wanted > amountOut ? wanted - amountOut : 0n;
  const straight = amountIn + (short * by) / per + 1n;
  const bent = before !== undefined && tries >= STRAIGHT ? onHyperbola(last, before, wanted) : 0n;
  const aim = straight > bent ? straight : bent;
  const most = LEAP * amountIn;
  return aim < most ? aim + aim / BEYOND : most;
}

/**
 * The amount that pays `wanted` if reciprocals of outputs are linear in those of inputs, as for one pool of constant product, and as
 * much again beyond the last sale, since several pools run dry one after the other. 0 where the larger sale does not pay more.
 */
function onHyperbola(last: Traded, before: Traded, wanted: bigint): bigint {
  const [sold, paid] = [Number(last.amountIn), Number(last.amountOut)];
  const [less, paidLess] = [Number(before.amountIn), Number(before.amountOut)];
  if (!(sold > less && paid > paidLess)) return 0n;
  const slope = (1 / paidLess - 1 / paid) / (1 / less - 1 / sold);
  const times = 1 / (1 + (sold / slope) * (1 / Number(wanted) - 1 / paid));
  if (!(times > 0 && times < Number(LEAP))) return STEP * last.amountIn;
  return BigInt(Math.ceil(Math.min(sold * (2 * times - 1), Number(LEAP) * sold)));
}
