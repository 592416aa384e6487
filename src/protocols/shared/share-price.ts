import { callData, uintAt } from "../../core/abi.ts";
import type { Call, Hex, Pool } from "../../core/types.ts";

/** Exchange rate of an ERC-4626 vault as a fraction: `shares` shares are worth `assets` assets. */
export type SharePrice = { readonly assets: bigint; readonly shares: bigint };

const PREVIEW_DEPOSIT: Hex = "0xef8b30f7";
const PREVIEW_REDEEM: Hex = "0x4cdad506";

/**
 * Odd amounts of several magnitudes that reveal another rounding or a fee. The last one exceeds any vault: a virtual
 * unit changes an amount of the vault's own size by about a hundredth of a unit, which the floor hides forty-nine
 * times in fifty, but changes this amount by many units.
 */
const PROBES = [
  1_000_003n,
  1_000_000_000_000_000_007n,
  123_456_789_012_345_678_901_234_567n,
  2n ** 127n - 1n,
] as const;

/**
 * Largest decimals offset of OpenZeppelin's formula, which adds 10^offset virtual shares per virtual unit of the
 * asset.
 */
const MOST_OFFSET = 18;

/** Calls whose answers `priceOf` expects, in this order. */
export function previewCalls(vault: Pool["address"]): readonly Call[] {
  return [PREVIEW_DEPOSIT, PREVIEW_REDEEM].flatMap((selector) =>
    PROBES.map((amount) => ({ to: vault, data: callData(selector, amount) })),
  );
}

/**
 * The usual formulas over a vault's totals: plain, and with one virtual unit of the asset and 10^offset virtual
 * shares.
 */
export function pricesOfTotals(assets: bigint, shares: bigint): readonly SharePrice[] {
  const virtual = Array.from({ length: MOST_OFFSET + 1 }, (_, offset) => ({
    assets: assets + 1n,
    shares: shares + 10n ** BigInt(offset),
  }));
  return [{ assets, shares }, ...virtual];
}

/**
 * The first formula that reproduces every preview exactly. Undefined if there is none, as with fees or an empty
 * vault, or if several formulas do that would differ for other amounts.
 *
 * @param previews answers to `previewCalls`, at least a word each
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

/** Deposit limits from here on mean no limit, since no vault holds as much. */
const UNLIMITED = 2n ** 128n;

/** Deposit limit after a deposit; no limit stays no limit. */
export function roomAfter(room: bigint, deposited: bigint): bigint {
  return room >= UNLIMITED ? room : room - deposited;
}
