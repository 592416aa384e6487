import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
} from "../../core/math/concentrated/concentrated-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import { NATIVE, type Pool } from "../../core/types.ts";
import { quoteOwnState } from "../own-state.ts";
import { creations, discover, type Facts, topics, touches } from "./events.ts";
import { mirror } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State, trade } from "./state.ts";

/** The step. The last word of the pool's key completes it. */
function encode(pool: Pool, _state: State, i: number): StepCode {
  return {
    kind: stepKinds.ekubo,
    target: pool.address,
    zeroForOne: i === 0,
    extra: (pool.facts as Facts).config,
    intake: pool.tokens[i] === NATIVE ? "held" : "callback",
    paysAnyone: true,
  };
}

/**
 * Ekubo's pools on EVM chains, all in one core. Its swaps emit a log without topics, which no filter finds: a state is
 * read again in every block.
 */
export const ekubo: Protocol<State, ConcentratedMirror> = {
  name: "ekubo",
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
  apply: () => "reload",
  stale: (state, at) => at.blockNumber > state.readAt + 1,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: concentratedFloat,
  curve: concentratedCurve,
  joint: noJoint,
  gas: () => gasOf(0),
  encode,
};
