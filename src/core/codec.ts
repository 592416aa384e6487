/**
 * Plain data as bytes and back: the one form in which states travel to threads, machines and disk.
 *
 * First byte: the schema version. Then one value: a tag byte and its body.
 *
 * | tag | value                                  | body                                                   |
 * |-----|----------------------------------------|--------------------------------------------------------|
 * | 0…2 | null, false, true                      | none                                                   |
 * | 3   | integer ≥ 0, safe                      | varint                                                 |
 * | 4   | integer < 0, safe                      | varint of -1 - value                                   |
 * | 5   | any other number                       | IEEE 754 double, big-endian                            |
 * | 6   | bigint ≥ 0                             | varint byte count, bytes big-endian                    |
 * | 7   | bigint < 0                             | the same of -1 - value                                 |
 * | 8   | string                                 | varint byte count, UTF-8                               |
 * | 9   | array                                  | varint count, values                                   |
 * | 10  | record                                 | varint count, then key (as 8 without tag) and value    |
 *
 * Keys are written in code-unit order, so equal data gives equal bytes.
 */
const CODEC_VERSION = 1;

const TAG = {
  null: 0,
  false: 1,
  true: 2,
  natural: 3,
  negative: 4,
  double: 5,
  bigNatural: 6,
  bigNegative: 7,
  string: 8,
  array: 9,
  record: 10,
} as const;

/** Deeper data is refused on both sides: states are flat, and hostile bytes must not exhaust the stack. */
export const MAX_DEPTH = 64;

/** `bytes[0…at]` is written; `path` is where the value being written stands. */
type Writer = { bytes: Uint8Array; view: DataView; at: number; readonly path: (string | number)[] };
/** `bytes[at…]` is still to be read. */
type Reader = { readonly bytes: Uint8Array; readonly view: DataView; at: number };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @param value null, booleans, numbers, bigints, strings, and arrays and records of these
 * @throws TypeError for anything else (undefined, functions, Map, Date, class instances, holes), naming where it is
 * @throws RangeError when nested deeper than `MAX_DEPTH`
 */
export function encodePlain(value: unknown): Uint8Array {
  const bytes = new Uint8Array(512);
  const writer: Writer = { bytes, view: new DataView(bytes.buffer), at: 0, path: [] };
  putByte(writer, CODEC_VERSION);
  put(writer, value);
  return writer.bytes.slice(0, writer.at);
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
  const keys = Object.keys(record).sort();
  putByte(writer, TAG.record);
  putVarint(writer, keys.length);
  for (const key of keys) {
    putText(writer, key);
    putNested(writer, key, (record as Record<string, unknown>)[key]);
  }
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
  let rest = value >= 0n ? value : -1n - value;
  const words: bigint[] = [];
  for (; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const top = words.length === 0 ? 0 : byteLength(words[words.length - 1]!);
  const length = words.length === 0 ? 0 : (words.length - 1) * 8 + top;
  putVarint(writer, length);
  reserve(writer, length + 8);
  // Words are laid from the top; the first is shifted so that its leading zero bytes are not written.
  for (let k = words.length - 1, at = writer.at; k >= 0; k--) {
    const first = k === words.length - 1;
    writer.view.setBigUint64(at, first ? words[k]! << BigInt(64 - top * 8) : words[k]!);
    at += first ? top : 8;
  }
  writer.at += length;
}

function byteLength(word: bigint): number {
  return Math.ceil(word.toString(16).length / 2);
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

/** Shorter texts are written character by character: a call of the encoder takes longer. Their length takes one byte. */
const SHORT_TEXT = 128;
const ASCII_END = 128;

/** @returns false for a text that is long or not ASCII: nothing of it is written then */
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

/**
 * What `encodePlain` wrote.
 *
 * @throws RangeError for another version, an end too early or too late, an unknown tag or a number that is not safe;
 *         TypeError for text that is not UTF-8. Hostile bytes cost no more memory or stack than their own length.
 */
export function decodePlain(bytes: Uint8Array): unknown {
  const reader: Reader = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: 0,
  };
  const version = takeByte(reader);
  if (version !== CODEC_VERSION) throw new RangeError(`codec: version ${version}, not ${CODEC_VERSION}`);
  const value = take(reader, 0);
  if (reader.at !== bytes.length)
    throw new RangeError(`codec: ${bytes.length - reader.at} bytes after the end`);
  return value;
}

function take(reader: Reader, depth: number): unknown {
  const tag = takeByte(reader);
  switch (tag) {
    case TAG.null:
      return null;
    case TAG.false:
    case TAG.true:
      return tag === TAG.true;
    case TAG.natural:
      return takeVarint(reader);
    case TAG.negative:
      return -1 - takeVarint(reader);
    case TAG.double:
      return reader.view.getFloat64(advance(reader, 8));
    case TAG.bigNatural:
      return takeBigint(reader);
    case TAG.bigNegative:
      return -1n - takeBigint(reader);
    case TAG.string:
      return takeText(reader);
    case TAG.array:
    case TAG.record:
      if (depth >= MAX_DEPTH) throw new RangeError(`codec: nested deeper than ${MAX_DEPTH}`);
      return tag === TAG.array ? takeArray(reader, depth + 1) : takeRecord(reader, depth + 1);
    default:
      throw new RangeError(`codec: unknown tag ${tag}`);
  }
}

function takeArray(reader: Reader, depth: number): unknown[] {
  const values: unknown[] = [];
  for (let count = takeCount(reader); count > 0; count--) values.push(take(reader, depth));
  // A list that grew has room for 17 values and more; most hold two, and a market keeps some hundred thousand of them.
  return values.slice();
}

function takeRecord(reader: Reader, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (let count = takeCount(reader); count > 0; count--)
    entries.push([takeText(reader), take(reader, depth)]);
  // fromEntries defines properties: a key "__proto__" stays a key.
  return Object.fromEntries(entries);
}

function takeBigint(reader: Reader): bigint {
  const length = takeCount(reader);
  const start = advance(reader, length);
  let value = 0n;
  let k = 0;
  for (; k + 8 <= length; k += 8) value = (value << 64n) | reader.view.getBigUint64(start + k);
  for (; k < length; k++) value = (value << 8n) | BigInt(reader.bytes[start + k]!);
  return value;
}

function takeText(reader: Reader): string {
  const length = takeCount(reader);
  const start = advance(reader, length);
  return decoder.decode(reader.bytes.subarray(start, start + length));
}

/** A count of things of at least one byte each, so it can be refused before anything is reserved for it. */
function takeCount(reader: Reader): number {
  const count = takeVarint(reader);
  if (count > reader.bytes.length - reader.at) throw new RangeError("codec: the data ends too early");
  return count;
}

function takeVarint(reader: Reader): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = takeByte(reader);
    value += (byte % 128) * scale;
    if (value > Number.MAX_SAFE_INTEGER || scale > 2 ** 49) throw new RangeError("codec: an unsafe integer");
    if (byte < 128) return value;
  }
}

function takeByte(reader: Reader): number {
  return reader.bytes[advance(reader, 1)]!;
}

/** The position before; @throws RangeError when fewer than `count` bytes are left. */
function advance(reader: Reader, count: number): number {
  const start = reader.at;
  if (start + count > reader.bytes.length) throw new RangeError("codec: the data ends too early");
  reader.at += count;
  return start;
}
