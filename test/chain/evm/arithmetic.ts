const MODULUS = 2n ** 256n;
const MASK = MODULUS - 1n;
const SIGN = 2n ** 255n;

const signed = (value: bigint) => (value >= SIGN ? value - MODULUS : value);
const truth = (is: boolean) => (is ? 1n : 0n);

/** The opcodes 0x01 … 0x1d on the values that `pop` gives, first the top of the stack. */
export function arithmetic(op: number, pop: () => bigint): bigint {
  const a = pop();
  if (op === 0x15) return truth(a === 0n);
  if (op === 0x19) return a ^ MASK;
  const b = pop();
  switch (op) {
    case 0x01:
      return (a + b) & MASK;
    case 0x02:
      return (a * b) & MASK;
    case 0x03:
      return (a - b) & MASK;
    case 0x04:
      return b === 0n ? 0n : a / b;
    case 0x05:
      return b === 0n ? 0n : (signed(a) / signed(b)) & MASK;
    case 0x06:
      return b === 0n ? 0n : a % b;
    case 0x07:
      return b === 0n ? 0n : (signed(a) % signed(b)) & MASK;
    case 0x08:
      return modulo(a + b, pop());
    case 0x09:
      return modulo(a * b, pop());
    case 0x0a:
      return power(a, b);
    case 0x0b:
      return a >= 31n ? b : BigInt.asUintN(256, BigInt.asIntN(8 * (Number(a) + 1), b));
    case 0x10:
      return truth(a < b);
    case 0x11:
      return truth(a > b);
    case 0x12:
      return truth(signed(a) < signed(b));
    case 0x13:
      return truth(signed(a) > signed(b));
    case 0x14:
      return truth(a === b);
    case 0x16:
      return a & b;
    case 0x17:
      return a | b;
    case 0x18:
      return a ^ b;
    case 0x1a:
      return a >= 32n ? 0n : (b >> (8n * (31n - a))) & 0xffn;
    case 0x1b:
      return a >= 256n ? 0n : (b << a) & MASK;
    case 0x1c:
      return a >= 256n ? 0n : b >> a;
    case 0x1d:
      return (signed(b) >> (a >= 256n ? 255n : a)) & MASK;
    default:
      throw new Error(`no opcode ${op.toString(16)}`);
  }
}

function modulo(value: bigint, by: bigint): bigint {
  return by === 0n ? 0n : value % by;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) & MASK;
    square = (square * square) & MASK;
  }
  return result;
}
