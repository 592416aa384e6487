import { CODEC_VERSION, MAX_DEPTH, TAG } from "./format.ts";

/** `bytes[at…]` has not been read yet. */
type Reader = { readonly bytes: Uint8Array; readonly view: DataView; at: number };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes the bytes of `encodePlain`.
 *
 * @throws RangeError for another version, truncated data, trailing bytes, an unknown tag, an unsafe integer or
 *   nesting deeper than `MAX_DEPTH`; TypeError for text that is not UTF-8. Hostile bytes cost memory and stack in
 *   proportion to their length at most.
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
  // An array that grew by pushes has a capacity of at least 17; most hold two values, and a market has some hundred
  // thousand.
  return values.slice();
}

function takeRecord(reader: Reader, depth: number): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (let count = takeCount(reader); count > 0; count--) {
    const key = takeText(reader);
    const value = take(reader, depth);
    // Assigning this key would set the record's prototype.
    if (key === "__proto__") Object.defineProperty(record, key, { value, ...PLAIN_PROPERTY });
    else record[key] = value;
  }
  return record;
}

const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };

function takeBigint(reader: Reader): bigint {
  const length = takeCount(reader);
  const start = advance(reader, length);
  const first = length % 8;
  let value = firstBytes(reader, start, first);
  for (let k = first; k < length; k += 8) value = (value << 64n) | reader.view.getBigUint64(start + k);
  return value;
}

/** The leading `count` < 8 bytes of a number. If eight bytes end there, one 64-bit read is masked. */
function firstBytes({ bytes, view }: Reader, start: number, count: number): bigint {
  const end = start + count;
  if (end >= 8) return BigInt.asUintN(8 * count, view.getBigUint64(end - 8));
  let value = 0n;
  for (let k = start; k < end; k++) value = (value << 8n) | BigInt(bytes[k]!);
  return value;
}

function takeText(reader: Reader): string {
  const length = takeCount(reader);
  const start = advance(reader, length);
  const bytes = reader.bytes.subarray(start, start + length);
  return length <= SHORT_TEXT && isAscii(bytes)
    ? String.fromCharCode.apply(null, bytes as unknown as number[])
    : decoder.decode(bytes);
}

/** Length in bytes up to which text is decoded byte by byte: a call of the decoder takes longer. */
const SHORT_TEXT = 24;
const ASCII_END = 128;

function isAscii(bytes: Uint8Array): boolean {
  for (let k = 0; k < bytes.length; k++) if (bytes[k]! >= ASCII_END) return false;
  return true;
}

/** A count of items of at least one byte each, checked against the bytes left before anything is allocated. */
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

/** Skips `count` bytes. @returns the position before them; @throws RangeError if fewer are left */
function advance(reader: Reader, count: number): number {
  const start = reader.at;
  if (start + count > reader.bytes.length) throw new RangeError("codec: the data ends too early");
  reader.at += count;
  return start;
}
