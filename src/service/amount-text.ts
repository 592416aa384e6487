import type { ListedToken } from "./ports/ports.ts";

/** An amount as an exact decimal number of tokens: 1500000n of a token with 6 decimals is "1.5". */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const fraction = digits.slice(cut).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${fraction}`;
}

/** What of a token, or of a native coin, its amounts are worded by. */
type Worded = Pick<ListedToken, "decimals" | "symbol">;

/** An amount for people: `1.5 WETH`. @param amount in smallest units */
export const tokenAmount = (amount: bigint, { decimals, symbol }: Worded): string =>
  `${decimalText(amount, decimals)} ${symbol}`;
