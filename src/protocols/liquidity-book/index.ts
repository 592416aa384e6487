import { stepKinds } from "../../core/encoding/kinds.ts";
import { type BinMirror, binCurve, binFloat } from "../../core/math/bins/bin-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { apply, byPair, creations, discover, ofFactory, topics, touches } from "./events.ts";
import { mirror } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State } from "./state.ts";
import { trade } from "./trade.ts";

/** Liquidity Book pairs of v2.0, v2.1 and v2.2: bins of constant price, with a fee that depends on volatility. */
export const liquidityBook: Protocol<State, BinMirror> = {
  name: "liquidity-book",
  topics,
  creations,
  byPair,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches,
  fromAnyone: ofFactory,
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
  encode: (pool, _state, i) => ({
    kind: stepKinds.liquidityBook,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "transfer",
    paysAnyone: true,
  }),
};
