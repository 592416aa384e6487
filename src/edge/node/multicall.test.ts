import fc from "fast-check";
import { encodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { decodeAggregate, encodeAggregate } from "./multicall.ts";

const bytes = (size: { minLength?: number; maxLength: number }) =>
  fc.uint8Array(size).map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const address = bytes({ minLength: 20, maxLength: 20 });
const data = bytes({ maxLength: 100 });

test("calldata is what viem encodes", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ to: address, data }), { maxLength: 8 }), (calls) => {
      const args = [
        calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data })),
      ] as const;
      expect(encodeAggregate(calls)).toBe(
        encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args }),
      );
    }),
  );
});

test("answers that viem encodes are read back", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ success: fc.boolean(), data }), { maxLength: 8 }), (results) => {
      const result = results.map((one) => ({ success: one.success, returnData: one.data }));
      const answer = encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
      expect(decodeAggregate(answer, results.length)).toEqual(results);
      expect(decodeAggregate(answer, results.length + 1)).toBeUndefined();
    }),
  );
});

test("arbitrary bytes decode to undefined or to the right number of results, and never throw", () => {
  fc.assert(
    fc.property(bytes({ maxLength: 400 }), fc.integer({ min: 1, max: 5 }), (answer, count) => {
      const results = decodeAggregate(answer, count);
      expect(results === undefined || results.length === count).toBe(true);
    }),
  );
});
