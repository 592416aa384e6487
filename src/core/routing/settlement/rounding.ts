import { ALL_Q32 } from "../../types.ts";
import { outputAt } from "../curves/segments.ts";
import { better, type Hurried, type Judged, settleContext, type Trial, weighed } from "./evaluate.ts";
import { settle } from "./settle.ts";

/** Smallest units out below which a single one is worth a look, and legs up to which that is cheap. */
const COARSE = 2e8;
const MOST_LEGS = 24;
/** Changes of a share, as multiples of what a unit out takes of it: near enough to the best shares that they cost nothing else. */
const NUDGES = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.3, 1.7, 2.3, 3, 4, 5, 7].flatMap((units) => [
  units,
  -units,
]);
const ROUNDS = 2;
/** Changed plans that are settled in a round. */
const SETTLED = 2;

/**
 * Nudges the shares of a route that buys few units: of two legs that pay into one token each loses a part of a unit by rounding,
 * and other shares, as good in doubles, lose less.
 *
 * @param most what no route pays, in smallest units; Infinity where nothing is proved
 */
export function polish(trial: Hurried, best: Judged, most: number): Judged {
  let found = best;
  for (let round = 0; round < ROUNDS && isCoarse(found, most) && !trial.late(); round++) {
    const next = nudged(trial, found);
    if (next === found) break;
    found = next;
  }
  return found;
}

function isCoarse({ route: { amountOut }, plan }: Judged, most: number): boolean {
  return Number(amountOut) < Math.min(COARSE, Math.floor(most)) && plan.length <= MOST_LEGS;
}

function nudged(trial: Trial, from: Judged): Judged {
  let best = from;
  for (const { k, share } of betterShares(trial, from).slice(0, SETTLED)) {
    const plan = from.plan.map((step, at) => (at === k ? { ...step, shareQ32: share } : step));
    best = better(best, settled(trial, { ...from, plan }))!;
  }
  return best;
}

type Share = { readonly k: number; readonly share: number; readonly out: number };

/** Shares of single steps with which the plan pays more in doubles, the most first. */
function betterShares(trial: Trial, from: Judged): Share[] {
  const run = runner(trial, from);
  const shares = from.plan.map(({ shareQ32 }) => shareQ32);
  const now = run(shares);
  const units = Number(from.route.amountOut);
  const tried = from.plan.flatMap(({ shareQ32 }, k) =>
    nudgesOf(shareQ32, units).map((share) => ({ k, share, out: run(shares.with(k, share)) })),
  );
  return tried.filter(({ out }) => out > now).sort((a, b) => b.out - a.out);
}

function nudgesOf(share: number, units: number): number[] {
  const near = share === ALL_Q32 ? [] : NUDGES.map((nudge) => Math.round(share * (1 + nudge / units)));
  return near.filter((one) => one > 0 && one < ALL_Q32);
}

/** What a plan of the same steps pays with other shares, in doubles that are rounded as units are. */
function runner({ graph }: Trial, { plan, route }: Judged): (shares: readonly number[]) => number {
  const places = new Map<string, number>([[route.tokenIn, 0]]);
  const placeOf = (token: string) => {
    if (!places.has(token)) places.set(token, places.size);
    return places.get(token)!;
  };
  const steps = plan.map(({ pool, i, j, edge }) => [
    placeOf(pool.tokens[i]!),
    placeOf(pool.tokens[j]!),
    edge,
  ]);
  const sink = placeOf(route.tokenOut);
  const held = new Float64Array(places.size);
  return (shares) => {
    held.fill(0);
    held[0] = Number(route.amountIn);
    for (const [k, [from, to, edge]] of steps.entries()) {
      const taken = shares[k] === ALL_Q32 ? held[from!]! : Math.floor((held[from!]! * shares[k]!) / ALL_Q32);
      held[from!]! -= taken;
      held[to!]! += edge! < 0 ? taken : Math.floor(outputAt(graph.curves, edge!, taken));
    }
    return held[sink]!;
  };
}

function settled(trial: Trial, { plan, flows, route }: Judged): Judged | undefined {
  const { amountIn } = route;
  const done = settle(plan, amountIn, settleContext(trial));
  return done.kind === "settled" ? weighed(trial, { plan, flows, amountIn }, done) : undefined;
}
