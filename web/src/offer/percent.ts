import { readDecimal } from "./decimal.ts";

export type ParsedPercent =
  /** `text` is an error message of one sentence. */
  | { readonly kind: "bad"; readonly text: string }
  /** Plain decimal in thousandths. */
  | { readonly kind: "permille"; readonly text: string };

/** The most digits of a slippage behind its decimal separator. */
const FINEST_SLIPPAGE = 4;

/** Parses a slippage in percent, such as "0.5", and converts it to the API's thousandths, 1 … 500, exactly. */
export function parseSlippage(percent: string): ParsedPercent {
  const range = bad("Choose between 0.1 % and 50 %.");
  if (percent.trim().startsWith("-")) return range;
  const read = readDecimal(percent);
  if (read.kind === "bad") return read;
  if (read.kind === "empty") return bad("Enter a slippage in percent, like 0.5.");
  if (read.fraction.replace(/0+$/, "").length > FINEST_SLIPPAGE)
    return bad(`A slippage has at most ${FINEST_SLIPPAGE} digits in its fraction.`);
  const text = timesTen(read);
  return Number(text) < 1 || Number(text) > 500 ? range : { kind: "permille", text };
}

/** Formats a slippage in thousandths as `parseSlippage` reads it: 1.1 is "0.11". */
export function percentText(permille: number): string {
  return String(Number((permille / 10).toFixed(FINEST_SLIPPAGE)));
}

/** Parses a fee in percent to whole thousandths: "1.5" is "15", and an empty text "0". */
export function parseFee(percent: string): ParsedPercent {
  const range = bad("A fee is 0 to 50 %, in steps of 0.1 %.");
  if (percent.trim().startsWith("-")) return range;
  const read = readDecimal(percent);
  if (read.kind === "bad") return read;
  const text = read.kind === "empty" ? "0" : timesTen(read);
  return text.includes(".") || Number(text) > 500 ? range : { kind: "permille", text };
}

function bad(text: string): ParsedPercent {
  return { kind: "bad", text };
}

/** Moves the decimal separator by one digit: percent become thousandths. */
function timesTen({ whole, fraction }: { readonly whole: string; readonly fraction: string }): string {
  const moved = `${whole}${fraction.slice(0, 1) || "0"}`.replace(/^0+(?=\d)/, "");
  const rest = fraction.slice(1).replace(/0+$/, "");
  return rest === "" ? moved : `${moved}.${rest}`;
}

/** Formats a share between 0 and 1: "37 %", "0.4 %", "< 0.1 %". */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent >= 99.95) return "100 %";
  if (percent < 0.1) return "< 0.1 %";
  return percent < 10 ? `${percent.toFixed(1).replace(/\.0$/, "")} %` : `${Math.round(percent)} %`;
}

/** Formats basis points as a percentage: 37 is "0.37 %". */
export function bpsText(bps: number): string {
  return `${(bps / 100).toFixed(2)} %`;
}
