/** The API counts slippage in thousandths (10 = 1 %); fractions are allowed, so the core counts in parts per million. */
const PLAIN_DECIMAL = /^[0-9]{1,6}(\.[0-9]{1,32})?$/;

const LEAST = 1;
const MOST = 500;

/** Arithmetic of clients leaves values such as 0.9999999999999999 or 500.00000000000006: these are meant to be the limits. */
const NOISE = 1e-9;

/**
 * Reads a slippage as clients send it, float noise included.
 *
 * @param text a plain decimal, 1 … 500 in thousandths, give or take a float's noise, such as "10", "2.5", "11.000000000000002"
 * @returns parts per million, rounded to nearest, or undefined where the text is no such number
 */
export function slippagePpm(text: string): number | undefined {
  return thousandthsPpm(text, LEAST, MOST);
}

/**
 * Reads the highest price impact that a client allows, in the same unit.
 *
 * @param text a plain decimal, 0 … 1000 in thousandths
 * @returns parts per million, or undefined where the text is no such number
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
