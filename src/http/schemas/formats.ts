import { impactPpm, slippagePpm } from "../../core/shares/slippage.ts";
import { isNative, MAX_UINT256, parseAddress, ZERO_ADDRESS } from "../../core/tokens.ts";

/** A format of a text parameter, with the error message for values that do not have it. */
type Format = {
  readonly pattern: string;
  /** Checks beyond the pattern; called only for texts that match it. */
  readonly within: (text: string) => boolean;
  /** The error message, to follow the field's name. */
  readonly must: string;
  /** The schema in the OpenAPI document, where it is more specific than a string. */
  readonly shown?: Readonly<Record<string, unknown>>;
};

const ADDRESS = "^0[xX][0-9a-fA-F]{40}$";
const DIGITS = "^[0-9]{1,78}$";
const MAX_PERMILLE = 500;
/** Unix time in seconds; the router contract stores the deadline in 40 bits. */
const MAX_DEADLINE = 2 ** 40 - 1;

const isUint256 = (text: string): boolean => BigInt(text) <= MAX_UINT256;
const always = (): boolean => true;

/** Refuses the zero address and the placeholder of the native coin: tokens sent to them would be lost. */
function isAccount(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && address !== ZERO_ADDRESS && !isNative(address);
}

/**
 * All formats of path and query parameters. Amounts are decimal text, because a JSON number is parsed as a double and
 * loses precision above 2^53.
 */
export const formats = {
  amount: {
    pattern: DIGITS,
    within: (text) => isUint256(text) && BigInt(text) > 0n,
    must: "must be a whole decimal number of the token's smallest units, 1 to 2^256 - 1",
  },
  allowance: {
    pattern: DIGITS,
    within: isUint256,
    must: "must be a whole decimal number of the token's smallest units, 0 to 2^256 - 1",
  },
  wei: {
    pattern: DIGITS,
    within: (text) => isUint256(text) && BigInt(text) > 0n,
    must: "must be a positive whole number of WEI (1 GWEI = 1000000000 WEI)",
  },
  address: { pattern: ADDRESS, within: always, must: "must be an address: 0x and 40 hex digits" },
  account: {
    pattern: ADDRESS,
    within: isAccount,
    must: "must be an address, 0x and 40 hex digits, other than the zero address and 0xeee…, which is the native coin",
  },
  hash: {
    pattern: "^0[xX][0-9a-fA-F]{64}$",
    within: always,
    must: "must be a transaction hash: 0x and 64 hex digits",
  },
  "quote-id": {
    pattern: "^[0-9a-fA-F]{32}$",
    within: always,
    must: "must be the quote_id of an answer: 32 hex digits",
  },
  slippage: {
    pattern: "^[0-9]+(\\.[0-9]+)?$",
    within: (text) => slippagePpm(text) !== undefined,
    must: "must be a number from 1 to 500 (10 = 1 %)",
    shown: { type: "number", minimum: 1, maximum: 500 },
  },
  impact: {
    pattern: "^[0-9]+(\\.[0-9]+)?$",
    within: (text) => impactPpm(text) !== undefined,
    must: "must be a number from 0 to 1000 (10 = 1 %)",
    shown: { type: "number", minimum: 0, maximum: 1000 },
  },
  permille: {
    pattern: "^[0-9]{1,4}$",
    within: (text) => Number(text) <= MAX_PERMILLE,
    must: "must be a whole number from 0 to 500 (10 = 1 %)",
    shown: { type: "integer", minimum: 0, maximum: MAX_PERMILLE },
  },
  side: {
    pattern: "^([sS][eE][lL][lL]|[bB][uU][yY])$",
    within: always,
    must: "must be SELL (amount is sold) or BUY (amount is bought)",
    shown: { type: "string", enum: ["SELL", "BUY"], default: "SELL" },
  },
  flag: {
    pattern: "^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE])$",
    within: always,
    must: "must be true or false",
    shown: { type: "boolean" },
  },
  uint256: {
    pattern: DIGITS,
    within: isUint256,
    must: "must be a whole decimal number, 0 to 2^256 - 1",
  },
  signature: {
    pattern: "^0[xX][0-9a-fA-F]{130}$",
    within: always,
    must: "must be a signature: 0x and 130 hex digits (r, s, v)",
  },
  "permit-kind": {
    pattern: "^(eip2612|dai|permit2)$",
    within: always,
    must: "must be eip2612, dai or permit2, as the quote's permit says",
    shown: { type: "string", enum: ["eip2612", "dai", "permit2"] },
  },
  "chain-id": {
    pattern: "^[0-9]{1,15}$",
    within: always,
    must: "must be the whole number of a chain",
    shown: { type: "integer", minimum: 0 },
  },
  block: {
    pattern: "^[0-9]{1,15}$",
    within: always,
    must: "must be a block number",
    shown: { type: "integer", minimum: 0 },
  },
  deadline: {
    pattern: "^[0-9]{1,13}$",
    within: (text) => Number(text) <= MAX_DEADLINE,
    must: "must be a Unix time in whole seconds",
    shown: { type: "integer", minimum: 0, maximum: MAX_DEADLINE },
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

const compiled = new Map<string, RegExp>(
  Object.entries(formats).map(([name, format]) => [name, new RegExp(format.pattern)]),
);

/** The error message for a text, to follow the field's name; undefined where the text has the format. */
export function fault(name: FormatName, text: string): string | undefined {
  const { within, must } = formats[name];
  return compiled.get(name)!.test(text) && within(text) ? undefined : must;
}
