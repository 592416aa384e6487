import { cut, enlarged } from "../../../math/rows.ts";

/**
 * What tokens are worth, kept as a tree: each token is priced through one pool towards the native coin, on the
 * widest chain of pools (a chain is as wide as its shallowest pool), so that no shallow pool, nor a huge reserve
 * of a token that only a shallow pool prices, sets a price.
 *
 * Reference values are frozen while they are about right: they only normalise prices and trade sizes.
 */
export type Values = {
  /** Wei of native value per smallest unit, within a factor of eight; 0 where unknown. */
  ref: Float64Array;
  /** The edge that prices each node; -1 for a root and for nodes without a price. */
  parent: Int32Array;
  /** Width of each node's chain in wei of native value; 0 where unknown. */
  width: Float64Array;
  /** Set when an island has been joined to the native coin: all must be valued afresh. */
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

/** Gives back the room for more tokens than there are. */
export function packValues(values: Values, nodes: number): void {
  for (const key of ["ref", "width", "parent"] as const)
    (values[key] as Values[typeof key]) = cut(values[key], nodes);
}

/** Makes sure that there is room for `nodes` tokens; new ones have no value. */
export function reserve(values: Values, nodes: number): void {
  const before = values.parent.length;
  values.ref = enlarged(values.ref, nodes);
  values.width = enlarged(values.width, nodes);
  values.parent = enlarged(values.parent, nodes);
  values.parent.fill(-1, before);
}
