import { readFileSync } from "node:fs";

/** What a page shows: something to run, and what it answers. */
export type Example = {
  readonly page: string;
  /** Heading that it stands under. */
  readonly heading: string;
  readonly language: "sh" | "ts";
  readonly code: string;
  readonly shown: string;
  readonly shownAs: "json" | "text";
};

/** Pages whose every block of shell or TypeScript is run, in reading order. */
export const PAGES_WITH_EXAMPLES = [
  "docs/index.md",
  "docs/api.md",
  "docs/guide/swap.md",
  "docs/guide/fees.md",
  "docs/guide/signatures.md",
  "docs/guide/failures.md",
  "docs/guide/operate.md",
  "docs/guide/migrate.md",
] as const;

const BLOCK = /^## (.+)$|^```(\w*)\n([\s\S]*?)\n```$/gm;

/**
 * The examples of a page, in its order.
 *
 * @throws Error where a block of code shows no answer, or an answer stands alone
 */
export function examplesOf(page: string, source = read(page)): Example[] {
  const examples: Example[] = [];
  let heading = "";
  let open: { language: "sh" | "ts"; code: string } | undefined;
  for (const [, title, language, text = ""] of source.matchAll(BLOCK)) {
    if (title !== undefined) heading = title;
    else if (language === "sh" || language === "ts") {
      if (open !== undefined) throw new Error(`${page}, ${heading}: code without an answer:\n${open.code}`);
      open = { language, code: text };
    } else if (language === "json" || language === "text") {
      if (open === undefined) throw new Error(`${page}, ${heading}: an answer without code:\n${text}`);
      examples.push({ page, heading, ...open, shown: text, shownAs: language });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${page}, ${heading}: code without an answer:\n${open.code}`);
  return examples;
}

const read = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");

/** Fields that time, the gas price, how long a search could run or chance decide: their form is compared, their value is not. */
const VARYING = new Set([
  "age_ms",
  "block",
  "block_hash",
  "block_number",
  "deadline",
  "gas_price",
  "gas_usd",
  "gas_used",
  "id",
  "largest_amount",
  "largest_amount_units",
  "net_out",
  "permit_deadline",
  "permit_nonce",
  "quote_id",
  "request_id",
  "time",
  "valid_until",
]);

/** Where the real answer is not the one shown: a path and both values. Fields that are not shown are free. */
export function differences(shown: unknown, real: unknown, path = "answer"): string[] {
  if (typeof shown !== "object" || shown === null) {
    return isSame(shown, real, path)
      ? []
      : [`${path} is ${JSON.stringify(real)}, shown ${JSON.stringify(shown)}`];
  }
  if (typeof real !== "object" || real === null) return [`${path} is ${JSON.stringify(real)}`];
  if (Array.isArray(shown) && (!Array.isArray(real) || real.length !== shown.length))
    return [`${path} has ${Array.isArray(real) ? real.length : "no"} entries, shown ${shown.length}`];
  return Object.entries(shown).flatMap(([key, value]) =>
    differences(value, (real as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

function isSame(shown: unknown, real: unknown, path: string): boolean {
  if (typeof shown !== typeof real) return false;
  if (VARYING.has(path.split(".").at(-1)!)) return formOf(shown) === formOf(real);
  return typeof shown === "string" ? matches(shown, real as string) : shown === real;
}

const formOf = (value: unknown): string =>
  String(value)
    .replace(/0x[0-9a-f]+|[0-9a-f]{8,}(-[0-9a-f]{4,})*/g, "hex")
    .replace(/\d+/g, "0");

/** `…` stands for any characters of a line. */
export function matches(shown: string, real: string): boolean {
  const pattern = shown
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(real);
}
