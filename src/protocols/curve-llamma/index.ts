import { leastInput } from "../../core/math/least-input.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Hex, Log } from "../../core/types.ts";
import { uint256CurveStep } from "../shared/curve-step.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import { curve, type Mirror, mirrorOf, quoteFloat } from "./mirror.ts";
import { creationTopics, discover, seeds } from "./pools.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";

/**
 * Gas units of a crossing of one band through the router, and of each further band. The devnet's model needs 140,000
 * and 42,000 to 54,000 before refunds; the additional gas of a real market's oracle and interest is estimated.
 */
const GAS = 205_000;
const GAS_PER_BAND = 72_000;

/**
 * Logs after which the state is read again. It is read in every block as well, since the oracle's price moves without
 * a log.
 */
const reloading: readonly Hex[] = [
  // TokenExchange(address,uint256,uint256,uint256,uint256)
  "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98",
  // Deposit(address,uint256,int256,int256), Withdraw(address,uint256,uint256)
  "0x7e4f5fadb3361b33669433b392d1a203b7a236710eb272650052592e6ce62f09",
  "0xf279e6a1f5e320cca91135676d9cb6e44ca8a08c0b88342bcdb1144f6511b568",
  // SetRate(uint256,uint256,uint256), SetFee(uint256), SetAdminFee(uint256)
  "0x52543716810f73c3fa9bca74622aecb6d3614ca4991472f3e999d531c2f6afb8",
  "0x00172ddfc5ae88d08b3de01a5a187667c37a5a53989e8c175055cb6c993792a7",
  "0x2f0d0ace1d699b471d7b39522b5c8aae053bce1b422b7a4fe8f09bd6562a4b74",
];
const known: ReadonlySet<string> = new Set(reloading);
const isKnown = (log: Log) => known.has(log.topics[0]!);

/** Sells to or buys from the bands. @returns undefined if the contract would revert, pay nothing, or not take all */
function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const sell = (dx: bigint) => whole(exchange(state, { i, amount: dx }), dx);
  const amountIn = side === "in" ? amount : priceOf(state, { i, amount }, (dx) => sell(dx)?.amountOut);
  const done = amountIn === undefined ? undefined : sell(amountIn);
  if (amountIn === undefined || done === undefined) return undefined;
  const bands = Math.abs(done.next.activeBand - state.activeBand);
  const amountOut = side === "in" ? done.amountOut : amount;
  return { amountIn, amountOut, gas: GAS + GAS_PER_BAND * bands, next: done.next };
}

function whole(done: Exchanged | undefined, amount: bigint): Exchanged | undefined {
  return done?.amountIn === amount ? done : undefined;
}

/** The least input that pays at least `amount`; the search starts at the oracle's price. */
function priceOf(
  state: State,
  { i, amount }: Pick<Order, "i" | "amount">,
  sell: (dx: bigint) => bigint | undefined,
): bigint | undefined {
  const [first, second] = state.precisions;
  const held = (i === 0 ? state.y : state.x).reduce((total, band) => total + band, 0n);
  if (amount * (i === 0 ? second : first) > held) return undefined;
  const one = 10n ** 18n;
  const guess =
    i === 0 ? (amount * second * state.price) / one / first : (amount * first * one) / state.price / second;
  return leastInput(sell, amount, guess);
}

/**
 * LLAMMA, the lending AMM of crvUSD and Curve's lending markets: collateral in bands, which the oracle's price
 * converts into debt.
 */
export const curveLlamma: Protocol<State, Mirror> = {
  name: "curve-llamma",
  topics: [...creationTopics, ...reloading],
  creations: creationTopics,
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover,
  touches: (log) => (isKnown(log) ? [log.address] : []),
  reads,
  load,
  apply: (state, log) => (isKnown(log) ? "reload" : state),
  stale: (state, at) => state.readAt !== 0 && at.blockNumber > state.readAt + 1,
  quote: quoteOwnState(trade),
  mirror: mirrorOf,
  quoteFloat,
  curve: (mirror, i, j) => curve(mirror, i, j) ?? sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: () => GAS,
  encode: uint256CurveStep,
};
