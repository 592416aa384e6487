/** A field of a packed word: its first bit and its number of bits. */
export type Field = readonly [from: number, bits: number];

export function bitsOf(packed: bigint, [from, bits]: Field): bigint {
  return BigInt.asUintN(bits, packed >> BigInt(from));
}

/** The word with another value of a field. */
export function withBits(packed: bigint, [from, bits]: Field, value: bigint): bigint {
  const mask = ((1n << BigInt(bits)) - 1n) << BigInt(from);
  return (packed & ~mask) | (value << BigInt(from));
}

/** Bits of the exponent of a number that is stored as a mantissa and, below it, an exponent of 2. */
const EXPONENT_BITS = 8;

/** Such a number. @source Instadapp/fluid-contracts-public contracts/libraries/bigMathMinified.sol fromBigNumber */
export function bigNumberOf(packed: bigint, field: Field): bigint {
  const stored = bitsOf(packed, field);
  return (stored >> BigInt(EXPONENT_BITS)) << BigInt.asUintN(EXPONENT_BITS, stored);
}

/** A number as it is stored so in a field, rounded down. */
export function bigNumber(value: bigint, [, bits]: Field): bigint {
  const exponent = Math.max(0, value.toString(2).length - (bits - EXPONENT_BITS));
  return ((value >> BigInt(exponent)) << BigInt(EXPONENT_BITS)) | BigInt(exponent);
}

/** A word of some fields. */
export function packed(fields: readonly (readonly [Field, bigint])[]): bigint {
  return fields.reduce((word, [field, value]) => withBits(word, field, value), 0n);
}
