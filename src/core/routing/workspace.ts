import { type CertificateMemory, emptyCertificateMemory } from "./certificate/memory.ts";
import { emptyWindow, type Window } from "./column-generation/pricing.ts";
import { emptyRanked, type Ranked } from "./column-generation/ranking.ts";
import { emptySkyline, type Skyline } from "./convex/cholesky.ts";
import { emptyNewton, type Newton } from "./convex/edge-response.ts";
import { emptyPoint, type Point } from "./convex/interior-step.ts";
import { type Delivery, emptyDelivery } from "./convex/primal-flow.ts";
import { emptyProblem, type Problem } from "./convex/problem.ts";
import { emptyScratch, type Scratch } from "./convex/workspace.ts";
import { emptyLabels, type Labels } from "./sparse-routes/equal-pieces.ts";
import { emptyPourer, type Pourer } from "./sparse-routes/pour.ts";
import { emptyScout, type Scout } from "./sparse-routes/scout.ts";
import type { EngineCounters } from "./types.ts";

/** Everything that a search works in; owned by the engine, reused by every search, used by one at a time. */
export type Workshop = {
  readonly scratch: Scratch;
  readonly problem: Problem;
  /** A part of the problem, where few legs are tried. */
  readonly small: Problem;
  readonly matrix: Skyline;
  readonly point: Point;
  readonly newton: Newton;
  readonly window: Window;
  readonly labels: Labels;
  readonly delivery: Delivery;
  readonly ranked: Ranked;
  readonly scout: Scout;
  readonly pourer: Pourer;
  readonly certificates: CertificateMemory;
  /** Prices of the last convex problem, in units of the token bought, by node. */
  readonly dual: Map<number, number>;
  /** How long it takes to lay out and settle a leg, as far as is known, by which a search of many has to end sooner. */
  readonly pace: { msALeg: number };
  readonly counters: { -readonly [K in keyof Omit<EngineCounters, "threw">]: EngineCounters[K] };
};

/** How long it takes while the code is new to the machine. */
const FIRST_MS_A_LEG = 0.025;

export function emptyWorkshop(): Workshop {
  return {
    scratch: emptyScratch(),
    problem: emptyProblem(),
    small: emptyProblem(),
    matrix: emptySkyline(),
    point: emptyPoint(),
    newton: emptyNewton(),
    window: emptyWindow(),
    labels: emptyLabels(),
    delivery: emptyDelivery(),
    ranked: emptyRanked(),
    scout: emptyScout(),
    pourer: emptyPourer(),
    certificates: emptyCertificateMemory(),
    dual: new Map(),
    pace: { msALeg: FIRST_MS_A_LEG },
    counters: { searches: 0, notConverged: 0, outOfTime: 0, boundsViolated: 0 },
  };
}
