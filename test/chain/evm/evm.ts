import type { Hex } from "../../../src/core/types.ts";
import { keccakHex } from "../../../src/edge/node/sealed/keccak.ts";
import { bytesOf, hexOf } from "../model/hash.ts";
import { arithmetic } from "./arithmetic.ts";
import { createMemory, type Memory } from "./memory.ts";
import { programOf, pushedAt } from "./program.ts";

/**
 * As much of the EVM as a contract needs that reads others: no storage of its own, no logs, no creation. Gas is counted by
 * the rules of Ethereum since Shanghai, so that code that looks at `gasleft()` does here what it does there.
 *
 * @source Ethereum yellow paper, appendix H; EIP-150, EIP-2929, EIP-3855, EIP-5656
 */
export type Machine = {
  readonly number: number;
  readonly timestamp: number;
  readonly chainId: number;
  readonly gasLimit: number;
  /** Code by address, where there is any that this machine runs. */
  codeOf(address: Hex): Uint8Array | undefined;
  /** What a contract of the model answers; undefined: the address has no code. */
  answer(to: Hex, data: Hex): ModelAnswer | undefined;
  /** Code that was created in this transaction. */
  readonly created: Map<Hex, Uint8Array>;
  /** Addresses and reads that this transaction has paid the price of the first time for. */
  readonly touched: Set<string>;
};

export type ModelAnswer = {
  readonly ok: boolean;
  readonly data: Hex;
  /** Gas that the callee uses when nothing of it was read in this transaction. */
  readonly gas: number;
  /** What of it is not charged again for the same call. */
  readonly cold: number;
  /** What of it is charged once for all calls with this name. */
  readonly once?: readonly [name: string, gas: number];
};

export type Outcome = { readonly ok: boolean; readonly data: Uint8Array; readonly gasLeft: number };

export type Frame = {
  readonly code: Uint8Array;
  readonly address: Hex;
  readonly caller: Hex;
  readonly data: Uint8Array;
  readonly gas: number;
};

const MASK = 2n ** 256n - 1n;
const NOTHING = new Uint8Array(0);

type Run = {
  readonly machine: Machine;
  readonly frame: Frame;
  readonly stack: bigint[];
  readonly memory: Memory;
  gas: number;
  returned: Uint8Array;
};

class OutOfGas extends Error {}

export function execute(machine: Machine, frame: Frame): Outcome {
  const run: Run = { machine, frame, stack: [], memory: createMemory(), gas: frame.gas, returned: NOTHING };
  try {
    return { ...loop(run), gasLeft: run.gas };
  } catch (error) {
    if (!(error instanceof OutOfGas)) throw error;
    return { ok: false, data: NOTHING, gasLeft: 0 };
  }
}

function charge(run: Run, gas: number): void {
  run.gas -= gas;
  if (run.gas < 0) throw new OutOfGas();
}

function touch(run: Run, offset: bigint, size: bigint): number {
  if (size === 0n) return 0;
  if (offset > 0xffffffffn || size > 0xffffffffn) throw new OutOfGas();
  charge(run, run.memory.grow(Number(offset), Number(size)));
  return Number(offset);
}

/** Static prices by opcode; what is absent here costs what its case below says. */
const PRICE = prices();

function prices(): Uint8Array {
  const table = new Uint8Array(256).fill(3);
  for (const op of [0x02, 0x04, 0x05, 0x06, 0x07, 0x0b, 0x47]) table[op] = 5;
  for (const op of [0x08, 0x09, 0x56]) table[op] = 8;
  for (const op of [0x57, 0x0a]) table[op] = 10;
  for (const op of [
    0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x50, 0x58,
    0x59, 0x5a, 0x5f,
  ]) {
    table[op] = 2;
  }
  for (const op of [0x00, 0xf3, 0xfd]) table[op] = 0;
  for (const op of [0x31, 0x3b, 0x3c, 0x3f, 0xf1, 0xf2, 0xf4, 0xfa]) table[op] = 100;
  table[0x20] = 30;
  table[0x40] = 20;
  table[0x54] = 100;
  table[0x5b] = 1;
  return table;
}

