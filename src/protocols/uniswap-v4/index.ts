import { packedUint } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import { type Address, NATIVE, type Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { apply, byPair, creations, discover, topics, touches } from "./events.ts";
import { type HookedMirror, hookedCurve, hookedFloat, hookedMirror } from "./hooks/rule.ts";
import { bitmap, isHooked, load, reads } from "./reads.ts";
import { GAS, type State, trade } from "./state.ts";

/**
 * The step. Fee, tick spacing and hooks complete the manager's pool key; the fee is that of the key, not the present
 * one. A hook around swaps may call accounts that the pool's creator chose: Zora's pay them in the native coin.
 */
function encode(pool: Pool, _state: State, i: number): StepCode {
  const { fee, tickSpacing, hooks } = pool.facts as { fee: number; tickSpacing: number; hooks: Address };
  const extra = `${packedUint(fee, 3)}${packedUint(tickSpacing, 3).slice(2)}${hooks.slice(2)}` as const;
  return {
    kind: stepKinds.v4,
    target: pool.address,
    zeroForOne: i === 0,
    extra,
    intake: pool.tokens[i] === NATIVE ? "held" : "callback",
    paysAnyone: true,
    runsForeignCode: isHooked(hooks),
  };
}

/** Uniswap v4's pools, all in one manager. Pools whose hooks are called around swaps are refused unless listed. */
export const uniswapV4: Protocol<State, HookedMirror> = {
  name: "uniswap-v4",
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
  stale: (state, at) => state.dynamic && at.blockNumber > state.readAt + 1,
  quote: quoteOwnState(trade),
  mirror: hookedMirror,
  quoteFloat: hookedFloat,
  curve: hookedCurve,
  joint: noJoint,
  gas: (mirror) => GAS.swap + mirror.gas,
  boundaryGas: () => GAS.tick,
  encode,
};
