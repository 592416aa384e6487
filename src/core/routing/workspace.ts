import { type CertificateMemory, emptyCertificateMemory } from "./certificate/memory.ts";
import { emptyCandidates } from "./column-generation/pricing.ts";
import { emptyRanked } from "./column-generation/ranking.ts";
import type { ColumnWorkspace } from "./column-generation/stopping.ts";
import { emptyNewton } from "./convex/edge-response.ts";
import { emptyPrimalFlow } from "./convex/primal-flow.ts";
import { emptyProblem } from "./convex/problem.ts";
import { emptyScratch } from "./convex/scratch.ts";

/** All working memory of searches, owned by the engine. Searches use it one after the other. */
export type Workspace = ColumnWorkspace & {
  readonly certificates: CertificateMemory;
  /** Measured time to lay out and settle a leg: a search with many legs has to end by as much sooner. */
  readonly pace: { msALeg: number };
};

/** First estimate, in milliseconds, of the time to lay out and settle a leg, before the code is compiled. */
const FIRST_MS_A_LEG = 0.025;

export function emptyWorkspace(): Workspace {
  return {
    scratch: emptyScratch(),
    problem: emptyProblem(),
    small: emptyProblem(),
    newton: emptyNewton(),
    candidates: emptyCandidates(),
    primalFlow: emptyPrimalFlow(),
    ranked: emptyRanked(),
    certificates: emptyCertificateMemory(),
    dual: new Map(),
    pace: { msALeg: FIRST_MS_A_LEG },
    faults: { threw: 0, pools: new Set() },
    counters: { searches: 0, notConverged: 0, outOfTime: 0, boundsViolated: 0 },
  };
}
