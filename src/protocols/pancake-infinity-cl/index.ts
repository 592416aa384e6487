import {
  type DirectionalMirror,
  directionalCurve,
  directionalFloat,
} from "../../core/math/sampling/directional-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { keyedStep, pauses } from "../shared/pool-managers/infinity-key.ts";
import { managedMirror } from "../shared/pool-managers/pool-manager.ts";
import { apply, byPair, creations, discover, topics, touches } from "./events.ts";
import { bitmap, load, reads } from "./reads.ts";
import { GAS, type State, trade } from "./state.ts";

/** Pools of concentrated liquidity of PancakeSwap Infinity. Those whose hooks may change amounts are refused unless listed. */
export const pancakeInfinityCl: Protocol<State, DirectionalMirror> = {
  name: "pancake-infinity-cl",
  topics,
  creations,
  byPair,
  hinted: () => [],
  bitmap,
  seeds: () => [],
  discover,
  touches,
  pauses,
  reads,
  load,
  apply,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror: managedMirror,
  quoteFloat: directionalFloat,
  curve: directionalCurve,
  joint: noJoint,
  gas: () => GAS.swap,
  boundaryGas: () => GAS.tick,
  encode: (pool, _state, i) => keyedStep(pool, i, false),
};
