import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type DirectionalMirror,
  directionalCurve,
  directionalFloat,
  directionalMirror,
} from "../../core/math/sampling/directional-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { apply, byPair, creations, discover, topics, touches } from "./events.ts";
import { isAged, isStale } from "./past.ts";
import { bitmap, load, reads } from "./reads.ts";
import { gasOf, hasPast, isFirst, LEAST_TICK_GAS, type State, stateAt, trade } from "./state.ts";

type Mirror = { readonly sides: DirectionalMirror; readonly gas: number };

/** Fees that close both directions, for a state whose next fee is unknown. */
const CLOSED = [1_000_000, 1_000_000] as const;

/**
 * Algebra v1, v2 and Integral, if the fee of the next swap is known. The swap call and its callback are those of v3.
 */
export const algebra: Protocol<State, Mirror> = {
  name: "algebra",
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
  stale: (state, { timestamp }) =>
    hasPast(state)
      ? isStale(state.past, timestamp)
      : state.readAt !== undefined && isAged(state.readAt, timestamp),
  quote: quoteOwnState(trade),
  mirror: (state, _pool, { timestamp }) => {
    const pool = stateAt(state, timestamp);
    return {
      sides: directionalMirror(state, pool ? [pool.feePpm, pool.feeOneToZeroPpm] : CLOSED),
      gas: gasOf(state, { crossed: 0, words: 0, isFirst: isFirst(state, pool) }),
    };
  },
  quoteFloat: ({ sides }, i, j, x) => directionalFloat(sides, i, j, x),
  curve: ({ sides }, i, j) => directionalCurve(sides, i, j),
  joint: noJoint,
  gas: ({ gas }) => gas,
  boundaryGas: () => LEAST_TICK_GAS,
  encode: (pool, _state, i) => ({
    kind: stepKinds.v3,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "callback",
    paysAnyone: true,
  }),
};
