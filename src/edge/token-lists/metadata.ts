import type { Address, Call, Hex } from "../../core/types.ts";
import { DECIMALS } from "../node/reads.ts";

/** A token's metadata, as its contract gives it. */
export type Metadata = {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
};

const NAME: Hex = "0x06fdde03";
const SYMBOL: Hex = "0x95d89b41";

/** Number of calls that `metadataCalls` makes for each token. */
export const CALLS_PER_TOKEN = 3;

/** Characters. */
export const MAX_NAME = 64;
export const MAX_SYMBOL = 32;
/** 10^77 is the largest power of ten that a word holds. */
const MAX_DECIMALS = 77;

export function metadataCalls(token: Address): Call[] {
  return [NAME, SYMBOL, DECIMALS].map((data) => ({ to: token, data }));
}

/**
 * Metadata from the answers of `metadataCalls`. A missing symbol is replaced by a short form of the address, and a
 * missing name by the symbol.
 *
 * @returns undefined where the contract gives no usable decimals: it counts as no token
 */
export function readMetadata(address: Address, answers: readonly Hex[]): Metadata | undefined {
  const [name, symbol, decimals] = answers as [Hex, Hex, Hex];
  const places = readDecimals(decimals);
  if (places === undefined) return undefined;
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`;
  const readSymbol = cleanText(readText(symbol), MAX_SYMBOL) || short;
  return {
    address,
    symbol: readSymbol,
    name: cleanText(readText(name), MAX_NAME) || readSymbol,
    decimals: places,
  };
}

function readDecimals(answer: Hex): number | undefined {
  if (answer.length !== 66) return undefined;
  const value = BigInt(answer);
  return value <= MAX_DECIMALS ? Number(value) : undefined;
}

/** Decodes a string of the ABI, or the bytes32 that old tokens return; "" where it is neither. */
function readText(answer: Hex): string {
  const bytes = Buffer.from(answer.slice(2), "hex");
  if (bytes.length === 32) return bytes.subarray(0, endOf(bytes)).toString("utf8");
  if (bytes.length < 64) return "";
  const offset = smallWord(bytes, 0);
  const length = offset === undefined ? undefined : smallWord(bytes, offset);
  if (offset === undefined || length === undefined) return "";
  return bytes.subarray(offset + 32, offset + 32 + length).toString("utf8");
}

function endOf(bytes: Buffer): number {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes.length : zero;
}

function smallWord(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length || bytes.subarray(at, at + 28).some((byte) => byte !== 0)) return undefined;
  return bytes.readUInt32BE(at + 28);
}

/**
 * Control, format (such as those that change the writing direction), private and unassigned characters, and invalid
 * bytes.
 */
const UNSAFE = /[\p{C}\uFFFD\u2028\u2029]/gu;

/**
 * Makes an untrusted text fit to be shown: without invisible characters, with single spaces, at most `max` characters.
 */
export function cleanText(text: string, max: number): string {
  const visible = text
    .slice(0, 8 * max)
    .replace(UNSAFE, "")
    .replace(/\s+/g, " ")
    .trim();
  return [...visible].slice(0, max).join("").trim();
}
