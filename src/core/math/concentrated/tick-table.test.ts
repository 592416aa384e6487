import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countUpTo, type LiveTickTable, type PositionChange, withPosition, wordEdge } from "./tick-table.ts";

const empty: LiveTickTable = { ticks: [], nets: [], grosses: [], lowest: -1000, highest: 1000 };

const position: fc.Arbitrary<PositionChange> = fc
  .tuple(
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: 1, max: 20 }),
    fc.bigInt({ min: 1n, max: 2n ** 100n }),
  )
  .map(([lower, width, liquidity]) => ({ lower, upper: lower + width, liquidity }));

describe("ticks under positions that come and go", () => {
  test("the table is what a count over all positions gives", () => {
    fc.assert(
      fc.property(fc.array(position, { maxLength: 20 }), (positions) => {
        const table = positions.reduce((before, change) => withPosition(before, change)!, empty);
        const ends = [...new Set(positions.flatMap(({ lower, upper }) => [lower, upper]))].sort(
          (a, b) => a - b,
        );
        const sum = (tick: number, sign: bigint) =>
          positions.reduce(
            (total, p) =>
              total + (p.lower === tick ? p.liquidity : 0n) + (p.upper === tick ? sign * p.liquidity : 0n),
            0n,
          );
        expect(table.ticks).toEqual(ends);
        expect(table.nets).toEqual(ends.map((tick) => sum(tick, -1n)));
        expect(table.grosses).toEqual(ends.map((tick) => sum(tick, 1n)));
      }),
    );
  });

  test("what is taken away in any order leaves nothing, even where a net of zero hid a tick", () => {
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), fc.nat(), (positions, turn) => {
        const full = positions.reduce((before, change) => withPosition(before, change)!, empty);
        const order = positions.slice(turn % 12).concat(positions.slice(0, turn % 12));
        const gone = order.reduce(
          (before, change) => withPosition(before, { ...change, liquidity: -change.liquidity })!,
          full,
        );
        expect(gone).toEqual(empty);
      }),
    );
  });

  test("two positions that meet keep the tick between them, of net zero", () => {
    const below = withPosition(empty, { lower: 0, upper: 5, liquidity: 7n })!;
    const both = withPosition(below, { lower: 5, upper: 9, liquidity: 7n })!;
    expect(both).toMatchObject({ ticks: [0, 5, 9], nets: [7n, 0n, -7n], grosses: [7n, 14n, 7n] });
  });

  test("taking away more than there is, or what is not there, is not the pool's", () => {
    const one = withPosition(empty, { lower: 0, upper: 5, liquidity: 7n })!;
    expect(withPosition(one, { lower: 0, upper: 5, liquidity: -8n })).toBeUndefined();
    expect(withPosition(one, { lower: 0, upper: 6, liquidity: -7n })).toBeUndefined();
    expect(withPosition(one, { lower: 1, upper: 5, liquidity: -7n })).toBeUndefined();
  });

  test("taking away a position whose ends are those of others is not the pool's", () => {
    const below = withPosition(empty, { lower: 0, upper: 5, liquidity: 7n })!;
    const both = withPosition(below, { lower: 9, upper: 12, liquidity: 7n })!;
    expect(withPosition(both, { lower: 5, upper: 9, liquidity: -7n })).toBeUndefined();
  });

  test("ticks beyond the window are left out, and the other end is kept", () => {
    const table = withPosition(empty, { lower: -5000, upper: 5, liquidity: 7n })!;
    expect(table).toMatchObject({ ticks: [5], nets: [-7n], grosses: [7n] });
  });
});

test("counting finds every place", () => {
  const ticks = [-3, 0, 4];
  expect([-4, -3, -1, 0, 3, 4, 9].map((tick) => countUpTo(ticks, tick))).toEqual([0, 1, 1, 2, 2, 3, 3]);
  expect(countUpTo([], 1)).toBe(0);
});

test.each([
  ["within the first word", 100, 1, true, 0],
  ["on a word's first tick, going down", 256, 1, true, 256],
  ["below zero", -1, 1, true, -256],
  ["below zero between ticks of the spacing", -1, 60, true, -256 * 60],
  ["going up", 100, 1, false, 255],
  ["on a word's last tick, going up", 255, 1, false, 511],
  ["going up below zero", -257, 1, false, -1],
  ["going up from just below a tick of the spacing", -1, 10, false, 2550],
])("the end of the bitmap word: %s", (...[_name, tick, spacing, down, edge]) => {
  expect(wordEdge(tick, spacing, down)).toBe(edge);
});
