import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import { NATIVE } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { apply, creations, discover, stale, topics, touches } from "./events.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { type Facts, load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { GAS, trade } from "./swap.ts";

/**
 * Fluid DEX Lite: pools of two tokens in one contract, each with its liquidity in a range about a centre price, which
 * may follow the price or another contract.
 *
 * @source Instadapp/fluid-contracts-public contracts/protocols/dexLite
 */
export const fluidLite: Protocol<State, Mirror> = {
  name: "fluid-lite",
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
  stale,
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve,
  joint: noJoint,
  gas: () => GAS,
  encode: (pool, _state, i, j) => ({
    kind: stepKinds.fluidLite,
    target: pool.address,
    zeroForOne: i === 0,
    extra: (pool.facts as Facts).salt,
    intake: pool.tokens[i] === NATIVE ? "held" : "approval",
    // The native coin is sent with little gas; the router sends it with all that is left.
    paysAnyone: pool.tokens[j] !== NATIVE,
  }),
};
