import { type Fields, integer, type Trial, understood, type Vector } from "../../swapvec.ts";
import {
  CONCENTRATED_FIELDS,
  concentratedOf,
  concentratedTrial,
} from "../concentrated/concentrated-vectors.ts";
import { swapFee } from "./pool-manager.ts";

/** Fields of the recorded pools of Uniswap v4's manager and PancakeSwap Infinity's, besides hooks. */
export const MANAGED_FIELDS = ["fee", "protocolFee", ...CONCENTRATED_FIELDS];

/** The trial of such a pool; each direction has the protocol's fee, then the liquidity providers'. */
export function managedTrial(vector: Vector, state: Fields): Trial {
  const { zeroForOne, oneForZero } = understood(state.protocolFee, ["zeroForOne", "oneForZero"]);
  const [down, up] = [zeroForOne, oneForZero].map((fee) => Number(integer(fee)));
  const pool = concentratedOf(state, state.fee);
  return concentratedTrial(vector, pool, (selling0) => swapFee(selling0 ? down! : up!, pool.feePpm));
}
