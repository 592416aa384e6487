import { keccak } from "../../../src/edge/node/sealed/keccak.ts";
import { call, codeSize, create, type Places } from "./calls.ts";
import { charge, fail, touch, words } from "./gas.ts";
import { NOTHING, type Run } from "./machine.ts";
import { readWord, type Word, wordOf } from "./word.ts";

/** An instruction that is neither arithmetic nor of the stack, nor a jump: it takes the words that it pops, first the top. */
type Instruction<R> = readonly [inputs: number, run: (run: Run, ...words: never[]) => R];

/** CALL takes an amount before the places. */
type Paying = readonly [amount: Word, ...Places];

/** Those that push a word. */
export const VALUES: ReadonlyMap<number, Instruction<Word>> = new Map<number, Instruction<Word>>([
  [0x20, [2, hashed]],
  [0x30, [0, ({ frame }) => wordOf(BigInt(frame.address))]],
  [0x31, [1, () => 0]],
  [0x32, [0, ({ frame }) => wordOf(BigInt(frame.caller))]],
  [0x33, [0, ({ frame }) => wordOf(BigInt(frame.caller))]],
  [0x34, [0, () => 0]],
  [0x35, [1, inputAt]],
  [0x36, [0, ({ data }) => data.byteLength]],
  [0x38, [0, ({ frame }) => frame.code.length]],
  [0x3a, [0, () => 0]],
  [0x3b, [1, codeSize]],
  [0x3d, [0, ({ returned }) => returned.length]],
  [0x42, [0, ({ machine }) => machine.timestamp]],
  [0x43, [0, ({ machine }) => machine.number]],
  [0x44, [0, () => 0]],
  [0x45, [0, ({ machine }) => machine.gasLimit]],
  [0x46, [0, ({ machine }) => machine.chainId]],
  [0x47, [0, () => 0]],
  [0x48, [0, () => 0]],
  [0x51, [1, (run, offset: Word) => run.memory.load(touch(run, offset, 32))]],
  [0x54, [1, coldSlot]],
  [0x59, [0, ({ memory }) => memory.size()]],
  [0x5a, [0, ({ gas }) => gas]],
  [0xf0, [3, (run, _value: Word, offset: Word, size: Word) => create(run, offset, size)]],
  [0xf1, [7, (run, gas: Word, to: Word, ...[, ...places]: Paying) => call(run, gas, to, places)]],
  [0xfa, [6, (run, gas: Word, to: Word, ...places: Places) => call(run, gas, to, places)]],
]);

/** Those that push nothing. */
export const EFFECTS: ReadonlyMap<number, Instruction<void>> = new Map<number, Instruction<void>>([
  [0x37, [3, (run, ...places: Copied) => copy(run, run.frame.data, places)]],
  [0x39, [3, (run, ...places: Copied) => copy(run, run.frame.code, places)]],
  [0x3e, [3, copyReturned]],
  [0x52, [2, (run, offset: Word, word: Word) => run.memory.store(touch(run, offset, 32), word)]],
  [0x53, [2, storeByte]],
  [0x5e, [3, move]],
]);

/** Those with which the code ends. */
export const ENDS: ReadonlyMap<number, Instruction<void>> = new Map<number, Instruction<void>>([
  [0x00, [0, () => undefined]],
  [0xf3, [2, (run, offset: Word, size: Word) => end(run, true, [offset, size])]],
  [0xfd, [2, (run, offset: Word, size: Word) => end(run, false, [offset, size])]],
]);

/** Instructions that see the gas that is left, or let others run with it. */
export const SEES_GAS: ReadonlySet<number> = new Set([0x5a, 0xf0, 0xf1, 0xfa]);

function hashed(run: Run, offset: Word, size: Word): Word {
  const at = touch(run, offset, size);
  charge(run, 6 * words(size));
  const hash = keccak(run.memory.slice(at, Number(size)));
  return readWord(new DataView(hash.buffer, hash.byteOffset, hash.length), 0);
}

/** A word of the call's data, zeros beyond its end. */
function inputAt({ data, frame }: Run, at: Word): Word {
  if (at <= data.byteLength - 32) return readWord(data, at as number);
  const rest = new Uint8Array(32);
  if (at < data.byteLength) rest.set(frame.data.subarray(at as number));
  return readWord(new DataView(rest.buffer), 0);
}

/** Nobody has a storage of its own here. */
function coldSlot(run: Run): Word {
  charge(run, 2000);
  return 0;
}

type Copied = readonly [to: Word, from: Word, size: Word];

function copy(run: Run, source: Uint8Array, [to, from, size]: Copied): void {
  charge(run, 3 * words(size));
  if (size === 0) return;
  const at = touch(run, to, size);
  const part = new Uint8Array(Number(size));
  if (from < source.length) part.set(source.subarray(Number(from), Number(from) + Number(size)));
  run.memory.write(at, part);
}

function copyReturned(run: Run, ...places: Copied): void {
  const [, from, size] = places;
  if (BigInt(from) + BigInt(size) > run.returned.length) fail();
  copy(run, run.returned, places);
}

function storeByte(run: Run, offset: Word, word: Word): void {
  run.memory.store8(touch(run, offset, 1), Number(BigInt(word) & 0xffn));
}

function move(run: Run, ...[to, from, size]: Copied): void {
  charge(run, 3 * words(size));
  touch(run, to > from ? to : from, size);
  run.memory.write(Number(to), run.memory.slice(Number(from), Number(size)));
}

function end(run: Run, ok: boolean, [offset, size]: readonly [Word, Word]): void {
  const at = touch(run, offset, size);
  run.ended = { ok, data: size === 0 ? NOTHING : run.memory.slice(at, Number(size)) };
}
