import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type DirectionalMirror,
  directionalCurve,
  directionalFloat,
  directionalMirror,
} from "../../core/math/directional-mirror.ts";
import { noJoint } from "../../core/math/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../own-state.ts";
import { apply, discover, topics, touches } from "./events.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State, trade } from "./state.ts";

/** A typical swap crosses less than one tick, but a route that is sized by its gas must not run short. */
const TYPICAL_CROSSINGS = 1;

/** Algebra v1 and Integral, wherever the fee of the next swap is known; the swap call and its callback are v3's. */
export const algebra: Protocol<State, DirectionalMirror> = {
  name: "algebra",
  topics,
  seeds: () => [],
  discover,
  touches,
  reads,
  load,
  apply,
  stale: () => false,
  quote: quoteOwnState(trade),
  mirror: (state) => directionalMirror(state, [state.feePpm, state.feeOneToZeroPpm]),
  quoteFloat: directionalFloat,
  curve: directionalCurve,
  joint: noJoint,
  gas: () => gasOf(TYPICAL_CROSSINGS),
  encode: (pool, _state, i) => ({
    kind: stepKinds.v3,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "callback",
    paysAnyone: true,
  }),
};
