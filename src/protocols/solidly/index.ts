import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { apply, byPair, creations, discover, load, reads, topics, touches } from "./pools.ts";
import { gasOf, type State, trade } from "./state.ts";

/** Age in seconds after which a factory's fees and pause are read again, since neither reliably emits a log. */
const FRESH_SECONDS = 3600;

/** Solidly's volatile and stable pairs. Forks such as Velodrome, Aerodrome, Thena and Velocimeter are deployments. */
export const solidly: Protocol<State, Mirror> = {
  name: "solidly",
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
  stale: (state, at) => at.timestamp - state.readAt > FRESH_SECONDS,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat,
  curve: (mirror, i, j) => curve(mirror, i, j) ?? sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: ({ stable }) => gasOf(stable),
  // Less than a unit of the fee, and that is worth less than two of what is sold where the fee is below a half.
  uncharged: 2,
  encode: (pool, _state, i) => ({
    kind: stepKinds.solidly,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "transfer",
    paysAnyone: true,
  }),
};
