import { protocols } from "./index.ts";
import { NotUnderstood, type Vector, type VectorSuite } from "./swapvec.ts";

async function ofDesign(name: string): Promise<VectorSuite> {
  const { suite } = (await import(`./${name}/vectors.ts`)) as { suite: VectorSuite };
  return suite;
}

const all: readonly VectorSuite[] = await Promise.all([...protocols.keys()].map(ofDesign));

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
