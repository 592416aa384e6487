import {
  asked,
  complaint,
  type Fields,
  integer,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import type { Mover, State, Tick } from "./state.ts";
import { swap } from "./swap.ts";

const NEEDED = [
  "activeTick",
  "lastTwaD8",
  "feeAIn",
  "feeBIn",
  "protocolFeeRatioD3",
  "tickSpacing",
  "ticks",
  "bins",
];
/** Beyond the last tick of every pool. */
const ENDLESS = 400_000;

function moversOf(bins: readonly unknown[]): (Mover & { readonly tick: number })[] {
  return bins
    .map((bin) =>
      understood(bin, ["id", "kind", "tick", "totalSupply", "tickBalance"], ["mergeId", "mergeBinBalance"]),
    )
    .map(({ id, kind, tick, tickBalance, totalSupply }) => ({
      ...{ id: Number(id), kind: Number(kind), tick: Number(tick) },
      ...{ balance: integer(tickBalance), supply: integer(totalSupply) },
    }))
    .filter(({ kind }) => kind > 0);
}

function ticksOf(state: Fields): Tick[] {
  const movers = moversOf(state.bins as readonly unknown[]);
  const found = (state.ticks as readonly unknown[]).map((one) => {
    const { tick, reserveA, reserveB, totalSupply } = understood(
      one,
      ["tick", "reserveA", "reserveB", "totalSupply"],
      ["binIdsByKind"],
    );
    const own = movers.filter((mover) => mover.tick === Number(tick));
    return {
      ...{ tick: Number(tick), a: integer(reserveA), b: integer(reserveB), supply: integer(totalSupply) },
      movers: own.map(({ tick: _, ...mover }) => mover).sort((one, other) => one.kind - other.kind),
    };
  });
  return found.sort((one, other) => one.tick - other.tick);
}

/** The price is taken to have rested where it was weighted. @throws NotUnderstood if a token has more than 18 decimals */
function stateOf(vector: Vector): State {
  const state = understood(vector.state, NEEDED, ["unit"]);
  const [a, b] = (vector.pool.tokens as readonly Fields[]).map(({ decimals }) => 18n - integer(decimals));
  if (a === undefined || b === undefined || a < 0n || b < 0n)
    throw new NotUnderstood("more than 18 decimals");
  const weighted = integer(state.lastTwaD8);
  return {
    fees: [integer(state.feeAIn), integer(state.feeBIn)],
    protocolFeeRatio: integer(state.protocolFeeRatioD3),
    tickSpacing: Number(integer(state.tickSpacing)),
    lookback: 1n,
    scales: [10n ** a, 10n ** b],
    activeTick: Number(integer(state.activeTick)),
    ...{ first: -ENDLESS, last: ENDLESS, ticks: ticksOf(state) },
    ...{ weighted, position: weighted, time: 0, isSettled: true },
  };
}

export const suite: VectorSuite = {
  names: ["maverick-v2"],
  open(vector) {
    let state = stateOf(vector);
    return (recorded) => {
      const sellsA = tokenIndex(vector, recorded.tokenIn) === 0;
      const isOutput = recorded.kind !== "exactIn";
      const done = swap(state, { sellsA, isOutput, amount: asked(recorded), tickLimit: undefined }, 1);
      if (vector.sequential && done !== undefined) state = done.next;
      return complaint(recorded, done);
    };
  },
};
