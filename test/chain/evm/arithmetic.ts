import { type Word, wordOf } from "./word.ts";

const MODULUS = 2n ** 256n;
const MASK = MODULUS - 1n;
const SIGN = 2n ** 255n;
const MOST = Number.MAX_SAFE_INTEGER;
/** Up to here JavaScript's operators on bits hold. */
const BITS = 0x7fffffff;

/** What two's complement says; a word that is a number is never negative. */
function signed(value: Word): bigint {
  const big = BigInt(value);
  return big >= SIGN ? big - MODULUS : big;
}

const wrapped = (value: bigint) => wordOf(value & MASK);
const areNumbers = (a: Word, b: Word): boolean => typeof a === "number" && typeof b === "number";

/** An opcode that makes one word of others; `a` is the top of the stack. */
export type Operation = (a: Word, b: Word, c: Word) => Word;

/** The opcodes 0x01 … 0x1d, and how many words each takes. */
export const ARITHMETIC: ReadonlyMap<number, readonly [inputs: number, run: Operation]> = new Map<
  number,
  readonly [number, Operation]
>([
  [0x01, [2, add]],
  [0x02, [2, multiply]],
  [0x03, [2, subtract]],
  [0x04, [2, divide]],
  [0x05, [2, (a, b) => (b === 0 ? 0 : wrapped(signed(a) / signed(b)))]],
  [0x06, [2, remainder]],
  [0x07, [2, (a, b) => (b === 0 ? 0 : wrapped(signed(a) % signed(b)))]],
  [0x08, [3, (a, b, by) => (by === 0 ? 0 : wordOf((BigInt(a) + BigInt(b)) % BigInt(by)))]],
  [0x09, [3, (a, b, by) => (by === 0 ? 0 : wordOf((BigInt(a) * BigInt(b)) % BigInt(by)))]],
  [0x0a, [2, power]],
  [0x0b, [2, extended]],
  [0x10, [2, (a, b) => (a < b ? 1 : 0)]],
  [0x11, [2, (a, b) => (a > b ? 1 : 0)]],
  [0x12, [2, (a, b) => ((areNumbers(a, b) ? a < b : signed(a) < signed(b)) ? 1 : 0)]],
  [0x13, [2, (a, b) => ((areNumbers(a, b) ? a > b : signed(a) > signed(b)) ? 1 : 0)]],
  [0x14, [2, (a, b) => (a === b ? 1 : 0)]],
  [0x15, [1, (a) => (a === 0 ? 1 : 0)]],
  [0x16, [2, and]],
  [0x17, [2, (a, b) => (areBits(a, b) ? Number(a) | Number(b) : wordOf(BigInt(a) | BigInt(b)))]],
  [0x18, [2, (a, b) => (areBits(a, b) ? Number(a) ^ Number(b) : wordOf(BigInt(a) ^ BigInt(b)))]],
  [0x19, [1, (a) => wordOf(BigInt(a) ^ MASK)]],
  [0x1a, [2, (a, b) => (a >= 32 ? 0 : Number((BigInt(b) >> (8n * (31n - BigInt(a)))) & 0xffn))]],
  [0x1b, [2, shiftLeft]],
  [0x1c, [2, shiftRight]],
  [0x1d, [2, (a, b) => wrapped(signed(b) >> (a >= 256 ? 255n : BigInt(a)))]],
]);

const areBits = (a: Word, b: Word): boolean => areNumbers(a, b) && a <= BITS && b <= BITS;

function add(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MOST) return sum;
  }
  return wrapped(BigInt(a) + BigInt(b));
}

function multiply(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= MOST) return product;
  }
  return wrapped(BigInt(a) * BigInt(b));
}

function subtract(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number" && a >= b) return a - b;
  return wrapped(BigInt(a) - BigInt(b));
}

function divide(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b;
  return wordOf(BigInt(a) / BigInt(b));
}

function remainder(a: Word, b: Word): Word {
  if (b === 0) return 0;
  if (typeof a === "number" && typeof b === "number") return a % b;
  return wordOf(BigInt(a) % BigInt(b));
}

function power(base: Word, exponent: Word): Word {
  let result = 1n;
  let square = BigInt(base);
  for (let left = BigInt(exponent); left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) & MASK;
    square = (square * square) & MASK;
  }
  return wordOf(result);
}

/** SIGNEXTEND: the sign of the byte at place `a` fills what is above it. */
function extended(a: Word, b: Word): Word {
  return a >= 31 ? b : wordOf(BigInt.asUintN(256, BigInt.asIntN(8 * (Number(a) + 1), BigInt(b))));
}

function and(a: Word, b: Word): Word {
  if (typeof a === "number" && typeof b === "number" && a <= BITS && b <= BITS) return a & b;
  return wordOf(BigInt(a) & BigInt(b));
}

function shiftLeft(by: Word, value: Word): Word {
  if (by >= 256) return 0;
  if (typeof by === "number" && typeof value === "number" && by < 53) {
    const shifted = value * 2 ** by;
    if (shifted <= MOST) return shifted;
  }
  return wrapped(BigInt(value) << BigInt(by));
}

function shiftRight(by: Word, value: Word): Word {
  if (by >= 256) return 0;
  if (typeof by === "number" && typeof value === "number") return Math.floor(value / 2 ** by);
  return wordOf(BigInt(value) >> BigInt(by));
}
