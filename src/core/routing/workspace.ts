import { type CertificateMemory, emptyCertificateMemory } from "./certificate/memory.ts";
import { emptyCandidates } from "./column-generation/pricing.ts";
import { emptyRanked } from "./column-generation/ranking.ts";
import type { ColumnWorkspace } from "./column-generation/stopping.ts";
import { emptyNewton } from "./convex/edge-response.ts";
import { emptyPrimalFlow } from "./convex/primal-flow.ts";
import { emptyProblem } from "./convex/problem.ts";
import { emptyScratch } from "./convex/scratch.ts";

/** Everything that a search works in; owned by the engine, reused by every search, used by one at a time. */
export type Workspace = ColumnWorkspace & {
  readonly certificates: CertificateMemory;
  /** How long it takes to lay out and settle a leg, as far as is known, by which a search of many has to end sooner. */
  readonly pace: { msALeg: number };
};

/** How long it takes while the code is new to the machine. */
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
