import { emptyLabels, type Labels } from "./fill.ts";
import { type Delivery, emptyDelivery } from "./primal.ts";
import { emptyProblem, type Problem } from "./problem.ts";
import { emptyRanked, type Ranked } from "./ranked.ts";
import { emptyScratch, type Scratch } from "./scratch.ts";
import { emptySkyline, type Skyline } from "./skyline.ts";

/** Everything that a search works in; owned by the engine, reused by every search, used by one at a time. */
export type Workshop = {
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly matrix: Skyline;
  readonly labels: Labels;
  readonly delivery: Delivery;
  readonly ranked: Ranked;
};

export function emptyWorkshop(): Workshop {
  return {
    scratch: emptyScratch(),
    problem: emptyProblem(),
    matrix: emptySkyline(),
    labels: emptyLabels(),
    delivery: emptyDelivery(),
    ranked: emptyRanked(),
  };
}
