import { cut, enlarged } from "../../../math/rows.ts";

/**
 * Reference values of tokens, kept as a tree: each token is valued through one pool towards the native coin, on the widest
 * chain of pools (a chain is as wide as its shallowest pool). So neither a shallow pool nor a huge reserve of a token that
 * only a shallow pool prices sets a value.
 *
 * A reference value stays fixed while it is about right, since it only normalises prices and trade sizes.
 */
export type Values = {
  /** Wei of native value per smallest unit, within a factor of eight; 0 where unknown. */
  ref: Float64Array;
  /** The edge through which each node is valued; -1 for a root and for nodes without a value. */
  parent: Int32Array;
  /** Width of each node's chain in wei of native value; 0 where unknown. */
  width: Float64Array;
  /** Whether all have to be valued from scratch, as when a component was connected with the native coin. */
  outdated: boolean;
};

export function emptyValues(): Values {
  return {
    ref: new Float64Array(16),
    parent: new Int32Array(16).fill(-1),
    width: new Float64Array(16),
    outdated: true,
  };
}

/** Releases spare room. */
export function packValues(values: Values, nodes: number): void {
  for (const key of ["ref", "width", "parent"] as const)
    (values[key] as Values[typeof key]) = cut(values[key], nodes);
}

/** Makes room for `nodes` tokens; new ones have no value. */
export function reserve(values: Values, nodes: number): void {
  const before = values.parent.length;
  values.ref = enlarged(values.ref, nodes);
  values.width = enlarged(values.width, nodes);
  values.parent = enlarged(values.parent, nodes);
  values.parent.fill(-1, before);
}
