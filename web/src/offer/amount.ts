import { readDecimal } from "./decimal.ts";

const MAX_UINT256 = 2n ** 256n - 1n;

export type ParsedAmount =
  | { readonly kind: "empty" }
  /** `text` is an error message of one sentence. */
  | { readonly kind: "bad"; readonly text: string }
  | { readonly kind: "amount"; readonly value: bigint };

/**
 * Parses an amount of whole tokens exactly, without floating point.
 *
 * @param text     such as "1.5", "1,5" or "1,000.25", as `readDecimal` reads it
 * @param decimals of the token, 0 … 255
 * @returns the amount in smallest units; more fraction digits than the token has are refused, not rounded
 */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  if (text.trim().startsWith("-")) return bad("Enter an amount above zero.");
  const read = readDecimal(text);
  if (read.kind !== "decimal") return read;

  const fraction = read.fraction.replace(/0+$/, "");
  if (fraction.length > decimals) return bad(tooFine(decimals));
  const value = BigInt(read.whole + fraction.padEnd(decimals, "0") || "0");
  if (value === 0n) return bad("Enter an amount above zero.");
  if (value > MAX_UINT256) return bad("This is more than any token can hold.");
  return { kind: "amount", value };
}

function bad(text: string): ParsedAmount {
  return { kind: "bad", text };
}

function tooFine(decimals: number): string {
  if (decimals === 0) return "This token has no fractions.";
  return `This token has ${decimals} decimal${decimals === 1 ? "" : "s"}.`;
}

/** The exact amount as a plain decimal, without trailing zeros: 1500000n at 6 is "1.5". */
export function exactAmount(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const fraction = digits.slice(cut).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${fraction}`;
}

/**
 * Formats an amount for reading: grouped thousands and about `significant` digits, rounded down so that it never shows
 * more than there is.
 */
export function readableAmount(value: bigint, decimals: number, significant = 7): string {
  const [whole = "0", fraction = ""] = exactAmount(value, decimals).split(".");
  const leading = fraction.length - fraction.replace(/^0+/, "").length;
  const keep = whole === "0" ? leading + significant : Math.max(2, significant - whole.length);
  const shown = fraction.slice(0, keep).replace(/0+$/, "");
  return shown === "" ? grouped(whole) : `${grouped(whole)}.${shown}`;
}

/**
 * Formats an amount for an input field: no separators, about `significant` digits.
 *
 * @param up rounds up, for amounts to pay; otherwise rounds down
 */
export function typedAmount(value: bigint, decimals: number, { significant = 9, up = false } = {}): string {
  const left = Math.min(decimals, Math.max(0, value.toString().length - significant));
  const unit = 10n ** BigInt(left);
  const cut = (value / unit) * unit;
  return exactAmount(up && cut < value ? cut + unit : cut, decimals);
}

/** Formats an amount for small labels: about four digits, with "k", "M", "B" or "T" from a hundred thousand on. */
export function shortAmount(value: bigint, decimals: number): string {
  const whole = value / 10n ** BigInt(decimals);
  const step = LARGE.find((one) => whole >= 10n ** BigInt(one.zeros + (one.zeros === 3 ? 2 : 0)));
  if (step === undefined) return readableAmount(value, decimals, 4);
  return `${readableAmount(value, decimals + step.zeros, 4)}${step.letter}`;
}

const LARGE = [
  { zeros: 12, letter: "T" },
  { zeros: 9, letter: "B" },
  { zeros: 6, letter: "M" },
  { zeros: 3, letter: "k" },
] as const;

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Formats numerator / denominator as a decimal, rounded half up at `significant` digits.
 *
 * @param denominator > 0
 */
export function ratioText(numerator: bigint, denominator: bigint, significant = 6): string {
  if (numerator === 0n) return "0";
  const magnitude = numerator.toString().length - denominator.toString().length;
  const places = Math.max(0, significant - magnitude);
  const scaled = (2n * numerator * 10n ** BigInt(places) + denominator) / (2n * denominator);
  return readableAmount(scaled, places, significant);
}

/**
 * The price of one whole token in whole tokens of the other side.
 *
 * @returns the amount `out` per 1 of `in`, such as "3,512.08"
 */
export function priceText(from: Sized, to: Sized): string {
  return ratioText(to.amount * 10n ** BigInt(from.decimals), from.amount * 10n ** BigInt(to.decimals));
}

export type Sized = { readonly amount: bigint; readonly decimals: number };

/**
 * Formats US dollars, rounded down: "507218.0912" becomes "$507,218.09". Below a dollar there are three significant
 * digits: "0.162990" becomes "$0.162".
 *
 * @param text plain decimal
 */
export function dollars(text: string): string {
  const [whole = "", rest = ""] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const shown = whole === "0" ? (/^0*\d{1,3}/.exec(rest)?.[0] ?? "") : rest.slice(0, 2);
  return `$${shown === "" ? grouped : `${grouped}.${shown}`}`;
}
