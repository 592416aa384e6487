import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePlain } from "../../src/core/codec.ts";
import { createPackedStates } from "../../src/edge/workers/replica/packed-states.ts";
import { createTexts } from "../../src/edge/workers/replica/texts.ts";
import { poolOf } from "./pools.ts";

const MB = 2 ** 20;
const state = (length: number, filled: number) => ({ ticks: new Array<number>(length).fill(filled) });

const command = fc.record({
  id: fc.nat(20).map((n) => `${n}`),
  length: fc.oneof(fc.nat(40), fc.integer({ min: 10_000, max: 40_000 })),
  filled: fc.nat(100),
  kind: fc.constantFrom("set", "set", "set", "delete", "clear" as const),
});

test("every state is read back as it was set last, whatever was set, deleted and moved in between", () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 100 }), (commands) => {
      const states = createPackedStates();
      const expected = new Map<string, unknown>();
      for (const [k, { id, length, filled, kind }] of commands.entries()) {
        if (kind === "clear" && k % 9 === 0) {
          states.clear();
          expected.clear();
        } else if (kind === "delete") {
          states.delete(id);
          expected.delete(id);
        } else {
          states.set(id, encodePlain(state(length, filled)));
          expected.set(id, state(length, filled));
        }
        expect(states.get(id)).toEqual(expected.get(id));
      }
      for (let n = 0; n <= 20; n++) {
        expect(states.get(`${n}`)).toEqual(expected.get(`${n}`));
        expect(states.read(`${n}`)).toEqual(expected.get(`${n}`));
      }
    }),
    { numRuns: 30 },
  );
});

test("states that grow and leave do not make the buffer grow without end, and the others are moved whole", () => {
  const states = createPackedStates();
  for (let round = 1; round <= 400; round++) {
    states.set("grows", encodePlain(state(round * 100, 1)));
    states.set(`leaves ${round}`, encodePlain(state(10_000, round)));
    if (round > 10) states.delete(`leaves ${round - 10}`);
  }
  expect(states.heldBytes()).toBeLessThanOrEqual(MB);
  expect(states.get("grows")).toEqual(state(40_000, 1));
  for (let round = 391; round <= 400; round++)
    expect(states.get(`leaves ${round}`)).toEqual(state(10_000, round));
});

test("what was read lately is the same object until it is set again", () => {
  const states = createPackedStates();
  states.set("a", encodePlain(state(3, 1)));
  expect(states.get("a")).toBe(states.get("a"));
  expect(states.get("b")).toBeUndefined();
  const before = states.get("a");
  states.set("a", encodePlain(state(3, 2)));
  expect(states.get("a")).toEqual(state(3, 2));
  expect(before).toEqual(state(3, 1));
  for (let k = 0; k < 200; k++) {
    states.set(`${k}`, encodePlain(state(10_000, k)));
    states.get(`${k}`);
  }
  expect(states.get("0")).toEqual(state(10_000, 0));
});

test("a pool whose texts are shared is an equal pool", () => {
  const texts = createTexts();
  const other = { ...poolOf(3), address: poolOf(4).address, stateIds: ["a", poolOf(3).id, "b"] as const };
  for (const pool of [poolOf(1), poolOf(2), poolOf(1), other]) expect(texts.shared(pool)).toEqual(pool);
});
