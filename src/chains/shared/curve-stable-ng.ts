import type { Address, Deployment } from "../../core/types.ts";

const SOURCE =
  "Curve's developer documentation and several public repositories agree; its logs announce no pool; not checked against the chain";

/**
 * Curve's StableSwap-NG factory. Its logs do not name pools, so it is queried by token pair and needs no first block.
 */
export function curveStableNg(factory: Address, source = SOURCE): Deployment {
  return {
    ...{ id: "curve-stable-ng", protocol: "curve-stable", name: "Curve_Stable_NG", factory },
    ...{ fromBlock: undefined, trusted: false, facts: { factory: "ng" }, source },
  };
}
