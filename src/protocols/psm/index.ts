import { packedUint } from "../../core/abi.ts";
import { psmFunctions, stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { lineOutput, type StraightLine, sellableCurve } from "../../core/math/sampling/straight-line.ts";
import type { Protocol } from "../../core/protocol.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { At, Deployment, Pool } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../shared/own-state.ts";
import { addressFact } from "../shared/record-address.ts";
import { apply, topics } from "./events.ts";
import { load, reads } from "./reads.ts";
import { moved, payable, type State } from "./state.ts";

/** By direction: the stablecoin for DAI, and back. */
type Mirror = readonly [StraightLine, StraightLine];

/** Gas units through the router. */
const SELL_GAS = 155_000;
const BUY_GAS = 165_000;

/** Age after which balances are read again: a transfer changes them without a log of the module. */
const MOST_AGE_SECONDS = 600;

/** @throws Error if the record does not name both tokens: it is wrong */
function seeds(deployment: Deployment): readonly Pool[] {
  const tokens = ["gem", "dai"].map((name) => addressFact(deployment, name));
  const id = deployment.factory;
  const named = { id, address: id, protocol: "psm", deployment: deployment.id };
  return [{ ...named, tokens, stateIds: [id], facts: {} }];
}

/**
 * Sells the stablecoin (token 0) for DAI (token 1), which multiplies exactly, or DAI for the stablecoin, which divides and
 * rounds down: what does not pay for a whole unit is lost. An exact output costs the least input that pays it.
 *
 * @returns undefined if the direction takes a fee or is halted, or its stock does not suffice
 */
function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_UINT256 || !state.isOpen[i === 0 ? 0 : 1]) return undefined;
  return i === 0 ? sellStablecoin(state, amount, side) : buyStablecoin(state, amount, side);
}

function sellStablecoin(state: State, amount: bigint, side: Order["side"]): Trade<State> | undefined {
  const { rate, dai } = state;
  const amountIn = side === "in" ? amount : (amount + rate - 1n) / rate;
  const paid = amountIn * rate;
  if (paid > dai) return undefined;
  const next = moved(state, amountIn, -paid);
  return { amountIn, amountOut: side === "in" ? paid : amount, gas: SELL_GAS, next };
}

function buyStablecoin(state: State, amount: bigint, side: Order["side"]): Trade<State> | undefined {
  const { rate } = state;
  const amountOut = side === "in" ? amount / rate : amount;
  if (amountOut === 0n || amountOut > payable(state)) return undefined;
  const amountIn = side === "in" ? amount : amountOut * rate;
  const next = moved(state, -amountOut, amountIn);
  return { amountIn, amountOut, gas: BUY_GAS, next };
}

function mirror(state: State): Mirror {
  const { rate, isOpen, dai } = state;
  const units = Number(rate);
  const [sells, buys] = isOpen;
  return [
    { slope: units, most: sells ? Number(dai) / units : 0 },
    { slope: 1 / units, most: buys ? Number(payable(state)) * units : 0 },
  ];
}

const lineOf = (mirrored: Mirror, i: number): StraightLine => mirrored[i === 0 ? 0 : 1];

/** Digits of the rate, which is a power of ten. */
const digitsOf = (rate: bigint): number => rate.toString().length - 1;

/**
 * Peg stability modules: DAI for a stablecoin of fewer digits and back, at par, as far as the stock goes.
 *
 * @source makerdao/dss-lite-psm src/DssLitePsm.sol
 */
export const psm: Protocol<State, Mirror> = {
  name: "psm",
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
  quoteFloat: (mirrored, i, _j, x) => lineOutput(lineOf(mirrored, i), x),
  curve: (mirrored, i) => sellableCurve(lineOf(mirrored, i)),
  joint: noJoint,
  gas: (_mirror, i) => (i === 0 ? SELL_GAS : BUY_GAS),
  encode: (pool, { rate }, i) => ({
    kind: stepKinds.converter,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(psmFunctions(digitsOf(rate)), 1),
    intake: "approval",
    paysAnyone: true,
  }),
};