function loop(run: Run): Omit<Outcome, "gasLeft"> {
  const { code } = run.frame;
  const { stack, memory } = run;
  const program = programOf(code);
  const pop = () => {
    const value = stack.pop();
    if (value === undefined) throw new OutOfGas();
    return value;
  };
  for (let pc = 0; ; pc++) {
    const op = code[pc] ?? 0;
    charge(run, PRICE[op] as number);
    if (op >= 0x5f && op <= 0x7f) {
      const size = op - 0x5f;
      stack.push(pushedAt(program, code, pc, size));
      pc += size;
    } else if (op >= 0x80 && op <= 0x8f) {
      const value = stack[stack.length - (op - 0x7f)];
      if (value === undefined) throw new OutOfGas();
      stack.push(value);
    } else if (op >= 0x90 && op <= 0x9f) {
      const at = stack.length - (op - 0x8e);
      const top = stack.length - 1;
      const held = stack[at];
      if (held === undefined) throw new OutOfGas();
      stack[at] = stack[top] as bigint;
      stack[top] = held;
    } else if (op >= 0x01 && op <= 0x1d && (op < 0x0c || op > 0x0f)) {
      if (op === 0x0a) charge(run, 50 * Math.ceil(stack[stack.length - 2]!.toString(2).length / 8));
      stack.push(arithmetic(op, pop));
    } else if (op === 0x56 || op === 0x57) {
      const to = Number(pop());
      if (op === 0x57 && pop() === 0n) continue;
      if (program.isJump[to] !== 1) throw new OutOfGas();
      pc = to - 1;
    } else if (op === 0x00) return { ok: true, data: NOTHING };
    else if (op === 0xf3 || op === 0xfd) {
      const [offset, size] = [pop(), pop()];
      const at = touch(run, offset, size);
      return { ok: op === 0xf3, data: memory.slice(at, Number(size)) };
    } else if (op === 0x58) stack.push(BigInt(pc));
    else if (op !== 0x5b) {
      const value = step(run, op, pop);
      if (value !== undefined) stack.push(value);
    }
  }
}

type Pop = () => bigint;

/** Everything but control flow, stack and arithmetic. @returns what it pushes */
function step(run: Run, op: number, pop: Pop): bigint | undefined {
  const { memory, frame, machine } = run;
  switch (op) {
    case 0x20: {
      const [offset, size] = [pop(), pop()];
      const at = touch(run, offset, size);
      charge(run, 6 * words(size));
      return BigInt(keccakHex(memory.slice(at, Number(size))));
    }
    case 0x30:
      return BigInt(frame.address);
    case 0x32:
    case 0x33:
      return BigInt(frame.caller);
    case 0x35: {
      const at = pop();
      return at > 0xffffffffn ? 0n : wordAt(frame.data, Number(at));
    }
    case 0x36:
      return BigInt(frame.data.length);
    case 0x37:
      copy(run, frame.data, pop);
      return undefined;
    case 0x38:
      return BigInt(frame.code.length);
    case 0x39:
      copy(run, frame.code, pop);
      return undefined;
    case 0x3b:
      return codeSize(run, addressOf(pop()));
    case 0x3d:
      return BigInt(run.returned.length);
    case 0x3e: {
      const [to, from, size] = [pop(), pop(), pop()];
      if (from + size > BigInt(run.returned.length)) throw new OutOfGas();
      copyTo(run, run.returned, [to, from, size]);
      return undefined;
    }
    case 0x42:
      return BigInt(machine.timestamp);
    case 0x43:
      return BigInt(machine.number);
    case 0x45:
      return BigInt(machine.gasLimit);
    case 0x46:
      return BigInt(machine.chainId);
    case 0x31:
    case 0x34:
    case 0x3a:
    case 0x44:
    case 0x47:
    case 0x48:
      if (op === 0x31) pop();
      return 0n;
    case 0x50:
      pop();
      return undefined;
    case 0x51:
      return memory.load(touch(run, pop(), 32n));
    case 0x52: {
      const offset = pop();
      memory.store(touch(run, offset, 32n), pop());
      return undefined;
    }
    case 0x53: {
      const offset = pop();
      memory.store8(touch(run, offset, 1n), Number(pop() & 0xffn));
      return undefined;
    }
    case 0x54:
      charge(run, 2000);
      pop();
      return 0n;
    case 0x59:
      return BigInt(memory.size());
    case 0x5a:
      return BigInt(run.gas);
    case 0x5e: {
      const [to, from, size] = [pop(), pop(), pop()];
      charge(run, 3 * words(size));
      touch(run, to > from ? to : from, size);
      memory.write(Number(to), memory.slice(Number(from), Number(size)));
      return undefined;
    }
    case 0xf0:
      return create(run, pop);
    case 0xf1:
    case 0xfa:
      call(run, op === 0xf1, pop);
      return undefined;
    default:
      // An opcode that this machine does not have is an invalid one.
      throw new OutOfGas();
  }
}

function copy(run: Run, from: Uint8Array, pop: Pop): void {
  copyTo(run, from, [pop(), pop(), pop()]);
}

function copyTo(run: Run, source: Uint8Array, [to, from, size]: readonly [bigint, bigint, bigint]): void {
  charge(run, 3 * words(size));
  if (size === 0n) return;
  const at = touch(run, to, size);
  const part = new Uint8Array(Number(size));
  if (from < BigInt(source.length)) part.set(source.subarray(Number(from), Number(from + size)));
  run.memory.write(at, part);
}

