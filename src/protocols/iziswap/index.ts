import { packedUint } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { apply, byPair, creations, discover, topics, touches } from "./events.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { gasOf, limitOf, trade } from "./trade.ts";

const NOTHING = { crossed: 0, orders: 0, words: 0, gaps: 0 };

/** iZiSwap: concentrated liquidity whose price moves in points, with limit orders at them. */
export const iziswap: Protocol<State, Mirror> = {
  name: "iziswap",
  topics,
  creations,
  byPair,
  hinted: () => [],
  bitmap: () => undefined,
  seeds: () => [],
  discover,
  touches,
  reads,
  load,
  apply,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve,
  joint: noJoint,
  gas: () => gasOf(NOTHING, false),
  encode: (pool, state, i) => ({
    kind: stepKinds.iziswap,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(BigInt.asUintN(24, BigInt(limitOf(state, i === 0))), 3),
    intake: "callback",
    paysAnyone: true,
  }),
};
