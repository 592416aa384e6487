import type { Address, Deployment } from "../core/types.ts";

/** Curve's newest factory of stable pools: its logs name no pool, so it is asked by pair and has no first block. */
export function curveStableNg(factory: Address): Deployment {
  return {
    ...{ id: "curve-stable-ng", protocol: "curve-stable", name: "Curve_Stable_NG", factory },
    ...{ fromBlock: undefined, trusted: false, facts: { factory: "ng" } },
    source:
      "Curve's developer documentation and several public repositories agree; its logs announce no pool; not checked against the chain",
  };
}
