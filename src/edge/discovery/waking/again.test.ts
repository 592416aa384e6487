import { expect, test } from "vitest";
import type { Hex, Pool } from "../../../core/types.ts";
import { wakeAgain } from "./again.ts";
import { createAwake } from "./awake.ts";

const idOf = (k: number): Hex => `0x${k.toString(16).padStart(40, "0")}`;

test("lost pools come back for the reason for which they were there, deep ones first; pools in the market are not read", async () => {
  const awake = createAwake(() => undefined);
  const ids = Array.from({ length: 2_000 }, (_, k) => idOf(k));
  for (const [k, id] of ids.entries()) awake.keep([id], k % 2 === 0 ? "deep" : "asked");
  const there = new Set(ids.slice(0, 500));
  const unknown = idOf(1_999);
  const get = (id: string) => (id === unknown ? undefined : ({ id } as Pool));
  const brought: [string, string][] = [];
  await wakeAgain(
    { awake, known: { get }, isThere: (id) => there.has(id as Hex) },
    async (pools, why) => void brought.push(...pools.map(({ id }): [string, string] => [id, why])),
  );
  const lost = [...awake.all()].filter(([id]) => !there.has(id as Hex) && id !== unknown);
  const wanted = [...lost.filter(([, why]) => why === "deep"), ...lost.filter(([, why]) => why === "asked")];
  expect(brought).toEqual(wanted);
});
