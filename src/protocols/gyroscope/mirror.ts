import { virtual } from "../../core/math/gyro/gyro-clp-math.ts";
import { type Arc, alongEllipse, arcOf } from "../../core/math/gyro/gyro-eclp-float.ts";
import type { Curve } from "../../core/protocol.ts";
import type { Shape, State } from "./state.ts";
import { pairOf, type Solved, solvedOf } from "./swap.ts";

/** A pool in doubles. */
export type Mirror = {
  readonly kind: Shape["kind"];
  /** 18-digit units per smallest unit. */
  readonly scale: Float64Array;
  readonly balances: Float64Array;
  /** Virtual balances as token sold and as token bought; empty for an E-CLP. */
  readonly virtualIn: Float64Array;
  readonly virtualOut: Float64Array;
  /** One arc per token sold; empty for other curves. */
  readonly arcs: readonly Arc[];
  readonly keep: number;
};

const NONE = new Float64Array();
/** Relative tolerance of the limit, for rounding of doubles. */
const GRAIN = 1 + 1e-12;

/**
 * The mirror of a state; it changes in every block if the pool has rates. A pool whose invariant cannot be computed
 * pays 0.
 */
export function mirror(state: State): Mirror {
  const solved = solvedOf(state);
  const built = {
    kind: state.shape.kind,
    scale: Float64Array.from(state.scaling, (scale) => Number(scale) / 1e18),
    keep: 1 - Number(state.swapFee) / 1e18,
    balances: NONE,
    virtualIn: NONE,
    virtualOut: NONE,
    arcs: [],
  };
  if (solved === undefined) return built;
  if (solved.kind === "virtual") return { ...built, ...virtualOf(solved) };
  const { balances } = solved.ellipse;
  const arcs = [arcOf(solved.ellipse, 0), arcOf(solved.ellipse, 1)];
  return { ...built, balances: Float64Array.from(balances, Number), arcs };
}

function virtualOf(solved: Extract<Solved, { kind: "virtual" }>) {
  const { balances } = solved;
  const other = (k: number) => (k + 1) % balances.length;
  return {
    balances: Float64Array.from(balances, Number),
    virtualIn: Float64Array.from(balances, (_, k) => Number(virtual(pairOf(solved, k, other(k)))[0])),
    virtualOut: Float64Array.from(balances, (_, k) => Number(virtual(pairOf(solved, other(k), k))[1])),
  };
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. */
export function quoteFloat(pool: Mirror, i: number, j: number, x: number): number {
  if (!(x > 0) || !(x < MAX_INPUT) || pool.balances.length === 0) return 0;
  const h = x * pool.keep * pool.scale[i]!;
  const out =
    pool.kind === "eclp"
      ? alongEllipse(pool.arcs[i]!, h)
      : (pool.virtualOut[j]! * h) / (pool.virtualIn[i]! + h);
  return out > 0 && out <= pool.balances[j]! * GRAIN ? out / pool.scale[j]! : 0;
}

/** Upper limit of inputs: more than the vault can hold. */
const MAX_INPUT = 2 ** 112;

/** One hyperbola, up to the input at which the token bought is exhausted; undefined for an E-CLP. */
export function curve(pool: Mirror, i: number, j: number): Curve | undefined {
  if (pool.kind === "eclp") return undefined;
  const usable = pool.balances.length > 0 && pool.virtualIn[i]! > 0;
  const sold = pool.virtualIn[i]!;
  const bought = pool.virtualOut[j]!;
  const unit = pool.keep * pool.scale[i]!;
  const held = usable ? pool.balances[j]! : 0;
  return {
    x: [0],
    y: [0],
    m: [usable ? (bought * unit) / (sold * pool.scale[j]!) : 0],
    c: [usable ? unit / sold : 0],
    end: held > 0 ? (held * sold) / (bought - held) / unit : 0,
  };
}
