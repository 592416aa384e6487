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
import { bitmap, load, reads } from "./reads.ts";
import { feeTopics, hasOldFee } from "./slipstream.ts";
import { feeGasOf, gasOf, lacksObservations, pricedAt, type State, TICK_GAS, trade } from "./state.ts";

type Mirror = ConcentratedMirror & { readonly feeGas?: number };

/** The pool with the fee of the block at `timestamp`; closed if that fee is not known. */
function mirror(state: State, _pool: Pool, { timestamp }: At): Mirror {
  const pool = pricedAt(state, timestamp);
  const found = concentratedMirror(pool ?? { ...state, sqrtPriceX96: 0n });
  return state.fees === undefined ? found : { ...found, feeGas: feeGasOf(state) };
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
