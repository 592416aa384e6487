import { expect, test } from "vitest";
import type { Address } from "../../../core/types.ts";
import { createTurns, type Wanted } from "./turns.ts";

const TOKENS = [`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`] as const satisfies readonly Address[];

/** Turns whose works end when the test says so. */
function held() {
  const begun: Wanted[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const turns = createTurns((wanted) => {
    begun.push(wanted);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  return { begun, ends, want: (caller: string, key: string) => turns({ caller, key, tokens: TOKENS }) };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test("a caller that asks for hundreds of pairs makes nobody wait for one of them", async () => {
  const { begun, ends, want } = held();
  for (let k = 0; k < 200; k++) void want("many", `pair ${k}`).catch(() => undefined);
  expect(begun).toHaveLength(4);
  const one = want("one", "pair 150");
  expect(begun.at(-1)).toMatchObject({ caller: "one", key: "pair 150" });
  ends.at(-1)!.resolve();
  await one;
  const before = begun.length;
  for (const { resolve } of ends) resolve();
  await soon();
  expect(begun.length).toBeGreaterThan(before);
});

test("a pair that several callers want is read once, and all of them are told its end", async () => {
  const { begun, ends, want } = held();
  for (const key of ["a", "b", "c", "d", "both"]) void want("first", key).catch(() => undefined);
  const [waits, joins] = [want("first", "both"), want("second", "both")];
  const late = want("third", "both");
  expect(begun.filter(({ key }) => key === "both")).toHaveLength(1);
  ends.at(-1)!.reject(new Error("no node"));
  for (const each of [waits, joins, late]) await expect(each).rejects.toThrow("no node");
  for (const { resolve } of ends) resolve();
  await soon();
  expect(begun.filter(({ key }) => key === "both")).toHaveLength(1);
});

test("beyond what may wait the last pair of the caller with the most is refused, which another can still ask for", async () => {
  const { begun, ends, want } = held();
  const asked = Array.from({ length: 260 }, (_, k) => want("many", `pair ${k}`));
  for (const each of asked) each.catch(() => undefined);
  void want("one", "other").catch(() => undefined);
  await expect(asked[259]).rejects.toThrow("pools of other tokens are being read");
  const again = want("third", "pair 259");
  expect(begun.at(-1)).toMatchObject({ caller: "third", key: "pair 259" });
  ends.at(-1)!.resolve();
  await again;
});
