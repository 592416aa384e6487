import { algebraVectors } from "./algebra/vectors.ts";
import { balancerV2Vectors } from "./balancer-v2/vectors.ts";
import { balancerV3Vectors } from "./balancer-v3/vectors.ts";
import { balancerV3BufferVectors } from "./balancer-v3-buffer/vectors.ts";
import { converterVectors } from "./converter/vectors.ts";
import { curveCryptoVectors } from "./curve-crypto/vectors.ts";
import { curveLlammaVectors } from "./curve-llamma/vectors.ts";
import { curveStableVectors } from "./curve-stable/vectors.ts";
import { dodoVectors } from "./dodo/vectors.ts";
import { gyroscopeVectors } from "./gyroscope/vectors.ts";
import { liquidityBookVectors } from "./liquidity-book/vectors.ts";
import { maverickVectors } from "./maverick/vectors.ts";
import { solidlyVectors } from "./solidly/vectors.ts";
import { NotUnderstood, type Vector, type VectorSuite } from "./swapvec.ts";
import { uniswapV2Vectors } from "./uniswap-v2/vectors.ts";
import { uniswapV3Vectors } from "./uniswap-v3/vectors.ts";
import { uniswapV4Vectors } from "./uniswap-v4/vectors.ts";
import { woofiVectors } from "./woofi/vectors.ts";

/** A design's vectors = one `vectors.ts` in its folder + one line here. */
// biome-ignore format: one a line, so that two additions do not collide
const all: readonly VectorSuite[] = [
  algebraVectors,
  balancerV2Vectors,
  balancerV3Vectors,
  balancerV3BufferVectors,
  converterVectors,
  curveCryptoVectors,
  curveLlammaVectors,
  curveStableVectors,
  dodoVectors,
  gyroscopeVectors,
  liquidityBookVectors,
  maverickVectors,
  solidlyVectors,
  uniswapV2Vectors,
  uniswapV3Vectors,
  uniswapV4Vectors,
  woofiVectors,
];

/** Suites by the name that vectors give their protocol. */
export const vectorSuites: ReadonlyMap<string, VectorSuite> = new Map(
  all.flatMap((suite) => suite.names.map((name) => [name, suite] as const)),
);

/** Swaps of one protocol, counted. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** What became of one swap; `wrong` is undefined where it passed. */
export type Outcome = { readonly vector: string; readonly swap: number; readonly wrong: string | undefined };

/** One outcome a swap; undefined where no folder serves the vector's protocol. Never throws for what it reads. */
export function runVector(vector: Vector): readonly Outcome[] | undefined {
  const suite = vectorSuites.get(vector.protocol);
  if (suite === undefined) return undefined;
  let broken: string | undefined;
  const trial = attempt(() => suite.open(vector));
  if (typeof trial === "string") broken = trial;
  return vector.swaps.map((swap, k) => {
    const wrong = broken ?? attempt(() => (typeof trial === "string" ? trial : trial(swap)));
    if (wrong !== undefined && vector.sequential) broken ??= `after a failed swap: ${wrong}`;
    return { vector: vector.id, swap: k, wrong };
  });
}

/** A vector that is not understood, or makes the maths throw, has failed: it must not end the run. */
function attempt<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    return error instanceof NotUnderstood ? `not understood: ${error.message}` : `threw: ${error}`;
  }
}
