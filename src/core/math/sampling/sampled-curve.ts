import type { Curve } from "../../protocol.ts";
import { goldenSection } from "../golden-section.ts";
import { drawnCurve, type Node } from "./drawn-curve.ts";

/**
 * Approximates a concave function without closed form by hyperbolic segments, each of which meets the marginal prices
 * at both of its ends. Nodes grow geometrically; intervals in which the function deviates from a hyperbola are
 * halved. At most about 240 nodes of a few evaluations each.
 */

/**
 * Output as a function of the input, in doubles; concave, except where a dynamic fee falls with the input; 0 if it
 * cannot fill.
 */
export type Output = (x: number) => number;

type Point = { readonly x: number; readonly y: number };

/** Marginal price at the end of a curve relative to its start; lower prices are of no use to any trade. */
const LEAST_PRICE_RATIO = 1e-7;
/** Tolerated error of a segment relative to its own output, */
const MISS_OF_SEGMENT = 4e-5;
/** or relative to the whole output up to its end. */
const MISS_OF_ALL = 2e-6;
/** Output from which a curve is sampled, in smallest units: rounding is negligible from there on. A pool that pays less has no curve. */
export const LEAST_OUTPUT = 1e6;
const MOST_INPUT = 1e60;
const RISE = 1e-5;
/** Growth factor of inputs from node to node before refinement. */
const COARSE = 8;
const MOST_HALVINGS = 10;
const MOST_NODES = 240;
/** Half the step of the finite differences for marginal prices, relative to the input. */
const STEP = 5e-4;

/**
 * The concave curve of `output`, within 1e-4 of it from an output of a million units (below, rounding dominates) to
 * the input at which the marginal price is no longer useful.
 *
 * @param scan growth factor of the inputs between which the highest mean price is looked for; smaller where a fee falls at once
 * @returns undefined if a million units are never paid
 */
export function sampledCurve(output: Output, scan: number = COARSE): Curve | undefined {
  const range = usefulRange(output, scan);
  if (range === undefined) return undefined;
  const { low, high, hasJump } = range;
  const coarse = [...steps(low, high)].map((x) => nodeAt(output, x, high));
  // The fee that falls at once is still charged on less than the first input, which the curve is to meet.
  if (hasJump) coarse[0] = nodeAfter(output, low);
  const nodes = refined(output, coarse);
  const falling = nodes.findIndex(({ slope }) => !(slope > 0));
  return joined(falling < 0 ? nodes : nodes.slice(0, falling), spotPrice(output, low));
}

function* steps(low: number, high: number): Generator<number> {
  for (let x = low; x < high; x *= COARSE) yield x;
  yield high;
}

/** Inserts nodes while the hyperbola between two nodes deviates too much. */
function refined(output: Output, [first, ...others]: readonly Node[]): Node[] {
  const nodes = [{ ...first!, slope: Math.min(first!.slope, first!.y / first!.x) }];
  const ends: End[] = others.reverse().map((node) => ({ node, halvings: 0 }));
  for (let next = ends.pop(); next !== undefined; next = ends.pop()) {
    const from = nodes.at(-1)!;
    if (!(from.slope > 0)) break;
    const to = { ...next.node, slope: between(from, next.node, ends.at(-1)?.node) };
    const halvings = next.halvings + 1;
    const mayHalve = halvings <= MOST_HALVINGS && nodes.length < MOST_NODES;
    const middle = Math.sqrt(from.x) * Math.sqrt(to.x);
    if (mayHalve && misses(from, to, { x: middle, y: output(middle) }))
      ends.push({ node: next.node, halvings }, { node: nodeAt(output, middle, to.x), halvings });
    else nodes.push(to);
  }
  return nodes;
}

type End = { readonly node: Node; readonly halvings: number };

/**
 * The marginal price at a node, limited from above by that of the node before, and from below by the mean price up to
 * the next node.
 */
function between(from: Node, { x, y, slope }: Node, next: Node | undefined): number {
  const onward = next === undefined ? 0 : (next.y - y) / (next.x - x);
  return Math.min(from.slope, Math.max(slope, onward));
}

/** Whether the hyperbola between two nodes deviates from the function, in the middle or at its end. */
function misses(from: Node, to: Node, middle: Point): boolean {
  const width = to.x - from.x;
  const ratio = Math.sqrt(from.slope / to.slope);
  const h = middle.x - from.x;
  const there = (from.slope * width) / ratio;
  const halfway = (from.slope * h) / (1 + ((ratio - 1) * h) / width);
  return isFar(there, from, to) || isFar(halfway, from, middle);
}

