import { refuse } from "./error.ts";

const PLAIN = /^(\d+)(?:\.(\d+))?$/;

/**
 * Converts decimal text to smallest units exactly: `parseAmount("1.5", 18)` is 1500000000000000000n.
 *
 * @param text digits with at most one dot; no sign, exponent or grouping
 * @param decimals of the token
 * @throws BraidError BAD_AMOUNT for other text, or more significant fraction digits than the token has
 */
export function parseAmount(text: string, decimals: number): bigint {
  const match = PLAIN.exec(text.trim());
  if (match === null) throw refuse("BAD_AMOUNT", `${JSON.stringify(text)} is no amount such as "1.5".`);
  const [, whole = "0", fraction = ""] = match;
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > decimals)
    throw refuse("BAD_AMOUNT", `${text} has more than the ${decimals} decimals of its token.`);
  return BigInt(whole + significant.padEnd(decimals, "0"));
}

/** Converts smallest units to decimal text exactly: `formatAmount(1500000n, 6)` is "1.5". */
export function formatAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
