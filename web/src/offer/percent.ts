export type ParsedSlippage =
  | { readonly kind: "bad"; readonly text: string }
  /** Plain decimal in thousandths, 1 … 500. */
  | { readonly kind: "permille"; readonly text: string };

const RANGE = "Choose between 0.1 % and 50 %.";

/** Parses a slippage in percent, such as "0.5", and converts it to the API's thousandths exactly. */
export function parseSlippage(percent: string): ParsedSlippage {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(percent.trim());
  if (match === null) return { kind: "bad", text: RANGE };
  const fraction = match[2] ?? "";
  const whole = `${match[1] ?? ""}${fraction.slice(0, 1) || "0"}`.replace(/^0+(?=\d)/, "");
  const rest = fraction.slice(1).replace(/0+$/, "");
  const text = rest === "" ? whole : `${whole}.${rest}`;
  const permille = Number(text);
  return permille < 1 || permille > 500 ? { kind: "bad", text: RANGE } : { kind: "permille", text };
}

/** Parses a fee in percent to thousandths as text: "1.5" is "15", an empty text "0". @returns undefined if invalid */
export function parseFee(percent: string): string | undefined {
  const match = /^(\d{0,3})(?:\.(\d)0*)?$/.exec(percent.trim());
  if (match === null) return undefined;
  const permille = Number(`${match[1] || "0"}${match[2] ?? "0"}`);
  return permille > 500 ? undefined : String(permille);
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