function isFar(paid: number, from: Point, to: Point): boolean {
  const meant = to.y - from.y;
  return !(Math.abs(paid - meant) <= Math.max(MISS_OF_SEGMENT * meant, MISS_OF_ALL * to.y));
}

/**
 * Output and marginal price at `x` by central differences, or by a backward difference if `x` is the last input that
 * can be sold.
 */
function nodeAt(output: Output, x: number, high: number): Node {
  const left = x * (1 - STEP);
  const right = Math.min(x * (1 + STEP), high);
  const before = output(left);
  const after = output(right);
  return { x, y: right > x ? (before + after) / 2 : after, slope: (after - before) / (right - left) };
}

/** Output at `x`, and the marginal price after it. */
function nodeAfter(output: Output, x: number): Node {
  const y = output(x);
  return { x, y, slope: (output(x * (1 + STEP)) - y) / (x * STEP) };
}

/** The inputs that are sampled, and whether less than the first of them has a lower mean price. */
type Range = { readonly low: number; readonly high: number; readonly hasJump: boolean };

/** The range of inputs from an output of a million units to where more input brings nothing. */
function usefulRange(output: Output, scan: number): Range | undefined {
  let low = 1;
  while (low < MOST_INPUT && !(output(low) >= LEAST_OUTPUT)) low *= COARSE;
  // Rounded units or lost digits make the price seem to rise: there rounding still dominates.
  while (low < MOST_INPUT && rises(output, low)) low *= COARSE;
  if (low >= MOST_INPUT) return undefined;
  const first = dearest(output, low, scan);
  const high = lastUseful(output, first);
  return high > first * 1.01 ? { low: first, high, hasJump: first !== low } : undefined;
}

/** Number of inputs evaluated around the one with the highest mean price. */
const PLACES = 24;

/**
 * The input ≥ `low` with the highest mean price: `low` itself if the price falls, as it does unless a fee falls
 * faster. Up to that input, the least concave majorant of the function is straight.
 */
function dearest(output: Output, low: number, scan: number): number {
  const meanPrice = (x: number) => output(x) / x;
  let best = low;
  let most = meanPrice(low) * (1 + RISE);
  for (let x = low * scan; x < MOST_INPUT; x *= scan) {
    const mean = meanPrice(x);
    if (mean > most) [best, most] = [x, mean];
    if (!(mean > most / 2)) break;
  }
  if (best === low) return low;
  const around = { from: Math.log(best / scan), to: Math.log(best * scan), places: PLACES };
  return Math.exp(
    goldenSection(
      (log) => meanPrice(Math.exp(log)),
      (mean) => -mean,
      around,
    ).place,
  );
}

/**
 * The largest input up to which more input still pays something useful; the limit of a capped pool is found to a part
 * in a thousand.
 */
function lastUseful(output: Output, low: number): number {
  let high = low;
  let paid = output(low);
  const least = (paid / low) * LEAST_PRICE_RATIO;
  const most = (paid / low) * 1.001;
  for (let factor = COARSE; factor > 1.001; ) {
    const more = output(high * factor);
    const gain = (more - paid) / (high * (factor - 1));
    if (high < MOST_INPUT * 1e15 && gain > least && gain <= most) [high, paid] = [high * factor, more];
    else factor = Math.sqrt(factor);
  }
  return high;
}

/** Whether the marginal or mean price at `low` seems lower than the mean price after it. */
function rises(output: Output, low: number): boolean {
  const { y, slope } = nodeAt(output, low, low * COARSE);
  const onward = (output(low * COARSE) - y) / (low * (COARSE - 1));
  return onward > (y / low) * (1 + RISE) || onward > slope * (1 + RISE);
}

/**
 * Divisors of the first input. The mean prices of these small inputs approximate the spot price; rounding lowers
 * them.
 */
const PARTS = [8, 64, 512];

/** Approximate spot price, never above the exact one. */
function spotPrice(output: Output, low: number): number {
  return Math.max(...PARTS.map((part) => (output(low / part) * part) / low));
}

function joined(nodes: readonly Node[], spot: number): Curve | undefined {
  if (nodes.length < 2) return undefined;
  const { x: low, y: outLow, slope } = nodes[0]!;
  // The segment up to the first node meets that node's output. It also meets its price, unless that needs an initial
  // price above the spot price.
  const m = Math.max(outLow / low, Math.min((outLow / low) ** 2 / slope, spot));
  return drawnCurve(nodes, { m, c: Math.max(0, (m * low) / outLow - 1) / low });
}
