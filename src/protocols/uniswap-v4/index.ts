import { packedUint } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
  concentratedMirror,
} from "../../core/math/concentrated-mirror.ts";
import type { Protocol, StepCode } from "../../core/protocol.ts";
import { type Address, NATIVE, type Pool } from "../../core/types.ts";
import { quoteOwnState } from "../own-state.ts";
import { apply, discover, topics, touches } from "./events.ts";
import { load, reads } from "./reads.ts";
import { gasOf, type State, swapFee, trade } from "./state.ts";

/** A typical swap crosses less than one tick, but a route that is sized by its gas must not run short. */
const TYPICAL_CROSSINGS = 1;

/** The same pool twice, with the fee of selling token 0 and of selling token 1. */
type Mirror = readonly [ConcentratedMirror, ConcentratedMirror];

function mirror(state: State): Mirror {
  const both = concentratedMirror(state);
  const side = (k: 0 | 1): ConcentratedMirror => {
    const keep = (1_000_000 - swapFee(state.protocolFees[k], state.feePpm)) / 1_000_000;
    return keep > 0 ? { ...both, keep } : concentratedMirror({ ...state, sqrtPriceX96: 0n });
  };
  return [side(0), side(1)];
}

/** Fee, tick spacing and hooks complete the key that the manager wants; the fee is the one of the key, not of the state. */
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
  };
}

/** Uniswap v4's pools, all of them inside one manager; those whose hooks may change amounts are refused unless listed. */
export const uniswapV4: Protocol<State, Mirror> = {
  name: "uniswap-v4",
  topics,
  seeds: () => [],
  discover,
  touches,
  reads,
  load,
  apply,
  stale: (state, at) => state.dynamic && at.blockNumber > state.readAt + 1,
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: (pool, i, j, x) => concentratedFloat(pool[i === 0 ? 0 : 1], i, j, x),
  curve: (pool, i, j) => concentratedCurve(pool[i === 0 ? 0 : 1], i, j),
  gas: () => gasOf(TYPICAL_CROSSINGS),
  encode,
};
