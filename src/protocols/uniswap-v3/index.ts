import { stepKinds } from "../../core/encoding/kinds.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
  concentratedMirror,
} from "../../core/math/concentrated/concentrated-mirror.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { At, Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { byPair, creations, discover } from "./discovery.ts";
import { apply, topics, touches } from "./events.ts";
import { type FallingFee, fallingFee, gainWhileFalling } from "./falling-fee.ts";
import { bitmap, load, reads } from "./reads.ts";
import { feeTopics, hasOldFee } from "./slipstream.ts";
import { feeGasOf, gasOf, lacksObservations, pricedAt, type State, TICK_GAS, trade } from "./state.ts";

type Mirror = ConcentratedMirror & { readonly feeGas?: number; readonly falling?: FallingFee | undefined };

/** The pool with the fee of the block at `timestamp`; closed if that fee is not known. */
function mirror(state: State, _pool: Pool, { timestamp }: At): Mirror {
  const pool = pricedAt(state, timestamp);
  const found = concentratedMirror(pool ?? { ...state, sqrtPriceX96: 0n });
  if (state.fees === undefined) return found;
  const { moving } = state.fees;
  const now = { tick: state.tick, time: timestamp };
  const falling = moving && pool && fallingFee(moving, pool.feePpm, now);
  return { ...found, feeGas: feeGasOf(state), falling };
}

/** What a pool gains over several swaps, if the fee of a later one may be lower. */
function gain(pool: Mirror, prices: readonly number[]): number | undefined {
  return pool.falling && gainWhileFalling(pool, pool.falling, prices);
}

/**
 * Uniswap v3 and all forks with its swap loop, such as PancakeSwap v3 (wider Swap event), Slipstream and Ramses (fees that
 * change).
 */
export const uniswapV3: Protocol<State, Mirror> = {
  name: "uniswap-v3",
  topics,
  creations,
  byPair,
  hinted: () => [],
  bitmap,
  seeds: () => [],
  discover,
  touches,
  fromAnyone: feeTopics,
  reads,
  load,
  apply,
  stale: (state, at) => hasOldFee(state, at) || lacksObservations(state, at.timestamp),
  quote: quoteOwnState(trade),
  mirror,
  quoteFloat: concentratedFloat,
  curve: concentratedCurve,
  joint: noJoint,
  gain,
  gas: ({ feeGas = 0 }) => gasOf(0) + feeGas,
  boundaryGas: () => TICK_GAS,
  encode: (pool, _state, i) => ({
    kind: stepKinds.v3,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: "callback",
    paysAnyone: true,
  }),
};
