import { divideUp } from "../../core/math/fixed-point.ts";
import type { Side } from "../../core/types.ts";

/** What an ERC-4626 wrapper makes of its shares: `shares` are worth `assets`, whatever the unit of the two. */
export type Conversion = { readonly assets: bigint; readonly shares: bigint };

/** A swap with a buffer: of assets for shares ("wrap") or back. */
export type Wrap = { readonly direction: "wrap" | "unwrap"; readonly amount: bigint; readonly side: Side };

/**
 * What the vault answers to a swap with its buffer of a wrapper, whose own preview rounds down what it pays and up what
 * it asks. The vault previews a unit less than is given, or a unit more than is asked, and keeps another for itself.
 *
 * @returns the amount that was not given; undefined where nothing comes of it
 * @source balancer/balancer-v3-monorepo pkg/vault/contracts/Vault.sol _wrapWithBuffer, _unwrapWithBuffer (0a5890a)
 */
export function swapBuffer(
  { assets, shares }: Conversion,
  { direction, amount, side }: Wrap,
): bigint | undefined {
  const [sold, bought] = direction === "wrap" ? [assets, shares] : [shares, assets];
  if (amount <= 0n || sold === 0n || bought === 0n) return undefined;
  if (side === "out") return divideUp((amount + 1n) * sold, bought) + 1n;
  const out = ((amount - 1n) * bought) / sold - 1n;
  return out > 0n ? out : undefined;
}
