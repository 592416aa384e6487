import { expect, test } from "vitest";
import type { Curve, Protocol } from "../../../protocol.ts";
import { at, constantProduct, fixtureRegistry, graphOf, token } from "../../market.fixture.ts";
import { emptyCertificateMemory } from "../memory.ts";
import { earningOf } from "./earning.ts";

const RESERVE = 1e21;
/** End of the part of the curve in which its price falls too fast, and the grain of the amounts that the pool sees in it. */
const START = 1e-5 * RESERVE;
const GRAIN = START / 20.5;
const BELOW = 0.996;

/** A constant product that sees amounts in steps; its curve falls to a price 0.4 % too low in its first part. */
const stepped: Protocol = {
  ...constantProduct,
  name: "stepped",
  quoteFloat: (_mirror, _i, _j, x) => {
    const seen = Math.floor(x / GRAIN) * GRAIN;
    return seen / (1 + seen / RESERVE);
  },
  curve: (): Curve => ({
    x: [0, START],
    y: [0, START * Math.sqrt(BELOW)],
    m: [1, BELOW],
    c: [(1 / Math.sqrt(BELOW) - 1) / START, 1 / RESERVE],
    end: RESERVE,
  }),
} as Protocol;

test("what a pool earns beyond the amount at which its curve earns most is counted, though a step before it looks like the most", () => {
  const reserves = [BigInt(RESERVE), BigInt(RESERVE)];
  const registry = new Map([...fixtureRegistry, [stepped.name, stepped]]);
  const graph = graphOf(
    [{ tokens: [token(1), token(2)], reserves, feePpm: 0n, protocol: "stepped" }],
    registry,
  );
  for (const least of [0.9965, 0.997, 0.9975, 0.998]) {
    const price = (node: number) => (node === graph.nodeOf.get(token(1)) ? least : 1);
    const market = { graph, memory: emptyCertificateMemory(), at, allowed: () => true, price };
    const earning = earningOf({ ...market, perGas: 0, enough: 0, ends: [] }, 0);
    const most = RESERVE * (1 - Math.sqrt(least)) ** 2;
    expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned > most - GRAIN) });
    expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned < most * 1.1) });
  }
});
