import type { Address, Hex } from "../../../src/core/types.ts";
import { keccak, keccakHex } from "../../../src/edge/node/sealed/keccak.ts";

/** Deterministic numbers from integers, and the hashes that addresses are made of. */

/** A 32-bit number that looks random, the same for the same arguments in every run. */
export function mix(seed: number, ...values: readonly number[]): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (const value of values) {
    h = Math.imul(h ^ value, 0xcc9e2d51);
    h = ((h << 15) | (h >>> 17)) + 0x7ed55d16;
    h = Math.imul(h ^ (h >>> 13), 0x1b873593);
  }
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** As `mix`, in 0 … 1, the 1 not included. */
export function unit(seed: number, ...values: readonly number[]): number {
  return mix(seed, ...values) / 2 ** 32;
}

export function bytesOf(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}

export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** Keccak-256 of bytes that are given as hex digits. */
export function keccakOf(hex: Hex): Hex {
  return keccakHex(bytesOf(hex));
}

/** Writes into `packed` what CREATE2 hashes; only the salt differs from one address of a factory to the next. */
export function create2Frame(deployer: Address, initCodeHash: Hex): Uint8Array {
  const frame = new Uint8Array(85);
  frame[0] = 0xff;
  frame.set(bytesOf(deployer), 1);
  frame.set(bytesOf(initCodeHash), 53);
  return frame;
}

/** The CREATE2 address of `salt`. @param frame of `create2Frame`, overwritten */
export function create2(frame: Uint8Array, salt: Uint8Array): Uint8Array {
  frame.set(salt, 21);
  return keccak(frame).subarray(12);
}

/** A number as 64 hex digits, two's complement, without the prefix. */
export function word(value: bigint | number): string {
  const big = typeof value === "bigint" ? value : BigInt(value);
  return (big < 0n ? big + 2n ** 256n : big).toString(16).padStart(64, "0");
}

/** Words as the answer of a call. */
export function words(...values: readonly (bigint | number | Hex)[]): Hex {
  return `0x${values.map((value) => (typeof value === "string" ? value.slice(2).padStart(64, "0") : word(value))).join("")}`;
}

export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** A text as the ABI encodes a single string. */
export function abiText(text: string): Hex {
  const bytes = Buffer.from(text, "utf8");
  const padded = bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
  return `0x${word(32)}${word(bytes.length)}${padded}`;
}
