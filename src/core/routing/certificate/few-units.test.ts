import { expect, test } from "vitest";
import { ask, market, sampledProduct, token } from "../market.fixture.ts";

test("a bound holds where a pool with a sampled curve pays fewer than a million units", () => {
  const [sold, few, bought] = [token(2), token(7), token(3)];
  const { engine } = market([
    { tokens: [few, bought], reserves: [69_971n, 22_067_235_351_663_736n], feePpm: 100n },
    {
      tokens: [few, sold],
      reserves: [1_559_174n, 844_367_887_917_570_195_456n],
      feePpm: 10_000n,
      protocol: sampledProduct.name,
    },
  ]);
  const whole = 2_130_795_724_441_165_496_320n;
  for (const part of [1n, 5n, 20n, 100n, 200n])
    expect(engine.find(ask(sold, bought, (whole * part) / 20n, { maxLegs: 16 })).kind).toBe("found");
  expect(engine.counters().boundsViolated).toBe(0);
});
