import { integer, list, NotUnderstood, quoteTrial, understood, type VectorSuite } from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { uniswapV2 } from "./index.ts";

const PPM = 1_000_000n;

/** `feeNum/feeDen` is the fee itself, one fraction. @throws NotUnderstood where it is no whole number of ppm */
function feePpm(feeNum: bigint, feeDen: bigint): number {
  if (feeDen <= 0n || (feeNum * PPM) % feeDen !== 0n)
    throw new NotUnderstood(`fee ${feeNum}/${feeDen} is no whole number of parts per million`);
  return Number((feeNum * PPM) / feeDen);
}

export const suite: VectorSuite = {
  names: ["uniswap-v2", "pancakeswap-v2"],
  open(vector) {
    const state = understood(vector.state, ["reserves", "feeNum", "feeDen"]);
    const [reserve0, reserve1, ...more] = list(state.reserves).map(integer);
    if (reserve0 === undefined || reserve1 === undefined || more.length > 0)
      throw new NotUnderstood("reserves are not two");
    const fee = feePpm(integer(state.feeNum), integer(state.feeDen));
    return quoteTrial(uniswapV2, vector, subjectOf({ reserves: [reserve0, reserve1], feePpm: fee }));
  },
};
