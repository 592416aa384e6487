/** The API counts slippage in thousandths (10 = 1 %); fractions are allowed, so the core counts in parts per million. */
const PLAIN_DECIMAL = /^[0-9]{1,6}(\.[0-9]{1,32})?$/;

/**
 * Reads a slippage as clients send it, float noise included.
 *
 * @param text a plain decimal, 1 … 500 in thousandths, such as "10", "2.5", "11.000000000000002"
 * @returns parts per million, rounded to nearest, or undefined where the text is no such number
 */
export function slippagePpm(text: string): number | undefined {
  if (!PLAIN_DECIMAL.test(text)) return undefined;
  const permille = Number(text);
  if (permille < 1 || permille > 500) return undefined;
  return Math.round(permille * 1000);
}
