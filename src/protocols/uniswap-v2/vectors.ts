import {
  type Fields,
  integer,
  list,
  NotUnderstood,
  quoteTrial,
  understood,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { uniswapV2 } from "./index.ts";
import type { State } from "./quote.ts";

const PPM = 1_000_000n;

/** The fee in ppm from the fraction `feeNum/feeDen`. @throws NotUnderstood if it is not a whole number of ppm */
function feePpm(feeNum: bigint, feeDen: bigint): number {
  if (feeDen <= 0n || (feeNum * PPM) % feeDen !== 0n)
    throw new NotUnderstood(`fee ${feeNum}/${feeDen} is no whole number of parts per million`);
  return Number((feeNum * PPM) / feeDen);
}

const CAMELOT = "camelot-v2-volatile";
/** Fields that matter for stable pairs or for the pair's part of the fee only. */
const UNUSED = ["precisionMultiplier0", "precisionMultiplier1", "factory"];

type Fees = Pick<State, "feePpm" | "feeOneToZeroPpm">;

/** @throws NotUnderstood for a stable pair of Camelot */
function feesOf(protocol: string, given: unknown): { readonly fields: Fields; readonly fees: Fees } {
  if (protocol !== CAMELOT) {
    const fields = understood(given, ["reserves", "feeNum", "feeDen"]);
    return { fields, fees: { feePpm: feePpm(integer(fields.feeNum), integer(fields.feeDen)) } };
  }
  const named = ["reserves", "token0FeePercent", "token1FeePercent", "feeDenominator"];
  const fields = understood(given, named, ["stableSwap", ...UNUSED]);
  if (fields.stableSwap === true) throw new NotUnderstood("a stable pair");
  const [zero, one] = [fields.token0FeePercent, fields.token1FeePercent].map((fee) =>
    feePpm(integer(fee), integer(fields.feeDenominator)),
  );
  return { fields, fees: { feePpm: zero!, feeOneToZeroPpm: one! } };
}

export const suite: VectorSuite = {
  names: ["uniswap-v2", "pancakeswap-v2", CAMELOT],
  open(vector) {
    const { fields: state, fees } = feesOf(vector.protocol, vector.state);
    const [reserve0, reserve1, ...more] = list(state.reserves).map(integer);
    if (reserve0 === undefined || reserve1 === undefined || more.length > 0)
      throw new NotUnderstood("reserves are not two");
    return quoteTrial(uniswapV2, vector, subjectOf({ reserves: [reserve0, reserve1], ...fees }));
  },
};
