import { packedUint } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { apply, creations, discover, load, reads, topics, touches } from "./pools.ts";
import type { State } from "./state.ts";
import { gasOf, lastTick, trade } from "./swap.ts";

const NOTHING = { crossed: 0, passed: 0 };

/** Maverick v2: ticks of bins, some of which follow the time-weighted price; fees by direction. */
export const maverickV2: Protocol<State, Mirror> = {
  name: "maverick-v2",
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
  curve: (mirror, i, j) => curve(mirror, i) ?? sampledCurve((x) => quoteFloat(mirror, i, j, x)),
  joint: noJoint,
  gas: (mirror) => gasOf(NOTHING, mirror.follows),
  encode: (pool, state, i) => ({
    kind: stepKinds.maverickV2,
    target: pool.address,
    zeroForOne: i === 0,
    extra: packedUint(BigInt.asUintN(32, BigInt(lastTick(state, i === 0))), 4),
    intake: "transfer",
    paysAnyone: true,
  }),
};