function words(size: bigint): number {
  return Math.ceil(Number(size) / 32);
}

function addressOf(value: bigint): Hex {
  return `0x${(value & (2n ** 160n - 1n)).toString(16).padStart(40, "0")}`;
}

function chargeAccount(run: Run, address: Hex): void {
  if (run.machine.touched.has(address)) return;
  run.machine.touched.add(address);
  charge(run, 2500);
}

/** The most bytes of init code. @source EIP-3860 */
export const MAX_INIT_CODE = 49_152;

/** Creates a contract at an address that nobody has; the limit on the size of its code is Ethereum's. @source EIP-170 */
function create(run: Run, pop: Pop): bigint {
  pop();
  const [offset, size] = [pop(), pop()];
  const at = touch(run, offset, size);
  charge(run, 31_997 + 2 * words(size));
  if (size > BigInt(MAX_INIT_CODE)) throw new OutOfGas();
  const { machine, frame } = run;
  const address: Hex = `0x${"cc".repeat(18)}${machine.created.size.toString(16).padStart(4, "0")}`;
  const gas = run.gas - Math.floor(run.gas / 64);
  const code = run.memory.slice(at, Number(size));
  const done = execute(machine, { code, address, caller: frame.address, data: NOTHING, gas });
  charge(run, gas - done.gasLeft);
  run.returned = done.ok ? NOTHING : done.data;
  if (!done.ok || done.data.length > 24_576) return 0n;
  charge(run, 200 * done.data.length);
  machine.created.set(address, done.data);
  machine.touched.add(address);
  return BigInt(address);
}

function codeAt(machine: Machine, address: Hex): Uint8Array | undefined {
  return machine.created.get(address) ?? machine.codeOf(address);
}

function codeSize(run: Run, address: Hex): bigint {
  chargeAccount(run, address);
  const code = codeAt(run.machine, address);
  if (code !== undefined) return BigInt(code.length);
  return run.machine.answer(address, "0x") === undefined ? 0n : 1n;
}

function call(run: Run, hasValue: boolean, pop: Pop): void {
  const [wanted, target] = [pop(), pop()];
  if (hasValue) pop();
  const [inAt, inSize, outAt, outSize] = [pop(), pop(), pop(), pop()];
  const from = touch(run, inAt, inSize);
  touch(run, outAt, outSize);
  const address = addressOf(target);
  const isPrecompile = target > 0n && target < 18n;
  if (!isPrecompile) chargeAccount(run, address);
  const most = run.gas - Math.floor(run.gas / 64);
  const gas = wanted > BigInt(most) ? most : Number(wanted);
  const done = callee(run, address, { data: run.memory.slice(from, Number(inSize)), gas });
  charge(run, gas - done.gasLeft);
  run.returned = done.data;
  const kept = Math.min(done.data.length, Number(outSize));
  if (kept > 0) run.memory.write(Number(outAt), done.data.subarray(0, kept));
  run.stack.push(done.ok ? 1n : 0n);
}

function callee(run: Run, address: Hex, { data, gas }: { data: Uint8Array; gas: number }): Outcome {
  const { machine, frame } = run;
  const code = codeAt(machine, address);
  if (code !== undefined) return execute(machine, { code, address, caller: frame.address, data, gas });
  const input = hexOf(data);
  const answer = machine.answer(address, input);
  if (answer === undefined) return { ok: true, data: NOTHING, gasLeft: gas };
  const key = address + input;
  const price = answer.gas - paidBefore(machine, key, answer);
  if (price > gas) return { ok: false, data: NOTHING, gasLeft: 0 };
  return { ok: answer.ok, data: bytesOf(answer.data), gasLeft: gas - price };
}

/** Gas of the answer that an earlier call of the transaction has paid. */
function paidBefore({ touched }: Machine, key: string, { cold, once }: ModelAnswer): number {
  const isRepeated = touched.has(key);
  touched.add(key);
  const isShared = once !== undefined && touched.has(once[0]);
  if (once !== undefined) touched.add(once[0]);
  return isRepeated ? cold : isShared ? once[1] : 0;
}

function wordAt(bytes: Uint8Array, at: number): bigint {
  let value = 0n;
  for (let k = 0; k < 32; k += 4) {
    const part =
      ((bytes[at + k] ?? 0) << 24) |
      ((bytes[at + k + 1] ?? 0) << 16) |
      ((bytes[at + k + 2] ?? 0) << 8) |
      (bytes[at + k + 3] ?? 0);
    value = (value << 32n) | BigInt(part >>> 0);
  }
  return value & MASK;
}
