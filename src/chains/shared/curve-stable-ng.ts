import type { Address, Deployment } from "../../core/types.ts";

const AGREED =
  "Curve's developer documentation and several public repositories agree; its logs announce no pool";
const UNCHECKED = "; not checked against the chain";

/**
 * Curve's StableSwap-NG factory. Its logs do not name pools, so it is queried by token pair and needs no first block.
 */
export function curveStableNg(factory: Address, source = `${AGREED}${UNCHECKED}`): Deployment {
  return {
    ...{ id: "curve-stable-ng", protocol: "curve-stable", name: "Curve_Stable_NG", factory },
    ...{ fromBlock: undefined, trusted: false, facts: { factory: "ng" }, source },
  };
}

const CONTRACTS =
  "; contracts: scripts/deploy_infra.py of curvefi/stableswap-ng at 2eeb0d4 and 5f582a6, with contracts/main/CurveStableSwapNG.vy";

/**
 * A factory of 2023. The pools of its first contracts, which made way for the present one in December 2023, divide D coin
 * by coin, and all of them report the same version.
 *
 * @param perCoin those contracts: `get_implementation_address` of the factory names one for each pool
 */
export function curveStableNgOf2023(factory: Address, perCoin: readonly Address[]): Deployment {
  const record = curveStableNg(factory, `${AGREED}${CONTRACTS}${UNCHECKED}`);
  return { ...record, facts: { ...record.facts, perCoin: perCoin.join(" ") } };
}
