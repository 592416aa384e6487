import type { Curve } from "../../protocol.ts";
import { goldenSection } from "../golden-section.ts";
import { drawnCurve, type Node } from "./drawn-curve.ts";

/**
 * Curves of functions that have no closed form: hyperbolas between nodes, each meeting the marginal prices at both of its
 * ends, with nodes put closer where the function bends in another way than a hyperbola does.
 */

/** A function of an amount in doubles, concave but for fees that fall on the way; 0 where it cannot fill. */
export type Output = (x: number) => number;

type Point = { readonly x: number; readonly y: number };

/** Price may fall by this factor along a curve; deeper is of no use to any trade. */
const LEAST_PRICE_RATIO = 1e-7;
/** A segment may miss what its function pays over it by this part of that, */
const MISS_OF_SEGMENT = 4e-5;
/** or by this part of all that is paid up to its end. */
const MISS_OF_ALL = 2e-6;
const LEAST_OUTPUT = 1e6;
const MOST_INPUT = 1e60;
const RISE = 1e-5;
/** Inputs grow by this factor from node to node before any is put between. */
const COARSE = 8;
const MOST_HALVINGS = 10;
const MOST_NODES = 240;
/** Prices are differences over this part of the amount. */
const STEP = 5e-4;

/**
 * The curve of `output`, concave, within 1e-4 of it from where it pays a million units (below, rounding counts for more)
 * to where its price is of no use.
 *
 * @returns undefined where so much is never paid
 */
export function sampledCurve(output: Output): Curve | undefined {
  const range = usefulRange(output);
  if (range === undefined) return undefined;
  const [low, high] = range;
  const coarse = [...steps(low, high)].map((x) => nodeAt(output, x, high));
  const nodes = refined(output, coarse);
  const falling = nodes.findIndex(({ slope }) => !(slope > 0));
  return joined(falling < 0 ? nodes : nodes.slice(0, falling), spotPrice(output, low));
}

function* steps(low: number, high: number): Generator<number> {
  for (let x = low; x < high; x *= COARSE) yield x;
  yield high;
}

/** These nodes, and others in between for as long as the hyperbola misses. */
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

/** The price at a node: not above that of the node before, nor below what is paid on average up to the next. */
function between(from: Node, { x, y, slope }: Node, next: Node | undefined): number {
  const onward = next === undefined ? 0 : (next.y - y) / (next.x - x);
  return Math.min(from.slope, Math.max(slope, onward));
}

/** Whether the hyperbola between both prices pays another amount than the function, on its way or at its end. */
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

/** Amount and price from both sides of `x`, or from before it where it is the last that can be sold. */
function nodeAt(output: Output, x: number, high: number): Node {
  const [left, right] = [x * (1 - STEP), Math.min(x * (1 + STEP), high)];
  const [before, after] = [output(left), output(right)];
  return { x, y: right > x ? (before + after) / 2 : after, slope: (after - before) / (right - left) };
}

/** From where a million units are paid to where more input brings nothing. */
function usefulRange(output: Output): readonly [number, number] | undefined {
  let low = 1;
  while (low < MOST_INPUT && !(output(low) >= LEAST_OUTPUT)) low *= COARSE;
  // A unit that is kept, or digits that are lost, make the price seem to rise: that is still rounding.
  while (low < MOST_INPUT && rises(output, low)) low *= COARSE;
  if (low >= MOST_INPUT) return undefined;
  low = dearest(output, low);
  const high = lastUseful(output, low);
  return high > low * 1.01 ? [low, high] : undefined;
}

/** Amounts that are tried around the one that is paid the highest mean price. */
const PLACES = 24;

/**
 * The amount from `low` on that is paid the highest mean price: `low` where the price falls, as it does unless a fee falls faster. Up to
 * there a concave curve above the function is straight.
 */
function dearest(output: Output, low: number): number {
  const meanPrice = (x: number) => output(x) / x;
  let [best, most] = [low, meanPrice(low) * (1 + RISE)];
  for (let x = low * COARSE; x < MOST_INPUT; x *= COARSE) {
    const mean = meanPrice(x);
    if (mean > most) [best, most] = [x, mean];
    if (!(mean > most / 2)) break;
  }
  if (best === low) return low;
  const around = { from: Math.log(best / COARSE), to: Math.log(best * COARSE), places: PLACES };
  return Math.exp(
    goldenSection(
      (log) => meanPrice(Math.exp(log)),
      (mean) => -mean,
      around,
    ).place,
  );
}

/** As far as more input still brings something; a pool that takes only so much ends there, to a part in a thousand. */
function lastUseful(output: Output, low: number): number {
  let [high, paid] = [low, output(low)];
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

/** Whether the price seems to be lower at `low`, or up to it, than after it. */
function rises(output: Output, low: number): boolean {
  const { y, slope } = nodeAt(output, low, low * COARSE);
  const onward = (output(low * COARSE) - y) / (low * (COARSE - 1));
  return onward > (y / low) * (1 + RISE) || onward > slope * (1 + RISE);
}

/** Parts of the first amount that is looked at whose mean prices stand for the price at none: rounding lowers them. */
const PARTS = [8, 64, 512];

/** About the price of a vanishing amount, never above it. */
function spotPrice(output: Output, low: number): number {
  return Math.max(...PARTS.map((part) => (output(low / part) * part) / low));
}

function joined(nodes: readonly Node[], spot: number): Curve | undefined {
  if (nodes.length < 2) return undefined;
  const { x: low, y: outLow, slope } = nodes[0]!;
  // Up to the first node: what meets its amount, and its price where that does not call for more than is paid at first.
  const m = Math.max(outLow / low, Math.min((outLow / low) ** 2 / slope, spot));
  return drawnCurve(nodes, { m, c: Math.max(0, (m * low) / outLow - 1) / low });
}
