import { parseAddress } from "../../core/tokens.ts";
import type { Address } from "../../core/types.ts";

/** Normalises an address to lower case. @param text an address that the schema has validated */
export function lower(text: string): Address {
  return parseAddress(text)!;
}

export function flag(text: string | undefined, fallback: boolean): boolean {
  return text === undefined ? fallback : text.toLowerCase() === "true";
}

export function wei(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text);
}

export function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}
