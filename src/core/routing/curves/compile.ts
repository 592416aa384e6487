import { LEAST_OUTPUT } from "../../math/sampling/sampled-curve.ts";
import type { Curve, Protocol } from "../../protocol.ts";

/** Share of the first price down to which a curve is sampled: lower prices are of no use to any trade. */
const LEAST_PRICE_RATIO = 1e-9;
const NODES = 56;

/** No token amount is larger: the end of a curve without one. Along a line without an end, gains and amounts are not numbers. */
const LARGEST = 2 ** 256;

/**
 * The curve of one direction of a pool, with the properties that the search assumes: concave, finite, positive.
 * Rises of the marginal price, which rounding in doubles causes, are flattened.
 *
 * @returns undefined where the pool pays nothing in this direction or its numbers are not a valid curve
 */
export function compile(protocol: Protocol, mirror: unknown, i: number, j: number): Curve | undefined {
  const given = protocol.curve(mirror, i, j);
  if (given !== undefined) return sound(withoutEmpty(ended(given)));
  return sample((x) => protocol.quoteFloat(mirror, i, j, x));
}

function ended(curve: Curve): Curve {
  return curve.end === Infinity ? { ...curve, end: LARGEST } : curve;
}

/** Drops segments without width: a tick or bin of little liquidity may be narrower than the last digit of its start. */
function withoutEmpty(curve: Curve): Curve {
  const { x, end } = curve;
  const kept = Array.from(x.keys()).filter((k) => (k + 1 < x.length ? x[k + 1]! : end) > x[k]!);
  if (kept.length === x.length) return curve;
  const [xs, ys, ms, cs] = [curve.x, curve.y, curve.m, curve.c].map((lane) => kept.map((k) => lane[k]!));
  return { x: xs!, y: ys!, m: ms!, c: cs!, end };
}

function sound(curve: Curve): Curve | undefined {
  const { x, y, m, c, end } = curve;
  const last = x.length - 1;
  if (x[0] !== 0 || y[0] !== 0 || !(end > x[last]!) || !isEven(curve)) return undefined;
  let rises = false;
  for (let k = 0; k <= last; k++) {
    if (!isFallingFrom(m[k]!, c[k]!)) return undefined;
    if (k === last) break;
    const width = x[k + 1]! - x[k]!;
    if (!(width > 0 && y[k + 1]! >= y[k]!)) return undefined;
    const bend = 1 + c[k]! * width;
    rises ||= m[k + 1]! > m[k]! / (bend * bend);
  }
  return rises ? flattened(curve) : curve;
}

function isEven({ x, y, m, c }: Curve): boolean {
  return y.length === x.length && m.length === x.length && c.length === x.length;
}

function isFallingFrom(m: number, c: number): boolean {
  return m > 0 && m < Infinity && c >= 0 && c < Infinity;
}

function flattened(curve: Curve): Curve {
  const { x, c } = curve;
  const m = Array.from(curve.m);
  for (let k = 1; k < m.length; k++) {
    const bend = 1 + c[k - 1]! * (x[k]! - x[k - 1]!);
    m[k] = Math.min(m[k]!, m[k - 1]! / (bend * bend));
  }
  return { ...curve, m };
}

/**
 * Samples a concave function that has no closed form: at nodes whose inputs grow by a constant factor, with the
 * function's own marginal price at each node and a hyperbola between two nodes that meets both prices.
 */
export function sample(output: (x: number) => number): Curve | undefined {
  const range = usefulRange(output);
  if (range === undefined) return undefined;
  const [low, high] = range;
  const factor = (high / low) ** (1 / (NODES - 1));
  const nodes: { x: number; slope: number }[] = [{ x: 0, slope: output(low) / low }];
  for (let k = 0; k < NODES; k++) {
    const x = k === NODES - 1 ? high : low * factor ** k;
    const slope = slopeOf(output, x, high);
    if (!(slope > 0)) break;
    nodes.push({ x, slope: Math.min(slope, nodes.at(-1)!.slope) });
  }
  return joined(nodes, output(low));
}

function slopeOf(output: (x: number) => number, x: number, high: number): number {
  const step = x * 1e-4;
  const right = Math.min(x + step, high);
  return (output(right) - output(x - step)) / (right - (x - step));
}

/**
 * For pools that pay few units, the output from which a curve is sampled as a share of the most that is paid. Below, a straight line
 * stands for the pool.
 */
const FIRST_SHARE = 1e-5;

/** The range of inputs to sample: up to where more input brings next to nothing or the output stops being concave. */
function usefulRange(output: (x: number) => number): readonly [number, number] | undefined {
  let low = 1;
  while (low < 1e60 && !(output(low) >= LEAST_OUTPUT)) low *= 8;
  if (low >= 1e60) return undefined;
  const first = output(low) / low;
  let high = low;
  for (let next = low * 2; next < 1e75; next *= 2) {
    const gain = (output(next) - output(high)) / (next - high);
    if (!(gain > first * LEAST_PRICE_RATIO) || !(gain <= first * 1.001)) break;
    high = next;
  }
  while (low > 1 && output(low / 8) >= FIRST_SHARE * output(high)) low /= 8;
  return high > low ? [low, high] : undefined;
}

function joined(nodes: readonly { x: number; slope: number }[], outLow: number): Curve | undefined {
  const count = nodes.length - 1;
  if (count < 2) return undefined;
  const curve = {
    x: new Float64Array(count),
    y: new Float64Array(count),
    m: new Float64Array(count),
    c: new Float64Array(count),
    end: nodes[count]!.x,
  };
  let y = 0;
  for (let k = 0; k < count; k++) {
    const from = nodes[k]!;
    const to = nodes[k + 1]!;
    const width = to.x - from.x;
    const ratio = Math.sqrt(from.slope / to.slope);
    curve.x[k] = from.x;
    curve.y[k] = y;
    curve.m[k] = from.slope;
    curve.c[k] = Math.max(0, (ratio - 1) / width);
    y = k === 0 ? outLow : y + (from.slope * width) / ratio;
  }
  return sound(curve);
}
