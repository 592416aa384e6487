import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { word } from "../core/abi.ts";
import { decodePlain, encodePlain } from "../core/codec.ts";
import { extraBytes } from "../core/encoding/kinds.ts";
import type { Deployment, Hex, Side } from "../core/types.ts";
import { amount, ask, mirrorOf, overlay, propertyOf, subjectsOf } from "./conformance.fixture.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/**
 * Requirements on the exact quotes of every design. A design in the registry is tested here before it has tests of
 * its own.
 */

const MAX_UINT256 = 2n ** 256n - 1n;
const hostileAmounts = [
  -1n,
  0n,
  1n,
  2n,
  2n ** 128n,
  2n ** 255n - 1n,
  2n ** 255n,
  MAX_UINT256,
  MAX_UINT256 + 1n,
];
const hostileFloats = [Number.NaN, -1, 0, Number.MIN_VALUE, 1, 1e30, 1e300, Number.MAX_VALUE, Infinity];

const deployment: Deployment = {
  id: "any",
  protocol: "any",
  name: "Any",
  factory: "0x00000000000000000000000000000000000000ff",
  fromBlock: 0,
  trusted: false,
  facts: {},
  source: "test",
};

/** Largest fee on an output, rounded up. */
function feeOf(s: Subject, amountOut: bigint): bigint {
  return partOf(amountOut, s.outputFee ?? 0);
}

/** A part of an amount, rounded up. */
function partOf(amount: bigint, part: number): bigint {
  return (amount * BigInt(Math.ceil(part * 1e9)) + 999_999_999n) / 1_000_000_000n;
}

test("every name is its folder's, and none is given twice", () => {
  for (const [name, p] of protocols) expect(p.name).toBe(name);
  expect(new Set([...protocols.values()].map((p) => p.name)).size).toBe(protocols.size);
  expect(protocols.size).toBeGreaterThan(0);
});

/** What is amiss where the states differ in nothing that is printed. */
const PLAIN = "a state is a plain object: fc.record makes one with { noNullPrototype: true }";

