import { expect, test } from "vitest";
import { poolOf } from "../../../../test/faults/counter.ts";
import { poolAddress } from "../../../../test/faults/fake-chain.ts";
import { createKnown } from "../known/known.ts";
import { createAwake } from "./awake.ts";
import { createFresh } from "./fresh.ts";

test("a new pool waits for its check even where logs name more old pools than may wait", () => {
  const base = createKnown();
  const known = { ...base, renew: () => undefined };
  const fresh = createFresh({ known, awake: createAwake(() => undefined) });
  const old = Array.from({ length: 10_001 }, (_, k) => poolOf(poolAddress(k)));
  for (const pool of old) known.add(pool);
  fresh.touched(old.map(({ id }) => id));
  const born = poolOf(poolAddress(20_000));
  fresh.add(born);
  const taken = fresh.take();
  expect(taken).toHaveLength(10_001);
  expect(taken).toContain(born);
  expect(fresh.take()).toEqual([]);
});
