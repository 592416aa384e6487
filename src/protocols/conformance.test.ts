import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { word } from "../core/abi.ts";
import { decodePlain, encodePlain } from "../core/codec.ts";
import { extraBytes } from "../core/encoding/kinds.ts";
import { sampledCurve } from "../core/math/sampled-curve.ts";
import type { Curve, Protocol } from "../core/protocol.ts";
import { compile } from "../core/routing/compile.ts";
import type { Deployment, Hex, Side, View } from "../core/types.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/** What every AMM owes the router. A protocol added to the registry is under test before it has a test of its own. */

const limits = { numRuns: 300, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: true };
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
/** Below a million units a curve keeps no account of roundings. */
const LEAST_OF_CURVE = 1e6;
const hostileFloats = [Number.NaN, -1, 0, Number.MIN_VALUE, 1, 1e30, 1e300, Number.MAX_VALUE, Infinity];

/** Every order of magnitude alike. */
const amount = fc
  .integer({ min: 0, max: 120 })
  .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

type Direction = { readonly i: number; readonly j: number };

type Case = { readonly s: Subject; readonly d: Direction; readonly x: bigint; readonly more: bigint };

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

function direction(subject: Subject, seed: number): Direction {
  const count = subject.pool.tokens.length;
  const i = seed % count;
  return { i, j: (i + 1 + (Math.floor(seed / count) % (count - 1))) % count };
}

function ask(p: Protocol, s: Subject, { i, j }: Direction, [x, side, view]: [bigint, Side, View?]) {
  return p.quote(view ?? s.states, s.pool, i, j, x, side, s.at);
}

function overlay(s: Subject, writes: readonly (readonly [string, unknown])[]): View {
  return new Map([...s.states, ...writes]);
}

/** What a fee on the output may take of it, rounded up. */
function feeOf(s: Subject, amountOut: bigint): bigint {
  const ppb = BigInt(Math.ceil((s.outputFee ?? 0) * 1e9));
  return (amountOut * ppb + 999_999_999n) / 1_000_000_000n;
}

function mirrorOf(p: Protocol, s: Subject): unknown {
  return p.mirror(s.states.get(s.pool.stateIds[0]), s.pool, s.at, s.states);
}

function alongCurve(curve: Curve, x: number): number {
  if (!(x > 0) || x > curve.end) return 0;
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > x) k--;
  const h = x - curve.x[k]!;
  return curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
}

/** Designs whose curve of many segments is scaled from a sampled one of the same shape. */
const scaledSamples: ReadonlySet<string> = new Set(["balancer-v2"]);

/** Whether the design has no closed segments here: what it gives is what sampling its quote gives, or scaled from that. */
function isSampled(p: Protocol, mirror: unknown, { i, j }: Direction, curve: Curve): boolean {
  if (scaledSamples.has(p.name) && curve.x.length > 1) return true;
  const sampled = sampledCurve((x) => p.quoteFloat(mirror, i, j, x));
  return sampled?.x.length === curve.x.length && sampled.m.every((price, k) => price === curve.m[k]);
}

/** All that the direction can pay, where it is limited. */
function reserve(curve: Curve | undefined): number {
  if (curve === undefined) return 0;
  const k = curve.x.length - 1;
  const linear = curve.c[k] === 0;
  if (Number.isFinite(curve.end)) return alongCurve(curve, curve.end);
  return linear ? 0 : curve.y[k]! + curve.m[k]! / curve.c[k]!;
}

function expectConcave(curve: Curve): void {
  expect(curve.x[0]).toBe(0);
  expect(curve.y[0]).toBe(0);
  for (let k = 0; k < curve.x.length; k++) {
    expect(curve.m[k]! >= 0 && curve.c[k]! >= 0).toBe(true);
    const next = k + 1 < curve.x.length ? curve.x[k + 1]! : curve.end;
    expect(next).toBeGreaterThanOrEqual(curve.x[k]!);
    if (k + 1 === curve.x.length) continue;
    const slope = 1 + curve.c[k]! * (next - curve.x[k]!);
    // Starts are absolute, so the length of a short segment far out has lost the last digits of its start.
    const slack = 1e-9 + curve.c[k]! * next * 1e-15;
    expect(curve.m[k + 1]!).toBeLessThanOrEqual((curve.m[k]! / slope ** 2) * (1 + slack));
    expect(curve.y[k + 1]!).toBeGreaterThanOrEqual(curve.y[k]!);
  }
}

test("every name is its folder's, and none is given twice", () => {
  for (const [name, p] of protocols) expect(p.name).toBe(name);
  expect(new Set([...protocols.values()].map((p) => p.name)).size).toBe(protocols.size);
  expect(protocols.size).toBeGreaterThan(0);
});

