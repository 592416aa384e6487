import { type BinMirror, binCurve, binFloat } from "../../core/math/bins/bin-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { keyedStep, pauses } from "../shared/pool-managers/infinity-key.ts";
import { apply, creations, discover, topics, touches } from "./events.ts";
import { mirror } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State } from "./state.ts";
import { trade } from "./trade.ts";

/** Pools of bins of PancakeSwap Infinity. Those whose hooks may change amounts are refused unless listed. */
export const pancakeInfinityBin: Protocol<State, BinMirror> = {
  name: "pancake-infinity-bin",
  topics,
  creations,
  byPair: () => undefined,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches,
  pauses,
  reads,
  load,
  apply,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: binFloat,
  curve: binCurve,
  joint: noJoint,
  gas: () => gasOf(0),
  encode: (pool, _state, i) => keyedStep(pool, i, true),
};
