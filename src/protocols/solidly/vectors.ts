import type { Solver } from "../../core/math/pairs/solidly-math.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { amountOut, type State } from "./state.ts";

/** Solver of the stable curve by recorded protocol. */
const solvers: Readonly<Record<string, Solver>> = {
  "velodrome-v1": "unit",
  velocimeter: "unit",
  usdfi: "unit",
  "velodrome-v2": "nearest",
  "aerodrome-v1-stable": "nearest",
  "aerodrome-v1-volatile": "nearest",
};

type Terms = { readonly stable: unknown; readonly fee: bigint; readonly feeDenominator: bigint };

/** Records of Velocimeter and USDFI give the fee as a decimal fraction and the curve in a separate record. */
function termsOf(vector: Vector): { readonly state: Fields; readonly terms: Terms } {
  if (!["velocimeter", "usdfi"].includes(vector.protocol)) {
    const state = understood(vector.state, ["reserves", "stable", "feeNum", "feeDen"]);
    const [fee, feeDenominator] = [integer(state.feeNum), integer(state.feeDen)];
    return { state, terms: { stable: state.stable, fee, feeDenominator } };
  }
  const state = understood(vector.state, ["reserves", "static", "swapFee"], ["extra"]);
  const { stable } = understood(state.static, ["stable"]);
  const fee = Number(state.swapFee) * 10_000;
  if (!Number.isInteger(fee)) throw new NotUnderstood(`fee ${state.swapFee} is no whole number of 1/10000`);
  return { state, terms: { stable, fee: BigInt(fee), feeDenominator: 10_000n } };
}

function stateOf(vector: Vector): State {
  const { state, terms } = termsOf(vector);
  const [reserve0, reserve1, ...more] = list(state.reserves).map(integer);
  if (reserve0 === undefined || reserve1 === undefined || more.length > 0)
    throw new NotUnderstood("reserves are not two");
  if (typeof terms.stable !== "boolean") throw new NotUnderstood(`stable: ${terms.stable}`);
  const units = list(vector.pool.tokens).map((token) => 10n ** integer((token as Fields).decimals));
  return {
    stable: terms.stable,
    fee: terms.fee,
    feeDenominator: terms.feeDenominator,
    reserves: [reserve0, reserve1],
    units: [units[0]!, units[1]!],
    solver: solvers[vector.protocol]!,
    readAt: 0,
  };
}

/** Records are answers of getAmountOut, which may be a unit more than `swap` accepts. */
export const suite: VectorSuite = {
  names: Object.keys(solvers),
  open(vector) {
    const state = stateOf(vector);
    return (swap) => {
      if (swap.kind !== "exactIn") throw new NotUnderstood("the pair sells by exact input only");
      const amountIn = asked(swap);
      const out = amountOut(state, tokenIndex(vector, swap.tokenIn), amountIn);
      return complaint(swap, out === undefined ? undefined : { amountIn, amountOut: out });
    };
  },
};
