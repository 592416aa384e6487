import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
  concentratedMirror,
} from "../../core/math/concentrated/concentrated-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../own-state.ts";
import { apply, byPair, creations, discover, topics, touches } from "./events.ts";
import { bitmap, load, reads } from "./reads.ts";
import { hasOldFee } from "./slipstream.ts";
import { gasOf, type State, trade } from "./state.ts";

/** Uniswap v3 and all forks with its swap loop, such as PancakeSwap v3 (wider Swap event) and Slipstream (own fees). */
export const uniswapV3: Protocol<State, ConcentratedMirror> = {
  name: "uniswap-v3",
  topics,
  creations,
  byPair,
  hinted: () => [],
  bitmap,
  seeds: () => [],
  discover,
  touches,
  reads,
  load,
  apply,
  stale: hasOldFee,
  quote: quoteOwnState(trade),
  mirror: concentratedMirror,
  quoteFloat: concentratedFloat,
  curve: concentratedCurve,
  joint: noJoint,
  gas: () => gasOf(0),
  encode: (pool, _state, i) => ({
    kind: stepKinds.v3,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "callback",
    paysAnyone: true,
  }),
};
