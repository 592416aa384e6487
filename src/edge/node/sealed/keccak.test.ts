import fc from "fast-check";
import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import { keccak, keccakHex } from "./keccak.ts";

test("the hash is viem's, for any bytes and lengths, and earlier hashes stay as they are", () => {
  const kept: [Buffer, string][] = [];
  const check = (data: Uint8Array) => {
    const expected = keccak256(data);
    expect(keccakHex(data)).toBe(expected);
    kept.push([keccak(data), expected.slice(2)]);
  };
  for (const length of [0, 1, 135, 136, 137, 16_384, 16_385, 100_000])
    check(new Uint8Array(length).fill(length));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 700 }), check), { numRuns: 200 });
  for (const [hash, expected] of kept) expect(hash.toString("hex")).toBe(expected);
});