describe.each([...protocols.values()])("$name", async (p) => {
  const { subjects } = (await import(`./${p.name}/arbitrary.ts`)) as { subjects: fc.Arbitrary<Subject> };
  const cases = fc
    .record({ s: subjects, seed: fc.nat(), x: amount, more: amount })
    .map(({ s, seed, x, more }) => ({ s, d: direction(s, seed), x, more }));

  /** Runs `check` on random cases; it returns whether anything was filled, so that a run on nothing fails. */
  function property(check: (c: Case) => boolean): void {
    let filled = 0;
    fc.assert(
      fc.property(cases, (c) => {
        if (check(c)) filled++;
      }),
      limits,
    );
    expect(filled).toBeGreaterThan(limits.numRuns / 20);
  }

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

  test("a round trip never profits, but for roundings in favour of the trader", () => {
    property(({ s, d, x }) => {
      const there = ask(p, s, d, [x, "in"]);
      if (there === undefined) return false;
      const back = ask(p, s, { i: d.j, j: d.i }, [there.amountOut, "in", overlay(s, there.writes)]);
      if (back !== undefined) expect(back.amountOut <= x + BigInt(s.favour ?? 0)).toBe(true);
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
      // Once for what the first half's fee leaves behind, once for the smaller fee of a smaller trade.
      const won = 2n * feeOf(s, whole.amountOut);
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

  test("the mirror agrees with the exact quote", () => {
    property(({ s, d, x }) => {
      const mirror = mirrorOf(p, s);
      const exact = Number(ask(p, s, d, [x, "in"])?.amountOut ?? 0n);
      const float = (input: number) => p.quoteFloat(mirror, d.i, d.j, input);
      const curve = p.curve(mirror, d.i, d.j);
      const slack = s.roundings + 1e-15 * reserve(curve);
      const grain = s.roundings;
      const sold = Number(x);
      if (exact === 0) {
        // Refused for paying nothing, or at the end of what the pool can take.
        const least = float(Math.max(0, sold - grain)) <= slack + 1;
        expect(least || float(sold * (1 + 1e-9) + grain) === 0).toBe(true);
        return false;
      }
      // Rounding swallows input, so the last units of a pool are paid for a little more than all that it can take.
      const last = curve !== undefined && sold > curve.end && sold <= curve.end + grain ? reserve(curve) : 0;
      expect(exact).toBeLessThanOrEqual(Math.max(float(sold), last) * (1 + 1e-9) + slack);
      // Where a fee outgrows the trade, less in is more out: what is to be paid is then that of all that is sold.
      const least = Math.min(float(sold), float(Math.max(0, sold - grain)));
      expect(exact).toBeGreaterThanOrEqual(least * (1 - 1e-9) - slack);
      return true;
    });
  });

  test("the curve is concave and agrees with the mirror", () => {
    property(({ s, d, x }) => {
      const mirror = mirrorOf(p, s);
      const curve = p.curve(mirror, d.i, d.j);
      if (curve === undefined) return p.quoteFloat(mirror, d.i, d.j, Number(x)) > 0;
      expectConcave(curve);
      const along = alongCurve(curve, Number(x));
      const float = p.quoteFloat(mirror, d.i, d.j, Number(x));
      if (isSampled(p, mirror, d, curve)) return along > 0;
      expect(Math.abs(along - float)).toBeLessThanOrEqual(1e-9 * float + 1e-15 * reserve(curve));
      return along > 0;
    });
  });

  test("the curve that the engine compiles is within 1e-4 of the exact quote, but for fees that grow", () => {
    const far: string[] = [];
    let near = 0;
    const sizes = fc.noBias(fc.record({ s: subjects, seed: fc.nat(), mille: fc.nat({ max: 1000 }) }));
    for (const { s, seed, mille } of fc.sample(sizes, { numRuns: 1000, seed: 1 })) {
      const d = direction(s, seed);
      const curve = compile(p, mirrorOf(p, s), d.i, d.j);
      if (curve === undefined) continue;
      const least = LEAST_OF_CURVE / curve.m[0]!;
      const most = Math.min(curve.end, least * 1e18);
      const x = BigInt(Math.floor(least * (most / least) ** (mille / 1000)));
      const exact = Number(ask(p, s, d, [x, "in"])?.amountOut ?? 0n);
      if (exact < LEAST_OF_CURVE || x <= s.roundings) continue;
      const slack = 1e-4 * exact + s.roundings + 1e-15 * reserve(curve);
      const [low, high] = [alongCurve(curve, Number(x) - s.roundings), alongCurve(curve, Number(x))];
      if (exact <= high + slack && exact >= low - slack) near++;
      else far.push(`${x}: ${exact} is not ${low} … ${high}`);
    }
    expect(near).toBeGreaterThan(100);
    // A price that rises along the way, as a band's or a surge's fee makes it, is no curve: it is cut down to one.
    expect(far.length / near, far.join("\n")).toBeLessThanOrEqual(0.02);
  });

  test("a state survives clone and codec, and no quote touches it", () => {
    property(({ s, d, x }) => {
      const before = structuredClone(s.states);
      const fill = ask(p, s, d, [x, "in"]);
      expect(s.states).toEqual(before);
      expect(ask(p, s, d, [x, "in", before])).toEqual(fill);
      for (const state of [...s.states.values(), ...(fill?.writes ?? []).map(([, next]) => next)])
        expect(decodePlain(encodePlain(state))).toStrictEqual(state);
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

  /** What the edge would get to the reads of a pool whose contracts answer by `answer`, as far as it would go on asking. */
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
