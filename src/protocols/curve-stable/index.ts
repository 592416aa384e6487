import { packedUint } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { leastInput } from "../../core/math/least-input.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import type { Pool } from "../../core/types.ts";
import { type Order, quoteOwnState, type Trade } from "../own-state.ts";
import { exchange, getDx } from "./exchange.ts";
import { apply, topics, touches } from "./logs.ts";
import { type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { seeds, sellsNative } from "./pools.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";

/** Gas units of one crossing through the router: a base and a part for every coin that the invariant reads. */
const GAS = 70_000;
const GAS_PER_COIN = 14_000;

/** Sells to or buys from the pool; @returns undefined when the contract would revert or pay nothing */
function trade(state: State, { i, j, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const swap = { i, j, dx: amount, timestamp: at.timestamp };
  const amountIn = side === "in" ? amount : priceOf(state, swap);
  const done = amountIn === undefined ? undefined : exchange(state, { ...swap, dx: amountIn });
  if (amountIn === undefined || done === undefined || done.dy === 0n) return undefined;
  const amountOut = side === "in" ? done.dy : amount;
  return { amountIn, amountOut, gas: GAS + GAS_PER_COIN * state.balances.length, next: done.next };
}

/** The least input that pays at least `swap.dx`; the contract itself sells only. */
function priceOf(state: State, swap: Parameters<typeof getDx>[1]): bigint | undefined {
  if (swap.dx >= state.balances[swap.j]!) return undefined;
  const guess = getDx(state, swap);
  if (guess === undefined) return undefined;
  return leastInput((dx) => exchange(state, { ...swap, dx })?.dy, swap.dx, guess);
}

function encode(pool: Pool, _state: State, i: number, j: number): StepCode {
  return {
    kind: stepKinds.curve,
    target: pool.address,
    zeroForOne: i === 0,
    extra: `0x${packedUint(i, 1).slice(2)}${packedUint(j, 1).slice(2)}00`,
    intake: sellsNative(pool, i) ? "held" : "approval",
    paysAnyone: false,
  };
}

/** Curve's stableswap pools. Which of them are covered, and how they round, is in this folder's README. */
export const curveStable: Protocol<State, Mirror> = {
  name: "curve-stable",
  topics,
  seeds,
  discover: () => undefined,
  touches,
  reads,
  load,
  apply,
  stale: (state, at) => state.onlyIn !== 0 && state.onlyIn !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve: () => undefined,
  gas: (pool) => GAS + GAS_PER_COIN * pool.xp.length,
  encode,
};
