import fc from "fast-check";
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  parseAbi,
} from "viem/utils";
import { expect, test } from "vitest";
import { addressAt, callData, hasWords, intAt, packedUint, uintAt, word } from "./abi.ts";
import type { Hex } from "./types.ts";

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const int256 = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n });
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Hex);

test("words are read as viem reads them", () => {
  fc.assert(
    fc.property(uint256, int256, address, (a, b, c) => {
      const data = encodeAbiParameters(
        [{ type: "uint256" }, { type: "int256" }, { type: "address" }],
        [a, b, c],
      );
      expect(uintAt(data, 0)).toBe(a);
      expect(intAt(data, 1)).toBe(b);
      expect(addressAt(data, 2)).toBe(c);
      expect(hasWords(data, 3)).toBe(true);
      expect(hasWords(data, 4)).toBe(false);
    }),
  );
});

test("words are written as viem writes them", () => {
  fc.assert(
    fc.property(int256, (value) => {
      expect(decodeAbiParameters([{ type: "int256" }], `0x${word(value)}`)[0]).toBe(value);
      const data = encodeFunctionData({ abi: parseAbi(["function ticks(int256 tick)"]), args: [value] });
      expect(callData(data.slice(0, 10) as Hex, value)).toBe(data);
    }),
  );
});

test("packed integers are written as viem packs them", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 24 - 1 }), (value) => {
      expect(packedUint(value, 3)).toBe(encodePacked(["uint24"], [value]));
    }),
  );
});

test("the answer of a reverted call has no words, and reading past the end is loud", () => {
  expect(hasWords("0x", 1)).toBe(false);
  expect(() => uintAt("0x", 0)).toThrow(SyntaxError);
});
