import type { Address, Chain } from "../../core/types.ts";
import type { MarketPort, TokenPort } from "../ports/ports.ts";

/** Below this depth in dollars, a price is too easy to manipulate to be shown. */
const FLOOR_USD = 10_000;

export type DollarSource = {
  readonly chain: Chain;
  readonly market: Pick<MarketPort, "nativePer" | "priceDepth">;
  readonly tokens: Pick<TokenPort, "get">;
};

type Quoted = { readonly usdPerWei: number; readonly depthWei: number };

/**
 * Dollars per wei of the native coin: the median over the chain's dollar tokens of the price that each implies,
 * weighted by the depth of the pools that price the token. A dollar token that has lost its peg does not change the
 * median unless it has half of the depth.
 *
 * @returns undefined where these pools hold less than 10,000 dollars in total, or there are none
 */
export function usdPerWei({ chain, market, tokens }: DollarSource): number | undefined {
  const quoted = (chain.dollarTokens ?? []).flatMap((address): Quoted[] => {
    const decimals = tokens.get(chain.id, address)?.decimals;
    const weiPerUnit = market.nativePer(address);
    const depthWei = market.priceDepth(address);
    if (decimals === undefined || weiPerUnit === undefined || !isUsable(depthWei)) return [];
    return [{ usdPerWei: 10 ** -decimals / weiPerUnit, depthWei }];
  });
  const price = weightedMedian(quoted);
  const depthWei = quoted.reduce((sum, each) => sum + each.depthWei, 0);
  return price !== undefined && depthWei * price >= FLOOR_USD ? price : undefined;
}

const isUsable = (value: number): boolean => value > 0 && Number.isFinite(value);

function weightedMedian(quoted: readonly Quoted[]): number | undefined {
  const total = quoted.reduce((sum, { depthWei }) => sum + depthWei, 0);
  let passed = 0;
  for (const each of quoted.toSorted((a, b) => a.usdPerWei - b.usdPerWei)) {
    passed += each.depthWei;
    if (2 * passed >= total) return each.usdPerWei;
  }
  return undefined;
}

/** A token's price and the depth behind it. */
export type DollarPrice = {
  /** Dollars per smallest unit. */
  readonly usdPerUnit: number;
  /** Depth in dollars of the shallowest of the pools that price the token; Infinity for the native coin. */
  readonly depthUsd: number;
};

/**
 * The dollar price of a token. @returns undefined where the depth of the pools that price it is below 10,000 dollars
 */
export function dollarPrice(
  { market }: DollarSource,
  token: Address,
  perWei: number | undefined,
): DollarPrice | undefined {
  const weiPerUnit = market.nativePer(token);
  if (perWei === undefined || weiPerUnit === undefined) return undefined;
  const depthUsd = market.priceDepth(token) * perWei;
  const usdPerUnit = weiPerUnit * perWei;
  return depthUsd >= FLOOR_USD && isUsable(usdPerUnit) ? { usdPerUnit, depthUsd } : undefined;
}
