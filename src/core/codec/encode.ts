import { CODEC_VERSION, MAX_DEPTH, TAG } from "./format.ts";

/** `bytes[0…at]` has been written; `path` locates the value being written. */
type Writer = { bytes: Uint8Array; view: DataView; at: number; readonly path: (string | number)[] };
const encoder = new TextEncoder();

/**
 * @param value null, booleans, numbers, bigints, strings, and arrays and records of these
 * @throws TypeError for anything else (undefined, functions, Map, Date, class instances, holes), naming where it is
 * @throws RangeError when nested deeper than `MAX_DEPTH`
 */
export function encodePlain(value: unknown): Uint8Array {
  const writer = spare ?? emptyWriter();
  spare = undefined;
  putByte(writer, CODEC_VERSION);
  put(writer, value);
  const encoded = writer.bytes.slice(0, writer.at);
  if (writer.bytes.length <= MOST_SPARE_BYTES) {
    writer.at = 0;
    spare = writer;
  }
  return encoded;
}

/**
 * A writer that is reused between calls, since creating one takes as long as encoding a small state. It is undefined
 * during a call, and after a call that threw.
 */
let spare: Writer | undefined;
const MOST_SPARE_BYTES = 2 ** 16;

function emptyWriter(): Writer {
  const bytes = new Uint8Array(512);
  return { bytes, view: new DataView(bytes.buffer), at: 0, path: [] };
}

function put(writer: Writer, value: unknown): void {
  if (value === null) putByte(writer, TAG.null);
  else if (typeof value === "boolean") putByte(writer, value ? TAG.true : TAG.false);
  else if (typeof value === "number") putNumber(writer, value);
  else if (typeof value === "bigint") putBigint(writer, value);
  else if (typeof value === "string") putString(writer, value);
  else if (Array.isArray(value)) putArray(writer, value);
  else if (typeof value === "object") putRecord(writer, value);
  else throw notPlain(writer, typeof value);
}

function putArray(writer: Writer, values: readonly unknown[]): void {
  putByte(writer, TAG.array);
  putVarint(writer, values.length);
  for (let k = 0; k < values.length; k++) putNested(writer, k, values[k]);
}

function putRecord(writer: Writer, record: object): void {
  const prototype = Object.getPrototypeOf(record);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw notPlain(writer, record.constructor.name);
  const keys = Object.keys(record);
  if (!isSorted(keys)) keys.sort();
  putByte(writer, TAG.record);
  putVarint(writer, keys.length);
  for (const key of keys) {
    putText(writer, key);
    putNested(writer, key, (record as Record<string, unknown>)[key]);
  }
}

function isSorted(keys: readonly string[]): boolean {
  for (let k = 1; k < keys.length; k++) if (keys[k - 1]! > keys[k]!) return false;
  return true;
}

function putNested(writer: Writer, key: string | number, value: unknown): void {
  if (writer.path.length >= MAX_DEPTH) throw new RangeError(`codec: nested deeper than ${MAX_DEPTH}`);
  writer.path.push(key);
  put(writer, value);
  writer.path.pop();
}

function notPlain(writer: Writer, what: string): TypeError {
  return new TypeError(`codec: ${what} at ${writer.path.join(".") || "the top"} is not plain data`);
}

function putNumber(writer: Writer, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    putByte(writer, value >= 0 ? TAG.natural : TAG.negative);
    putVarint(writer, value >= 0 ? value : -1 - value);
    return;
  }
  putByte(writer, TAG.double);
  reserve(writer, 8);
  writer.view.setFloat64(writer.at, value);
  writer.at += 8;
}

function putBigint(writer: Writer, value: bigint): void {
  putByte(writer, value >= 0n ? TAG.bigNatural : TAG.bigNegative);
  const natural = value >= 0n ? value : -1n - value;
  if (natural <= MAX_WORD) putWord(writer, natural, true);
  else putWords(writer, natural);
}

const MAX_WORD = 2n ** 64n - 1n;

/** Writes a word without its leading zero bytes. @param isAlone whether its length is written before it */
function putWord(writer: Writer, word: bigint, isAlone: boolean): void {
  const length = byteLength(word);
  if (isAlone) putVarint(writer, length);
  reserve(writer, 8);
  // The shift drops the leading zero bytes.
  if (length > 0) writer.view.setBigUint64(writer.at, word << SHIFTS[length]!);
  writer.at += length;
}

/** By byte length of a word: the shift that moves its first byte to the front. */
const SHIFTS = Array.from({ length: 9 }, (_, bytes) => BigInt(64 - 8 * bytes));

/** Writes a bigint of more than 64 bits, the most significant word first. */
function putWords(writer: Writer, natural: bigint): void {
  const words: bigint[] = [];
  let top = natural;
  for (; top > MAX_WORD; top >>= 64n) words.push(BigInt.asUintN(64, top));
  putVarint(writer, words.length * 8 + byteLength(top));
  putWord(writer, top, false);
  reserve(writer, words.length * 8);
  for (let k = words.length - 1; k >= 0; k--, writer.at += 8) writer.view.setBigUint64(writer.at, words[k]!);
}

function byteLength(word: bigint): number {
  const high = Number(word >> 32n);
  const bits = high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(Number(word));
  return (bits + 7) >> 3;
}

function putString(writer: Writer, text: string): void {
  putByte(writer, TAG.string);
  putText(writer, text);
}

function putText(writer: Writer, text: string): void {
  if (putAscii(writer, text)) return;
  if (!text.isWellFormed()) throw notPlain(writer, "half a surrogate pair");
  const encoded = encoder.encode(text);
  putVarint(writer, encoded.length);
  reserve(writer, encoded.length);
  writer.bytes.set(encoded, writer.at);
  writer.at += encoded.length;
}

/**
 * Texts shorter than this are written character by character, since a call of the encoder takes longer; their length
 * fits one varint byte.
 */
const SHORT_TEXT = 128;
const ASCII_END = 128;

/** @returns false for a text that is long or not ASCII; nothing has been written then */
function putAscii(writer: Writer, text: string): boolean {
  const { length } = text;
  if (length >= SHORT_TEXT) return false;
  reserve(writer, length + 1);
  const { bytes, at } = writer;
  for (let k = 0; k < length; k++) {
    const code = text.charCodeAt(k);
    if (code >= ASCII_END) return false;
    bytes[at + 1 + k] = code;
  }
  bytes[at] = length;
  writer.at = at + 1 + length;
  return true;
}

function putVarint(writer: Writer, value: number): void {
  reserve(writer, 8);
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) writer.bytes[writer.at++] = (rest % 128) + 128;
  writer.bytes[writer.at++] = rest;
}

function putByte(writer: Writer, value: number): void {
  reserve(writer, 1);
  writer.bytes[writer.at++] = value;
}

function reserve(writer: Writer, count: number): void {
  if (writer.at + count <= writer.bytes.length) return;
  const bytes = new Uint8Array(Math.max(writer.bytes.length * 2, writer.at + count));
  bytes.set(writer.bytes);
  writer.bytes = bytes;
  writer.view = new DataView(bytes.buffer);
}
