import fc from "fast-check";
import { expect, test } from "vitest";
import { goldenSection } from "./golden-section.ts";

const PLACES = 40;

test("the least of a convex function is found wherever it lies, and each place is asked once", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -3, max: 5, noNaN: true }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (least, steep) => {
        const asked: number[] = [];
        const at = (place: number) => {
          asked.push(place);
          return Math.max(steep * (least - place), (place - least) / steep);
        };
        const { place, found } = goldenSection(at, (value) => value, { from: -3, to: 5, places: PLACES });
        expect(Math.abs(place - least)).toBeLessThan(1e-5);
        expect(found).toBe(
          Math.min(...asked.map((one) => Math.max(steep * (least - one), (one - least) / steep))),
        );
        expect(asked).toHaveLength(PLACES);
        expect(new Set(asked).size).toBeGreaterThan(PLACES - 4);
      },
    ),
  );
});

test("where nothing is known on one side the search goes on with the larger places", () => {
  const at = (place: number) => (place < 0.9 ? Number.POSITIVE_INFINITY : 1 - place);
  const { place } = goldenSection(at, (value) => value, { from: 0, to: 1, places: PLACES });
  expect(place).toBeGreaterThan(0.999);
});
