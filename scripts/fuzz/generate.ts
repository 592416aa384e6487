import type { Endpoint, Parameter, Schema } from "./document.ts";

/** A request over HTTP. */
export type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** What a service was seen to know: values that make a request a good one. */
export type Known = {
  readonly chainIds: string[];
  readonly tokens: string[];
  readonly quoteIds: string[];
  readonly hashes: string[];
};

/** A stream of doubles in [0, 1). */
export type Random = () => number;

const HOSTILE = [
  ...[
    "",
    " ",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-0",
    "-1",
    "0",
    "1e400",
    "1.5",
    "0x",
    "0x0",
    "[object Object]",
  ],
  ...[
    "%00",
    "\u0000",
    "__proto__",
    "constructor",
    "true",
    "FALSE",
    "../..",
    "' OR 1=1 --",
    "<script>",
    "𝟙𝟚",
    "١٢٣",
    "\ud83d",
  ],
  ...[
    "9".repeat(77),
    "9".repeat(78),
    "9".repeat(79),
    `0x${"f".repeat(40)}`,
    `0x${"0".repeat(40)}`,
    `0X${"A".repeat(40)}`,
  ],
  ...[
    `0x${"e".repeat(40)}`,
    `0x${"a".repeat(64)}`,
    "a,b,,c",
    ",",
    "1_000",
    "+5",
    "5\n",
    "٣",
    "a".repeat(2_000),
  ],
];

const AMOUNTS = [
  "1",
  "1000",
  "1000000",
  "1000000000",
  "1000000000000000000",
  "25000000000000000000",
  "99999999999999999999999999",
];
const WALLETS = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x000000000000000000000000000000000000fee5",
];
const SOURCES = ["Uniswap_V2", "uniswap-v3", "Curve", "SUSHISWAP", "nobody"];

/** Values that fit, by the parameter's name or else by its format. */
const FITTING: readonly (readonly [RegExp, (known: Known) => readonly string[]])[] = [
  [/^chain(ID)?$/i, ({ chainIds }) => chainIds],
  [/^id$/, ({ quoteIds }) => quoteIds],
  [/^hash$/, ({ hashes }) => hashes],
  [/token(s)?Address$/i, ({ tokens }) => tokens],
  [/(taker|recipient|wallet|contract)Address$|feeRecipient/, () => WALLETS],
  [/Aggregator$/, () => SOURCES],
  [/^amount$/, () => AMOUNTS],
  [/^slippage$/, () => ["1", "10", "2.5", "11.000000000000002", "500"]],
  [/PercentageFee$/, () => ["0", "3", "500"]],
  [/^gasPrice$/, () => ["1000000000", "20000000000"]],
  [/^max_price_impact$/, () => ["1000", "50", "0.1"]],
  [/^min_block$/, () => ["1", "5"]],
  [/^deadline$/, () => ["9999999999"]],
  [/^permit_kind$/, () => ["permit2", "eip2612", "dai"]],
  [/^permit_signature$/, () => [`0x${"1b".repeat(65)}`]],
  [/^permit_(nonce|deadline)$/, () => ["1", "9999999999"]],
];

const pick = <T>(random: Random, all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];

function fitting(
  { name, schema }: { readonly name: string; readonly schema: Schema },
  known: Known,
): readonly string[] {
  const found = FITTING.find(([pattern]) => pattern.test(name))?.[1](known) ?? [];
  if (found.length > 0) return found;
  if (schema.enum !== undefined) return schema.enum;
  return schema.type === "boolean" ? ["true", "false", "TRUE"] : ["1"];
}

/** A good value, or a hostile one with probability `evil`. */
function textFor(
  random: Random,
  parameter: Parameter | { name: string; schema: Schema },
  known: Known,
  evil: number,
): string {
  return random() < evil ? pick(random, HOSTILE)! : (pick(random, fitting(parameter, known)) ?? "");
}

/**
 * A request to an endpoint: in half of all cases one that should be answered, else one with some values that make no sense, of a
 * wrong form, missing, or given more than once.
 */
export function requestTo(endpoint: Endpoint, known: Known, random: Random): Sent {
  const evil = random() < 0.5 ? 0 : 0.25 * random();
  const query = new URLSearchParams();
  let { path } = endpoint;
  for (const parameter of endpoint.parameters) {
    const value = () => textFor(random, parameter, known, evil);
    if (parameter.in === "path") {
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(wellFormed(value() || "1")));
      continue;
    }
    const isGiven = parameter.required === true ? random() >= evil / 2 : random() < 0.07;
    if (isGiven) query.append(parameter.name, value());
    if (random() < evil / 4) query.append(parameter.name, value());
  }
  if (random() < evil) query.append(pick(random, HOSTILE)!, pick(random, HOSTILE)!);
  const isPost = endpoint.method === "POST";
  const text = query.toString();
  return {
    method: endpoint.method,
    url: text === "" ? path : `${path}?${text}`,
    headers: headersOf(random, isPost, evil),
    body: isPost ? bodyOf(random, endpoint.body, known, evil) : undefined,
  };
}

/** A text without halves of surrogate pairs, which no URL can hold. */
const wellFormed = (text: string): string => text.toWellFormed();

const TYPES = [
  "application/json",
  "text/plain;charset=UTF-8",
  "application/x-www-form-urlencoded",
  "image/png",
  "",
];

function headersOf(random: Random, isPost: boolean, evil: number): Record<string, string> {
  const type = isPost ? (random() < 0.6 ? TYPES[0]! : pick(random, TYPES)!) : "";
  return {
    ...(type === "" ? {} : { "content-type": type }),
    ...(random() < evil ? { accept: "application/problem+json" } : {}),
    ...(random() < evil ? { "x-api-key": "no key at all" } : {}),
    ...(random() < evil ? { "x-request-id": "a request of the fuzzer" } : {}),
    ...(random() < evil ? { "if-none-match": "*" } : {}),
  };
}

const BROKEN = [
  "",
  "{",
  "[]",
  "null",
  "0",
  '"text"',
  '{"requests":',
  '{"__proto__":{"a":1}}',
  "\u0000",
  "[".repeat(5_000),
  '{"a":1e999}',
];

function bodyOf(random: Random, schema: Schema | undefined, known: Known, evil: number): string {
  if (schema === undefined || random() < evil) return pick(random, BROKEN)!;
  return JSON.stringify(jsonOf(random, { name: "", schema }, known, evil));
}

function jsonOf(
  random: Random,
  { name, schema }: { name: string; schema: Schema },
  known: Known,
  evil: number,
): unknown {
  if (random() < evil / 2)
    return pick(random, [null, 1, -1.5, true, {}, [], "", [[]], 2 ** 60, pick(random, HOSTILE)!]);
  if (schema.properties !== undefined) {
    const isGiven = (key: string) =>
      /Address|^amount$|^requests$/.test(key) ? random() >= evil / 2 : random() < 0.3;
    const entries = Object.entries(schema.properties).filter(([key]) => isGiven(key));
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, jsonOf(random, { name: key, schema: inner }, known, evil)]),
    );
  }
  if (schema.items !== undefined) {
    const count = Math.floor(random() * (random() < evil ? 70 : 4));
    return Array.from({ length: count }, () => jsonOf(random, { name, schema: schema.items! }, known, evil));
  }
  const text = textFor(random, { name, schema }, known, evil);
  if (schema.type === "integer" || schema.type === "number") return random() < 0.8 ? Number(text) : text;
  return schema.type === "boolean" ? text === "true" : text;
}
