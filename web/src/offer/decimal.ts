export type ReadDecimal =
  | { readonly kind: "empty" }
  /** `text` is an error message of one sentence about the form of the number. */
  | { readonly kind: "bad"; readonly text: string }
  /** Digits before and after the decimal separator; either may be empty, and zeros at their ends are kept. */
  | { readonly kind: "decimal"; readonly whole: string; readonly fraction: string };

/** Such as "1000", "1.5", "1." and ".5". */
const WITH_DOT = /^(\d*)(?:\.(\d*))?$/;
/** One comma as the decimal separator, such as "1,5", "1," and ",5". */
const WITH_COMMA = /^(\d*),(\d*)$/;
/** Groups of thousands before a dot, such as "1,000.5". */
const GROUPED_WITH_DOT = /^(\d{1,3}(?:,\d{3})+)\.(\d*)$/;
/** Two or more commas between groups of thousands, such as "1,234,567". */
const GROUPED = /^(\d{1,3}(?:,\d{3}){2,})$/;

/**
 * Reads an unsigned decimal as people write it: the decimal separator is a dot, or one comma where there is no dot, and
 * commas may group thousands. One comma with three digits behind it, such as "1,000", has two readings and is refused,
 * unless only zeros precede it: thousands never begin with a zero.
 *
 * @param text surrounding spaces are ignored; an unfinished "1." is 1
 */
export function readDecimal(text: string): ReadDecimal {
  const typed = text.trim();
  if (typed === "") return { kind: "empty" };
  if (!/\d/.test(typed)) return bad(typed);
  const comma = WITH_COMMA.exec(typed);
  if (comma !== null && isAmbiguous(comma)) return { kind: "bad", text: bothReadings(comma) };
  const match = comma ?? WITH_DOT.exec(typed) ?? GROUPED_WITH_DOT.exec(typed) ?? GROUPED.exec(typed);
  if (match === null) return bad(typed);
  return { kind: "decimal", whole: (match[1] ?? "").replaceAll(",", ""), fraction: match[2] ?? "" };
}

function isAmbiguous([, whole = "", fraction = ""]: RegExpExecArray): boolean {
  return fraction.length === 3 && /[1-9]/.test(whole);
}

/** How to write either reading; the last form suits a keypad whose only separator is a comma. */
function bothReadings([, whole = "", fraction = ""]: RegExpExecArray): string {
  return `This has two readings: write ${whole}${fraction} for the one, ${whole}.${fraction} or ${whole},${fraction}0 for the other.`;
}

function bad(typed: string): ReadDecimal {
  const text = /^[\d.,' ]+$/.test(typed)
    ? "Write one dot or comma before the fraction and no other separators, like 1234.5."
    : "Enter a plain number, like 1.5.";
  return { kind: "bad", text };
}
