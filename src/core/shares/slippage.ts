/** Format of a slippage in requests: thousandths (10 = 1 %), fractions allowed. The core uses parts per million. */
const PLAIN_DECIMAL = /^[0-9]{1,6}(\.[0-9]{1,32})?$/;

const LEAST = 1;
const MOST = 500;

/** Tolerance at the limits, in thousandths: floating-point arithmetic of clients yields 0.9999999999999999 for 1. */
const NOISE = 1e-9;

/**
 * Parses a slippage, tolerating floating-point noise.
 *
 * @param text a plain decimal in thousandths, 1 … 500, such as "10", "2.5" or "11.000000000000002"
 * @returns parts per million, rounded to nearest; undefined if the text is not such a number
 */
export function slippagePpm(text: string): number | undefined {
  return thousandthsPpm(text, LEAST, MOST);
}

/**
 * Parses a maximum price impact.
 *
 * @param text a plain decimal in thousandths, 0 … 1000
 * @returns parts per million, rounded to nearest; undefined if the text is not such a number
 */
export function impactPpm(text: string): number | undefined {
  return thousandthsPpm(text, 0, 1000);
}

function thousandthsPpm(text: string, least: number, most: number): number | undefined {
  if (!PLAIN_DECIMAL.test(text)) return undefined;
  const permille = Number(text);
  if (permille < least - NOISE || permille > most + NOISE) return undefined;
  return Math.round(permille * 1000);
}
