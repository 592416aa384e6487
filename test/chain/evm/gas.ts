import { OutOfGas, type Run } from "./machine.ts";
import type { Word } from "./word.ts";

/** Static prices by opcode; what else an instruction costs, its function charges. */
export const PRICE = prices();

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

export function fail(): never {
  throw new OutOfGas();
}

export function charge(run: Run, gas: number): void {
  run.gas -= gas;
  if (run.gas < 0) fail();
}

/** Makes room in the memory. @returns the offset, 0 where nothing is to be read or written */
export function touch(run: Run, offset: Word, size: Word): number {
  if (size === 0) return 0;
  if (offset > 0xffffffff || size > 0xffffffff) fail();
  const more = run.memory.grow(offset as number, size as number);
  if (more > 0) charge(run, more);
  return offset as number;
}

/** For a price by the word of 32 bytes. */
export function words(size: Word): number {
  return Math.ceil(Number(size) / 32);
}

/** What EXP costs beside its static price. */
export function chargePower(run: Run, exponent: Word): void {
  if (exponent !== 0) charge(run, 50 * Math.ceil(exponent.toString(16).length / 2));
}
