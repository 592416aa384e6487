import { expect, test } from "vitest";
import { subjectOf } from "./arbitrary.ts";
import { fluidLite } from "./index.ts";

/** The token sold has 9 decimals and the one bought 18, so that the contract cuts outputs to 10^9 smallest units. */
const { pool, states, at } = subjectOf({
  contract: "0x00000000000000000000000000000000000000f1",
  variables: 22907181126830724515568435986920277064422819751070475607948286524261n,
  centerShift: 6082071158817580273621918721235461n,
  rangeShift: 0n,
  thresholdShift: 0n,
  named: 0n,
  readAt: 1,
  isClosed: false,
});

test("a curve is within 1e-4 of the quote also where one unit of the contract is much of the amount", () => {
  const mirror = fluidLite.mirror(states.get(pool.stateIds[0]) as never, pool, at, states);
  const curve = fluidLite.curve(mirror, 1, 0)!;
  for (let sold = 20_000; sold < 1_000_000; sold += 7_919) {
    let k = curve.x.length - 1;
    while (curve.x[k]! > sold) k--;
    const h = sold - curve.x[k]!;
    const along = curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
    const paid = fluidLite.quoteFloat(mirror, 1, 0, sold);
    expect(along).toBeGreaterThan(paid * (1 - 1e-4));
    expect(along).toBeLessThan(paid * (1 + 1e-4) + 2e9);
  }
});
