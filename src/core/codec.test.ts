import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePlain, encodePlain, MAX_DEPTH } from "./codec.ts";

const { plain } = fc.letrec((tie) => ({
  plain: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, -0, 0, -1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, Number.NaN, Infinity),
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
    fc.string({ unit: "binary" }),
    fc.array(tie("plain")),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("plain"),
      { noNullPrototype: true },
    ),
  ),
}));

test("what is written is read back", () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(decodePlain(encodePlain(value))).toStrictEqual(value);
    }),
  );
});

test("every boundary of a bigint's length is kept", () => {
  for (let bits = 0n; bits <= 264n; bits++)
    for (const near of [-1n, 0n, 1n])
      for (const sign of [1n, -1n]) {
        const value = sign * (2n ** bits + near);
        expect(decodePlain(encodePlain(value))).toBe(value);
      }
});

test("a bigint is its bytes, the highest first, after their number", () => {
  for (let bits = 0n; bits <= 264n; bits++)
    for (const value of [2n ** bits - 1n, 2n ** bits]) {
      const digits = value === 0n ? "" : value.toString(16);
      const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
      expect(Buffer.from(encodePlain([value, -1n - value]))).toEqual(
        Buffer.from([1, 9, 2, 6, bytes.length, ...bytes, 7, bytes.length, ...bytes]),
      );
    }
});

test("what cannot be written leaves nothing in what is written next", () => {
  expect(() => encodePlain({ a: [1n, "text", undefined] })).toThrow(TypeError);
  expect(decodePlain(encodePlain({ b: 2 }))).toEqual({ b: 2 });
  expect(() => encodePlain([undefined])).toThrow("codec: undefined at 0 is not plain data");
});

test("a text is its UTF-8 after the number of its bytes, short or long, wherever it leaves ASCII", () => {
  const varint = (count: number) => (count < 128 ? [count] : [(count % 128) + 128, Math.floor(count / 128)]);
  for (const length of [0, 1, 42, 126, 127, 128, 129, 600])
    for (const other of ["", "\u007f", "\u0080", "é", "€", "😀"]) {
      const half = "x".repeat(length / 2);
      const text = half + other + half;
      const bytes = new TextEncoder().encode(text);
      expect(encodePlain([text, 1])).toEqual(
        Uint8Array.from([1, 9, 2, 8, ...varint(bytes.length), ...bytes, 3, 1]),
      );
      expect(decodePlain(encodePlain([text, 1]))).toEqual([text, 1]);
    }
});

test("equal data gives equal bytes, whatever the order of keys", () => {
  expect(encodePlain({ a: 1, b: [2n, "c"] })).toEqual(encodePlain({ b: [2n, "c"], a: 1 }));
});

test("a key named __proto__ stays a key", () => {
  const value = JSON.parse('{"__proto__": {"polluted": true}}') as object;
  const back = decodePlain(encodePlain(value)) as object;
  expect(Object.keys(back)).toEqual(["__proto__"]);
  expect("polluted" in back).toBe(false);
});

test.each([
  ["undefined at a.1", { a: [1, undefined] }],
  ["function at the top", () => 1],
  ["Map at a", { a: new Map() }],
  ["Date at 0", [new Date(0)]],
  ["symbol at the top", Symbol("x")],
  ["half a surrogate pair at a", { a: "\ud800" }],
  ["Uint8Array at the top", new Uint8Array(2)],
])("%s is not plain data", (message, value) => {
  expect(() => encodePlain(value)).toThrow(`codec: ${message} is not plain data`);
});

test("the depth is bounded on both sides", () => {
  const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)]);
  expect(decodePlain(encodePlain(nested(MAX_DEPTH)))).toStrictEqual(nested(MAX_DEPTH));
  expect(() => encodePlain(nested(MAX_DEPTH + 1))).toThrow(RangeError);
  const hostile = Uint8Array.from([1, ...Array.from({ length: 10_000 }, () => [9, 1]).flat(), 0]);
  expect(() => decodePlain(hostile)).toThrow(/nested deeper/);
});

test.each([
  ["another version", [2, 0], /version 2, not 1/],
  ["nothing", [], /ends too early/],
  ["an unknown tag", [1, 11], /unknown tag 11/],
  ["bytes after the end", [1, 0, 0], /1 bytes after/],
  ["an array of more values than bytes", [1, 9, 255, 255, 255, 255, 15], /ends too early/],
  ["an unsafe integer", [1, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255], /unsafe integer/],
])("%s is refused", (_name, bytes, message) => {
  expect(() => decodePlain(Uint8Array.from(bytes))).toThrow(message);
});

test("any cut or flipped byte is refused or read as other data, never worse", () => {
  fc.assert(
    fc.property(plain, fc.nat(), fc.integer({ min: 0, max: 255 }), (value, position, byte) => {
      const bytes = encodePlain(value);
      const cut = bytes.slice(0, position % bytes.length);
      expect(() => decodePlain(cut)).toThrow();
      bytes[position % bytes.length] = byte;
      try {
        encodePlain(decodePlain(bytes));
      } catch (error) {
        expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
      }
    }),
  );
});
