import { callData, uintAt } from "../core/abi.ts";
import type { Call, Hex, Pool } from "../core/types.ts";

/** What an ERC-4626 vault multiplies and divides by: assets of `shares` shares are `assets`. */
export type SharePrice = { readonly assets: bigint; readonly shares: bigint };

const PREVIEW_DEPOSIT: Hex = "0xef8b30f7";
const PREVIEW_REDEEM: Hex = "0x4cdad506";

/**
 * Odd amounts of several magnitudes: what rounds otherwise, or takes a fee, answers one of them otherwise. The last is
 * greater than any vault: one virtual unit moves an amount of the vault's own size by a hundredth of a unit, which floors
 * hide forty-nine times in fifty, but this one by many.
 */
const PROBES = [
  1_000_003n,
  1_000_000_000_000_000_007n,
  123_456_789_012_345_678_901_234_567n,
  2n ** 127n - 1n,
] as const;

/** Shares that OpenZeppelin's formula may add for one virtual unit of the asset: 10^offset. */
const MOST_OFFSET = 18;

/** Calls whose answers `priceOf` takes, in this order. */
export function previewCalls(vault: Pool["address"]): readonly Call[] {
  return [PREVIEW_DEPOSIT, PREVIEW_REDEEM].flatMap((selector) =>
    PROBES.map((amount) => ({ to: vault, data: callData(selector, amount) })),
  );
}

/** The usual formulas over a vault's totals: plain, and with a virtual unit of the asset and of each offset of shares. */
export function pricesOfTotals(assets: bigint, shares: bigint): readonly SharePrice[] {
  const virtual = Array.from({ length: MOST_OFFSET + 1 }, (_, offset) => ({
    assets: assets + 1n,
    shares: shares + 10n ** BigInt(offset),
  }));
  return [{ assets, shares }, ...virtual];
}

/**
 * The first of the formulas that gives every preview to the unit; undefined where none does, as with fees or an empty
 * vault, and where two do that would part at other amounts.
 *
 * @param previews answers to `previewCalls`, a word or more each
 */
export function priceOf<P extends SharePrice>(
  formulas: readonly P[],
  previews: readonly Hex[],
): P | undefined {
  const answers = previews.map((preview) => uintAt(preview, 0));
  const gives = (price: SharePrice) =>
    price.assets > 0n &&
    price.shares > 0n &&
    PROBES.every(
      (amount, k) =>
        answers[k] === (amount * price.shares) / price.assets &&
        answers[PROBES.length + k] === (amount * price.assets) / price.shares,
    );
  const [found, ...others] = formulas.filter(gives);
  const isAlike = (other: SharePrice) => other.assets * found!.shares === found!.assets * other.shares;
  return others.every(isAlike) ? found : undefined;
}

/** No vault holds as many assets: one that names more takes any amount. */
const UNLIMITED = 2n ** 128n;

/** What a vault still takes after a deposit. One without a limit has none after it. */
export function roomAfter(room: bigint, deposited: bigint): bigint {
  return room >= UNLIMITED ? room : room - deposited;
}
