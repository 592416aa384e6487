import { isMakerPool } from "../../core/rfq.ts";
import type { Chain, Deployment, Pool, Route } from "../../core/types.ts";
import { hopWeights } from "./flow.ts";

/** The design that wraps and unwraps the native coin. Shares ignore it, and so do include and exclude lists. */
const WRAPPING = "wrapped-native";
/** Percents are integers of at least 1, so no more entries than this can be shown. */
const MOST_ENTRIES = 100;
/** Weights are compared as integer billionths, because equal shares may differ in the last digits of their doubles. */
const BILLION = 1e9;

export type SourceType = "dex" | "rfq";

/** One entry of `routes`: a DEX, and its share of the amount in integer percents. */
export type RouteShare = {
  readonly type: SourceType;
  readonly protocolName: string;
  readonly percent: number;
  readonly pools: readonly string[];
};

type Weighted = {
  readonly type: SourceType;
  readonly name: string;
  weight: number;
  readonly pools: Set<string>;
};

export function isWrapping(subject: { readonly protocol: string }): boolean {
  return subject.protocol === WRAPPING;
}

export function sourceType(subject: { readonly protocol: string }): SourceType {
  return isMakerPool(subject) ? "rfq" : "dex";
}

/** Cached maps from id to deployment, since each step of each offer needs one; of equal ids the first one counts. */
const deploymentsById = new WeakMap<Chain["deployments"], ReadonlyMap<string, Deployment>>();

function byId(deployments: Chain["deployments"]): ReadonlyMap<string, Deployment> {
  const known = deploymentsById.get(deployments);
  if (known !== undefined) return known;
  const made = new Map(deployments.toReversed().map((each) => [each.id, each]));
  deploymentsById.set(deployments, made);
  return made;
}

/**
 * The deployment that a pool was discovered under.
 *
 * @throws Error where the chain does not list it: the market and the chain's configuration are inconsistent
 */
export function deploymentOf(chain: Chain, pool: Pool): Deployment {
  const deployment = byId(chain.deployments).get(pool.deployment);
  if (deployment === undefined)
    throw new Error(`Pool ${pool.id} names the unknown deployment ${pool.deployment}`);
  return deployment;
}

/**
 * The flat summary of a route: the DEXs used, with integer percents that sum to exactly 100.
 *
 * The route is decomposed into paths, a path's share is divided equally among its hops and the shares of one DEX are
 * added. Wraps count only in a route that consists of wraps alone.
 *
 * @returns at least one entry, ordered by percent, then by name
 */
export function summarize(chain: Chain, route: Route): RouteShare[] {
  const onlyWraps = route.steps.every((step) => isWrapping(step.pool));
  const weights = hopWeights(route, (step) => onlyWraps || !isWrapping(step.pool));
  const entries = new Map<string, Weighted>();
  for (const [index, step] of route.steps.entries()) {
    if (!onlyWraps && isWrapping(step.pool)) continue;
    const { name } = deploymentOf(chain, step.pool);
    const type = sourceType(step.pool);
    const key = `${type} ${name}`;
    const entry = entries.get(key) ?? { type, name, weight: 0, pools: new Set<string>() };
    entry.weight += weights[index]!;
    entry.pools.add(step.pool.id);
    entries.set(key, entry);
  }
  return toShares([...entries.values()]);
}

function toShares(entries: readonly Weighted[]): RouteShare[] {
  const whole = entries.map((entry) => ({ ...entry, weight: Math.round(entry.weight * BILLION) }));
  const shown = whole.sort(heavier).slice(0, MOST_ENTRIES);
  const percents = wholePercents(shown.map((entry) => entry.weight));
  return shown
    .map(({ type, name, pools }, index) => ({
      type,
      protocolName: name,
      percent: percents[index]!,
      pools: [...pools],
    }))
    .sort((a, b) => b.percent - a.percent || compare(a.protocolName, b.protocolName));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const heavier = (a: Weighted, b: Weighted): number => b.weight - a.weight || compare(a.name, b.name);

/**
 * Integer percents by the largest-remainder method; an entry below 1 is raised to 1, which is taken from the largest.
 *
 * @param weights 1 … 100 safe integers ≥ 0, not all 0; earlier entries win ties
 * @returns integers ≥ 1 in the same order that sum to exactly 100
 */
export function wholePercents(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const percents = weights.map((weight) => Math.floor((weight * 100) / sum));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (weight * 100) % sum }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  const missing = 100 - percents.reduce((total, percent) => total + percent, 0);
  for (const { index } of byRemainder.slice(0, missing)) percents[index]! += 1;
  for (const [index, percent] of percents.entries()) {
    if (percent > 0) continue;
    percents[index] = 1;
    percents[percents.indexOf(Math.max(...percents))]! -= 1;
  }
  return percents;
}
