import { expect, test } from "vitest";
import type { Pool } from "../../../core/types.ts";
import { createTexts } from "./texts.ts";

/** A pool as it is decoded from bytes: it shares no object with another pool. */
const decoded = (k: number, facts: Pool["facts"]): Pool => {
  const id = `0x${k.toString(16).padStart(40, "0")}` as const;
  const tokens = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`] as const;
  return { id, address: id, protocol: "p", deployment: "d", tokens, stateIds: [id], facts: { ...facts } };
};

test("pools with equal facts share them, and each stays what it was", () => {
  const texts = createTexts();
  const [first, second] = [
    texts.shared(decoded(1, { feePpm: 3000 })),
    texts.shared(decoded(2, { feePpm: 3000 })),
  ];
  expect(second.facts).toBe(first.facts);
  expect([first, second]).toEqual([decoded(1, { feePpm: 3000 }), decoded(2, { feePpm: 3000 })]);
});

test("facts of the same digits and another type stay apart", () => {
  const texts = createTexts();
  for (const facts of [{ feePpm: 3000 }, { feePpm: 3000n }, { feePpm: "3000" }, { feePpm: "3000", a: 1 }])
    expect(texts.shared(decoded(1, facts)).facts).toStrictEqual(facts);
});

test("pools that each have facts of their own keep them", () => {
  const texts = createTexts();
  for (let k = 0; k < 3_000; k++)
    expect(texts.shared(decoded(k, { weight: k })).facts).toEqual({ weight: k });
});

test("strings of pools that are long gone are forgotten", () => {
  const texts = createTexts();
  const most = 262_144;
  for (let k = 0; k < most + 100; k++)
    texts.shared({ ...decoded(k, {}), tokens: [`0x${k.toString(16).padStart(40, "0")}`] });
  expect(texts.size()).toBeLessThan(most);
  expect(texts.shared(decoded(7, {}))).toEqual(decoded(7, {}));
});
