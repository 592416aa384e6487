import { protocols } from "./index.ts";
import { NotUnderstood, type Vector, type VectorSuite } from "./swapvec.ts";

async function ofDesign(name: string): Promise<VectorSuite> {
  const { suite } = (await import(`./${name}/vectors.ts`)) as { suite: VectorSuite };
  return suite;
}

const all: readonly VectorSuite[] = await Promise.all([...protocols.keys()].map(ofDesign));

/** Suites by the protocol name used in vectors. */
export const vectorSuites: ReadonlyMap<string, VectorSuite> = new Map(
  all.flatMap((suite) => suite.names.map((name) => [name, suite] as const)),
);

/** Numbers of swaps of one protocol. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Result of one swap; `wrong` is undefined if it passed. */
export type Outcome = { readonly vector: string; readonly swap: number; readonly wrong: string | undefined };

/**
 * One outcome per swap; undefined if no design covers the vector's protocol. Never throws because of the vector's
 * content.
 */
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

/** Turns an exception into a failure message: a vector that throws must not end the run. */
function attempt<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    return error instanceof NotUnderstood ? `not understood: ${error.message}` : `threw: ${error}`;
  }
}
