import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
} from "../../core/math/concentrated/concentrated-mirror.ts";
import { countUpTo } from "../../core/math/concentrated/tick-table.ts";
import { priceAtTick, priceGrowth, priceNumber, sqrtPriceOf } from "../../core/math/ekubo/ekubo-price.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import { NATIVE, type Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { creations, discover, type Facts, topics, touches } from "./events.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State, TICK_GAS, trade } from "./state.ts";
import type { CorePool } from "./swap.ts";

/** The pool in doubles. Extensions are not mirrored: `load` refuses those that change amounts. */
function mirror(pool: CorePool): ConcentratedMirror {
  const keep = Number(2n ** 64n - pool.fee) / 2 ** 64;
  const { ticks, price, tick } = pool;
  if (price === 0n) return { keep, ranges: [], at: 0, sqrtPrice: 0, below: 0, above: 0 };
  const at = countUpTo(ticks, tick);
  const boundaries = [pool.lowest, ...ticks, pool.highest];
  const distance = (boundary: number) => {
    const exact = price - priceAtTick(boundaries[boundary]!);
    return priceNumber(exact < 0n ? -exact : exact);
  };
  return {
    keep,
    ranges: rangesOf(pool, boundaries, at),
    at,
    sqrtPrice: priceNumber(price),
    below: distance(at),
    above: distance(at + 1),
  };
}

/** Ranges in the form of `core/math/concentrated/concentrated-ranges.ts`. O(ticks). */
function rangesOf({ nets, liquidity }: CorePool, boundaries: readonly number[], at: number): number[] {
  const held = new Array<bigint>(nets.length + 1);
  held[at] = liquidity;
  for (let k = at - 1; k >= 0; k--) held[k] = held[k + 1]! - nets[k]!;
  for (let k = at + 1; k < held.length; k++) held[k] = held[k - 1]! + nets[k - 1]!;
  const ranges: number[] = [];
  for (let k = 0; k < held.length; k++) {
    const [lower, upper] = [sqrtPriceOf(boundaries[k]!), sqrtPriceOf(boundaries[k + 1]!)];
    const moved = Number(held[k]) * priceGrowth(boundaries[k + 1]! - boundaries[k]!);
    ranges.push(lower, Number(held[k]), moved / upper, moved * lower);
  }
  ranges.push(sqrtPriceOf(boundaries.at(-1)!));
  return ranges;
}

/** The step. The last word of the pool's key completes it. */
function encode(pool: Pool, _state: State, i: number): StepCode {
  return {
    kind: stepKinds.ekubo,
    target: pool.address,
    zeroForOne: i === 0,
    extra: (pool.facts as Facts).config,
    intake: pool.tokens[i] === NATIVE ? "held" : "callback",
    paysAnyone: true,
  };
}

/**
 * Ekubo's pools on EVM chains, all in one core. Its swaps emit a log without topics, which no filter finds: a state is
 * read again in every block.
 */
export const ekubo: Protocol<State, ConcentratedMirror> = {
  name: "ekubo",
  topics,
  creations,
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches,
  reads,
  load,
  apply: () => "reload",
  stale: (state, at) => at.blockNumber > state.readAt + 1,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: concentratedFloat,
  curve: concentratedCurve,
  joint: noJoint,
  gas: () => gasOf(0),
  boundaryGas: () => TICK_GAS,
  encode,
};
