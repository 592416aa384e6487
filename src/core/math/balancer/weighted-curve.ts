import type { Curve } from "../../protocol.ts";
import { sampledCurve } from "../sampling/sampled-curve.ts";
import { MOST_SOLD, type WeightedFloat, weightedOut } from "./weighted-float.ts";

/** Balances of the unit pool from which curves are scaled, in smallest units. */
const UNITS = 1e24;
/**
 * Smallest total output, in smallest units, for which a curve is made. Scaling from a large unit pool loses no
 * digits.
 */
const LEAST_OUTPUT = 1;
const MOST_KNOWN = 1024;

/** Cache of unit curves by exponent; they depend on nothing else. */
const known = new Map<string, Curve | undefined>();

/**
 * The curve of a weighted pair. Up to the units of both tokens it depends on the ratio of the weights alone, and few
 * ratios occur, so it is sampled once per ratio and scaled.
 *
 * @param keep 1 - fee, 0 … 1
 * @returns undefined if the total output is too small for a curve
 */
export function weightedCurve(pair: WeightedFloat, keep: number): Curve | undefined {
  const { balanceIn, balanceOut } = pair;
  if (!(weightedOut(pair, MOST_HELD * balanceIn) >= LEAST_OUTPUT) || !(keep > 0)) return undefined;
  const unit = unitCurve(pair);
  const perIn = balanceIn / keep / UNITS;
  const perOut = balanceOut / UNITS;
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

/** Rescales a curve. @param perIn input units, and @param perOut output units, per unit of the curve */
function scaled(curve: Curve, perIn: number, perOut: number): Curve {
  const count = curve.x.length;
  const x = new Array<number>(count);
  const y = new Array<number>(count);
  const m = new Array<number>(count);
  const c = new Array<number>(count);
  for (let k = 0; k < count; k++) {
    x[k] = curve.x[k]! * perIn;
    y[k] = curve.y[k]! * perOut;
    m[k] = curve.m[k]! * (perOut / perIn);
    c[k] = curve.c[k]! / perIn;
  }
  return { x, y, m, c, end: curve.end * perIn };
}
