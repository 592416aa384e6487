import type { Curve } from "../../protocol.ts";
import { sampledCurve } from "../sampling/sampled-curve.ts";
import { MOST_SOLD, type WeightedFloat, weightedOut } from "./weighted-float.ts";

/** Units of both balances of the pools that curves are scaled from. */
const UNITS = 1e24;
/** A pool that pays less in all has no curve. No digits are lost to how few units a pool holds: it is scaled from many. */
const LEAST_OUTPUT = 1;
const MOST_KNOWN = 1024;

/** Curves by exponent: the same numbers give the same curve, so nothing is remembered but work. */
const known = new Map<string, Curve | undefined>();

/**
 * The curve of a weighted pair. Up to the units of both tokens it hangs on the ratio of the weights alone, which few pools
 * have for themselves, so it is sampled once for each ratio, and scaled.
 *
 * @param keep what the fee leaves of the input, 0 … 1
 * @returns undefined where too little is paid for a curve
 */
export function weightedCurve(pair: WeightedFloat, keep: number): Curve | undefined {
  const { balanceIn, balanceOut } = pair;
  if (!(weightedOut(pair, MOST_HELD * balanceIn) >= LEAST_OUTPUT) || !(keep > 0)) return undefined;
  const unit = unitCurve(pair);
  const [perIn, perOut] = [balanceIn / keep / UNITS, balanceOut / UNITS];
  return unit && scaled(unit, perIn, perOut);
}

const MOST_HELD = MOST_SOLD * (1 - 1e-9);

function unitCurve({ exponent, shortcuts }: WeightedFloat): Curve | undefined {
  const key = `${exponent} ${shortcuts}`;
  if (known.has(key)) return known.get(key);
  const unit = { balanceIn: UNITS, balanceOut: UNITS, exponent, shortcuts };
  const curve = sampledCurve((x) => weightedOut(unit, x));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, curve);
  return curve;
}

/** @param perIn input units, and @param perOut output units, for one of the curve's */
function scaled(curve: Curve, perIn: number, perOut: number): Curve {
  const count = curve.x.length;
  const [x, y] = [new Array<number>(count), new Array<number>(count)];
  const [m, c] = [new Array<number>(count), new Array<number>(count)];
  for (let k = 0; k < count; k++) {
    x[k] = curve.x[k]! * perIn;
    y[k] = curve.y[k]! * perOut;
    m[k] = curve.m[k]! * (perOut / perIn);
    c[k] = curve.c[k]! / perIn;
  }
  return { x, y, m, c, end: curve.end * perIn };
}