describe.each([...protocols.values()])("$name", async (p) => {
  const subjects = await subjectsOf(p);
  const property = propertyOf(subjects);

  test.each<Side>(["in", "out"])('a fill of side "%s" takes or delivers all that is asked', (side) => {
    property(({ s, d, x }) => {
      const fill = ask(p, s, d, [x, side]);
      if (fill === undefined) return false;
      expect(side === "in" ? fill.amountIn : fill.amountOut).toBe(x);
      expect(fill.amountIn > 0n && fill.amountOut > 0n).toBe(true);
      expect(Number.isSafeInteger(fill.gas) && fill.gas > 0).toBe(true);
      return true;
    });
  });

  test.each<Side>(["in", "out"])(
    'no fill of side "%s" takes less gas than bounds net of gas count',
    (side) => {
      property(({ s, d, x }) => {
        const fill = ask(p, s, d, [x, side]);
        if (fill === undefined) return false;
        expect(fill.gas).toBeGreaterThanOrEqual(p.gas(mirrorOf(p, s), d.i, d.j));
        return true;
      });
    },
  );

  test("a round trip never profits, but for roundings in favour of the trader", () => {
    property(({ s, d, x }) => {
      const there = ask(p, s, d, [x, "in"]);
      if (there === undefined) return false;
      const [home, after] = [{ i: d.j, j: d.i }, overlay(s, there.writes)];
      const back = ask(p, s, home, [there.amountOut, "in", after]);
      const favour = BigInt(s.favour ?? 0);
      // One unit of a nearly exhausted coin is worth many units of the other.
      const worth = ask(p, s, home, [favour, "in", after])?.amountOut ?? 0n;
      if (back !== undefined) expect(back.amountOut <= x + favour + worth).toBe(true);
      return true;
    });
  });

  test("two halves in a row never pay more than the whole, its roundings and a fee that the pool keeps", () => {
    property(({ s, d, x, more }) => {
      const whole = ask(p, s, d, [x + more, "in"]);
      const first = ask(p, s, d, [x, "in"]);
      if (whole === undefined || first === undefined) return false;
      const second = ask(p, s, d, [more, "in", overlay(s, first.writes)]);
      const halves = first.amountOut + (second?.amountOut ?? 0n);
      // One fee for what the first half leaves in the pool, and one for the lower fee of a smaller trade.
      const won = 2n * feeOf(s, whole.amountOut) + partOf(whole.amountOut, s.falls ?? 0);
      expect(halves <= whole.amountOut + won + BigInt(s.roundings)).toBe(true);
      return true;
    });
  });

  test("more in is never less out, but for a fee that grows", () => {
    property(({ s, d, x, more }) => {
      const less = ask(p, s, d, [x, "in"]);
      const greater = ask(p, s, d, [x + more, "in"]);
      if (less === undefined || greater === undefined) return false;
      const wobble = s.outputFee === undefined ? 0n : BigInt(s.roundings) + feeOf(s, less.amountOut);
      expect(greater.amountOut + wobble >= less.amountOut).toBe(true);
      return true;
    });
  });

  test("what is bought costs what selling that much pays, roundings aside", () => {
    property(({ s, d, x }) => {
      const bought = ask(p, s, d, [x, "out"]);
      if (bought === undefined) return false;
      const sold = ask(p, s, d, [bought.amountIn, "in"]);
      expect((sold?.amountOut ?? 0n) + BigInt(s.roundings) >= x).toBe(true);
      const less = ask(p, s, d, [bought.amountIn - BigInt(s.roundings) - 1n, "in"]);
      expect((less?.amountOut ?? 0n) <= x).toBe(true);
      return true;
    });
  });

  test("a state survives clone and codec, and no quote touches it", () => {
    property(({ s, d, x }) => {
      const before = structuredClone(s.states);
      const fill = ask(p, s, d, [x, "in"]);
      expect(s.states).toEqual(before);
      expect(ask(p, s, d, [x, "in", before])).toEqual(fill);
      for (const state of [...s.states.values(), ...(fill?.writes ?? []).map(([, next]) => next)])
        expect(decodePlain(encodePlain(state)), PLAIN).toStrictEqual(state);
      return fill !== undefined;
    });
  });

  test("only declared states are written", () => {
    property(({ s, d, x }) => {
      const fill = ask(p, s, d, [x, "in"]);
      for (const [id] of fill?.writes ?? []) expect(s.pool.stateIds).toContain(id);
      return fill !== undefined;
    });
  });

  test("the step fits the router's table", () => {
    property(({ s, d }) => {
      const step = p.encode(s.pool, s.states.get(s.pool.stateIds[0]), d.i, d.j);
      expect(step.target).toMatch(/^0x[0-9a-f]{40}$/);
      expect(step.extra).toMatch(/^0x([0-9a-f]{2})*$/);
      expect((step.extra.length - 2) / 2).toBe(extraBytes[step.kind]);
      return true;
    });
  });

  test("no amount throws, and what cannot be filled is undefined or 0", () => {
    property(({ s, d }) => {
      const mirror = mirrorOf(p, s);
      expect(p.gas(mirror, d.i, d.j)).toBeGreaterThan(0);
      for (const x of hostileFloats) expect(p.quoteFloat(mirror, d.i, d.j, x)).toBeGreaterThanOrEqual(0);
      for (const x of hostileAmounts)
        for (const side of ["in", "out"] as const) {
          const fill = ask(p, s, d, [x, side]);
          if (x <= 0n || x > MAX_UINT256) expect(fill).toBeUndefined();
        }
      return true;
    });
  });

  test("logs of others change nothing", () => {
    property(({ s }) => {
      const log = { address: s.pool.address, topics: [`0x${"11".repeat(32)}` as const], data: "0x" } as const;
      expect(p.touches(log)).toEqual([]);
      expect(p.discover(log, { ...deployment, protocol: p.name })).toBeUndefined();
      return true;
    });
  });

  /** Answers to a pool's reads, as far as the edge would continue, if each call is answered by `answer`. */
  function answered(s: Subject, answer: () => Hex): Hex[] {
    const answers: Hex[] = [];
    for (let rounds = 0; rounds < 8; rounds++) {
      const calls = p.reads(s.pool, answers);
      if (calls.length === 0) break;
      answers.push(...calls.map(answer));
    }
    return answers;
  }

  test("a pool whose contracts do not answer is refused with a reason", () => {
    for (const s of fc.sample(subjects, { numRuns: 20, seed: 2 })) {
      const answers = answered(s, () => "0x");
      if (answers.length === 0) continue;
      expect(p.load(s.pool, answers, s.at)).toEqual({ refusal: expect.stringMatching(/\w/) });
    }
  });

  test("a pool whose contracts answer nonsense is refused or cannot fill, and nothing throws", () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(0n, 1n, 2n, 18n, 10n ** 18n, 2n ** 128n, 2n ** 255n, MAX_UINT256),
        fc.bigInt({ min: 0n, max: MAX_UINT256 }),
      ),
      { maxLength: 12 },
    );
    const replies = fc.array(
      words.map((list): Hex => `0x${list.map(word).join("")}`),
      { minLength: 1, maxLength: 9 },
    );
    fc.assert(
      fc.property(subjects, replies, amount, (s, given, x) => {
        let next = 0;
        const answers = answered(s, () => given[next++ % given.length]!);
        expect(answers.length).toBeLessThan(20_000);
        const state = p.load(s.pool, answers, s.at) as object;
        if ("refusal" in state) return;
        const spoilt: Subject = { ...s, states: new Map([...s.states, [s.pool.stateIds[0], state]]) };
        const mirror = mirrorOf(p, spoilt);
        for (const side of ["in", "out"] as const) ask(p, spoilt, { i: 0, j: 1 }, [x, side]);
        expect(p.quoteFloat(mirror, 0, 1, Number(x))).toBeGreaterThanOrEqual(0);
        p.curve(mirror, 0, 1);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});
