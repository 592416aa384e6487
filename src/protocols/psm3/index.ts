import { packedUint } from "../../core/abi.ts";
import { converterFunctions, stepKinds } from "../../core/encoding/kinds.ts";
import { leastInput } from "../../core/math/least-input.ts";
import { RAY } from "../../core/math/ray.ts";
import {
  lineCurve,
  lineOutput,
  type StraightLine,
  sellableCurve,
} from "../../core/math/sampling/straight-line.ts";
import type { Joint, Protocol } from "../../core/protocol.ts";
import type { At, Deployment, Pool } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { addressFact } from "../shared/record-address.ts";
import { apply, topics } from "./events.ts";
import { load, reads } from "./reads.ts";
import {
  MAX_AMOUNT,
  outputFor,
  payable,
  SAVINGS,
  type State,
  savingsRate,
  traded,
  type Way,
} from "./state.ts";

/** Per coin: what a smallest unit is worth in USDS, and what the module may pay, smallest units. */
type Coin = { readonly worth: number; readonly stock: number };
type Mirror = readonly Coin[];

/** Gas units through the router, and of the growth of sUSDS, which is computed in every swap of it. */
const SWAP_GAS = 135_000;
const SAVINGS_GAS = 20_000;

/** Age after which it is read again: transfers change its balances, and its oracle the rate, without a log of the module. */
const MOST_AGE_SECONDS = 120;

/** @throws Error if the record does not name the three coins: it is wrong */
function seeds(deployment: Deployment): readonly Pool[] {
  const tokens = ["usdc", "usds", "susds"].map((name) => addressFact(deployment, name));
  const id = deployment.factory;
  const named = { id, address: id, protocol: "psm3", deployment: deployment.id };
  return [{ ...named, tokens, stateIds: [id], facts: {} }];
}

function gas(i: number, j: number): number {
  return i === SAVINGS || j === SAVINGS ? SWAP_GAS + SAVINGS_GAS : SWAP_GAS;
}

/**
 * Converts at par and at the savings rate. An exact output costs the least input that pays it.
 *
 * @returns undefined if nothing is paid, or more than the stock
 */
function trade(state: State, { i, j, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const rate = savingsRate(state, at.timestamp);
  const sell = (sold: bigint) => (sold > MAX_AMOUNT ? undefined : outputFor(state, { i, j }, sold, rate));
  const back = outputFor(state, { i: j, j: i }, amount, rate);
  const amountIn = side === "in" ? amount : leastInput(sell, amount, back);
  if (amountIn === undefined) return undefined;
  const paid = sell(amountIn);
  if (paid === undefined || paid === 0n || paid > payable(state, j)) return undefined;
  const next = traded(state, { i, j }, amountIn, paid);
  return { amountIn, amountOut: side === "in" ? paid : amount, gas: gas(i, j), next };
}

function mirror(state: State, _pool: Pool, at: At): Mirror {
  const savings = Number(savingsRate(state, at.timestamp)) / Number(RAY);
  return state.units.map((units, k) => ({
    worth: (k === SAVINGS ? savings : 1) / Number(units),
    stock: Number(payable(state, k)),
  }));
}

/** Units of one coin that are paid for a unit of another, and the most that can be sold. */
function lineOf(coins: Mirror, { i, j }: Way): StraightLine {
  const [from, to] = [coins[i]!, coins[j]!];
  const slope = from.worth / to.worth;
  return { slope, most: Math.min(to.stock / slope, Number(MAX_AMOUNT)) };
}

/** Each coin against dollars: the pairs that pay the same coin share its stock. All stocks together end what can be sold. */
function joint(coins: Mirror): Joint {
  const all = coins.reduce((sum, { worth, stock }) => sum + worth * stock, 0);
  return {
    into: coins.map(({ worth }) => lineCurve({ slope: worth, most: all / worth })),
    outOf: coins.map(({ worth, stock }) => lineCurve({ slope: 1 / worth, most: stock * worth })),
    free: 0,
  };
}

/**
 * Spark's peg stability module: USDC and USDS at par, and sUSDS at its savings rate, as far as the stock goes.
 *
 * @source sparkdotfi/spark-psm src/PSM3.sol
 */
export const psm3: Protocol<State, Mirror> = {
  name: "psm3",
  topics,
  creations: [],
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds,
  discover: () => undefined,
  touches: (log) => (topics.includes(log.topics[0]!) ? [log.address] : []),
  reads,
  load,
  apply,
  stale: ({ readAt }, { timestamp }: At) => timestamp - readAt > MOST_AGE_SECONDS,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: (coins, i, j, x) => lineOutput(lineOf(coins, { i, j }), x),
  curve: (coins, i, j) => sellableCurve(lineOf(coins, { i, j })),
  joint,
  gas: (_mirror, i, j) => gas(i, j),
  encode: (pool) => ({
    kind: stepKinds.converter,
    target: pool.address,
    zeroForOne: false,
    extra: packedUint(converterFunctions.psm3, 1),
    intake: "approval",
    paysAnyone: true,
  }),
};
