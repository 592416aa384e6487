import type { Address, Hex } from "./types.ts";

/** Hand-written readers of ABI words: hot logs are decoded some fifty times faster than by a general decoder. */

const WORD = 64;
const SIGN = 1n << 255n;
const MODULUS = 1n << 256n;

/** Whether `data` carries at least `count` 32-byte words; false for "0x", the answer of a call that reverted. */
export function hasWords(data: Hex, count: number): boolean {
  return data.length >= 2 + count * WORD;
}

/**
 * @param index position of the 32-byte word, from 0
 * @returns the word as an unsigned integer
 * @throws SyntaxError where the data ends before the word
 */
export function uintAt(data: Hex, index: number): bigint {
  return BigInt(`0x${data.slice(2 + index * WORD, 2 + (index + 1) * WORD)}`);
}

/** The word as a two's complement integer of any width up to 256 bits. @throws SyntaxError as `uintAt` */
export function intAt(data: Hex, index: number): bigint {
  const value = uintAt(data, index);
  return value >= SIGN ? value - MODULUS : value;
}

/** The low 20 bytes of a word, in lower case. */
export function addressAt(data: Hex, index: number): Address {
  return `0x${data.slice(2 + index * WORD + 24, 2 + (index + 1) * WORD).toLowerCase()}`;
}

/** Places of the words of the array that argument `head` of a log or answer points to; empty where the data is cut short. */
export function wordsAt(data: Hex, head: number): readonly number[] {
  if (!hasWords(data, head + 1)) return [];
  const start = Number(uintAt(data, head)) / 32;
  if (!Number.isSafeInteger(start) || !hasWords(data, start + 1)) return [];
  const count = Number(uintAt(data, start));
  if (!hasWords(data, start + 1 + count)) return [];
  return Array.from({ length: count }, (_, k) => start + 1 + k);
}

/** An integer as 64 hex digits, negative ones in two's complement, without the 0x prefix. */
export function word(value: bigint | number): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(WORD, "0");
}

/** Calldata of a function whose arguments are all static one-word values. */
export function callData(selector: Hex, ...values: readonly (bigint | number)[]): Hex {
  return `0x${selector.slice(2)}${values.map(word).join("")}`;
}

/** The low `bytes` bytes of an integer ≥ 0 as a packed hex string with the 0x prefix. */
export function packedUint(value: bigint | number, bytes: number): Hex {
  return `0x${BigInt(value)
    .toString(16)
    .padStart(bytes * 2, "0")}`;
}
