import type { Address, Deployment } from "../../core/types.ts";

/** How each factory of Curve's newer crypto pools is named in records. */
const KINDS = {
  "tricrypto-ng": { id: "curve-tricrypto-ng", name: "Curve_Tricrypto_NG" },
  "twocrypto-ng": { id: "curve-twocrypto-ng", name: "Curve_Twocrypto_NG" },
} as const;

const CONTRACTS =
  "contracts: curvefi/tricrypto-ng 584591e6 CurveTricryptoOptimized.vy and curvefi/twocrypto-ng 8c60f7d, or curve-core's of 2025, which differ from these in headers and the version's text";
const ASKED = "asked by pair, so that no first block is needed; not checked against the chain";

/**
 * Curve's factories of crypto pools on a chain other than Ethereum. Their tricrypto pools take no native coin; amounts are reckoned as in
 * those of Ethereum that do. Pools of versions that are not known are refused.
 *
 * @param agreed the sources that name both factories
 */
export function curveCryptoNg(
  factories: Readonly<Record<keyof typeof KINDS, Address>>,
  agreed: string,
): readonly Deployment[] {
  return (["tricrypto-ng", "twocrypto-ng"] as const).map((factory) => ({
    ...{ ...KINDS[factory], protocol: "curve-crypto", factory: factories[factory], facts: { factory } },
    ...{ fromBlock: undefined, trusted: false, source: `${agreed}; ${CONTRACTS}; ${ASKED}` },
  }));
}
