import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { apply, creations, discover, load, reads, topics, touches } from "./pools.ts";
import { gasOf, type State, trade } from "./state.ts";

/** Maverick v1: bins that each cover a price range, some of which follow the price. */
export const maverick: Protocol<State, Mirror> = {
  name: "maverick",
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
  apply,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve: (mirror, i, j) => curve(mirror, i, j) ?? sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: ({ follows }) => gasOf(0, follows),
  encode: (pool, _state, i) => ({
    kind: stepKinds.maverickV1,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "callback",
    paysAnyone: true,
  }),
};
