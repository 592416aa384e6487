import fc from "fast-check";
import { toRlp as viemToRlp } from "viem/utils";
import { expect, test } from "vitest";
import type { Hex } from "../../../src/core/types.ts";
import { type Rlp, toRlp } from "./rlp.ts";

const bytes = fc
  .oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 50, maxLength: 300 }))
  .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
  item: fc.oneof({ depthSize: "small" }, bytes, fc.array(tie("item"), { maxLength: 5 })),
}));

test("bytes and lists as another encoder has them", () => {
  const same = (value: Rlp) => {
    expect(toRlp(value)).toBe(viemToRlp(value as Parameters<typeof viemToRlp>[0]));
  };
  for (const length of [0, 1, 55, 56, 255, 256, 65_536]) same(`0x${"7f".repeat(length)}`);
  for (const byte of ["00", "7f", "80", "ff"] as const) same(`0x${byte}`);
  fc.assert(fc.property(item, same));
});
