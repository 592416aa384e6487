import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { ONE, sqrt } from "../../core/math/pairs/dodo-math.ts";
import type { Deployment, Hex, Pool } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { classicalSubjects, subjectOf } from "./arbitrary.ts";
import { dodo } from "./index.ts";
import type { Kind, State } from "./state.ts";
import { estimate } from "./trade.ts";

const at = { blockNumber: 7, timestamp: 1 };
const limits = { numRuns: 200 };
const factory: Hex = `0x${"00".repeat(19)}fa`;
const other: Hex = `0x${"00".repeat(19)}de`;
const record: Deployment = {
  id: "dodo",
  protocol: "dodo",
  name: "DODO",
  factory,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

const words = (...values: readonly bigint[]): Hex => `0x${values.map(word).join("")}`;

const stable: State = {
  kind: "dsp",
  side: "below",
  i: ONE,
  k: ONE / 4000n,
  base: 1_444_873_953_831n,
  quote: 578_850_766_374n,
  baseTarget: 978_121_462_386n,
  quoteTarget: 1_045_528_008_085n,
  lpFee: 0n,
  mtFee: ONE / 100_000n,
  limits: [2n ** 112n - 1n, 2n ** 112n - 1n],
  open: true,
  readFor: 7,
  readAt: at.timestamp,
};

test("a square root is the floor, but the root of 2 is 2 as in the contract", () => {
  expect([0n, 1n, 2n, 3n, 4n].map(sqrt)).toEqual([0n, 1n, 2n, 1n, 2n]);
  fc.assert(
    fc.property(fc.bigInt({ min: 3n, max: 2n ** 256n }), (x) => {
      const root = sqrt(x);
      expect(root * root <= x && (root + 1n) ** 2n > x).toBe(true);
    }),
    limits,
  );
});

describe("a classical pool", () => {
  const sell = (s: Subject, i: number, amount: bigint) =>
    dodo.quote(s.states, s.pool, i, 1 - i, amount, "in", s.at);
  const amounts = fc
    .integer({ min: 24, max: 46 })
    .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

  const gets = (s: Subject, i: number, amount: bigint) =>
    estimate(s.states.get(s.pool.stateIds[0]) as State, { i, j: 1 - i, amount, side: "in", at: s.at });

  test("fills a sale of base as the mirror says", () => {
    let filled = 0;
    fc.assert(
      fc.property(classicalSubjects, amounts, (s, amount) => {
        const exact = Number(sell(s, 0, amount)?.amountOut ?? 0n);
        if (exact === 0) return;
        filled++;
        const state = s.states.get(s.pool.stateIds[0]) as State;
        const float = dodo.quoteFloat(dodo.mirror(state, s.pool, s.at, s.states), 0, 1, Number(amount));
        expect(Math.abs(float - exact)).toBeLessThanOrEqual(float * 1e-9 + s.roundings);
      }),
      limits,
    );
    expect(filled).toBeGreaterThan(limits.numRuns * 0.9);
  });

  test("estimates a sale of quote, and its mirror has none: no route can execute it", () => {
    let filled = 0;
    fc.assert(
      fc.property(classicalSubjects, amounts, (s, amount) => {
        expect(sell(s, 1, amount)).toBeUndefined();
        const state = s.states.get(s.pool.stateIds[0]) as State;
        expect(dodo.quoteFloat(dodo.mirror(state, s.pool, s.at, s.states), 1, 0, Number(amount))).toBe(0);
        if (gets(s, 1, amount) !== undefined) filled++;
      }),
      limits,
    );
    expect(filled).toBeGreaterThan(limits.numRuns * 0.9);
  });

  test("never pays more for two sales than for one", () => {
    fc.assert(
      fc.property(classicalSubjects, fc.constantFrom(0, 1), amounts, (s, i, amount) => {
        const [whole, first] = [gets(s, i, 2n * amount), gets(s, i, amount)];
        if (whole === undefined || first === undefined) return;
        const second = gets(subjectOf(first.next), i, amount)?.amountOut ?? 0n;
        const kept = (2 * s.outputFee! + 1e-9) * Number(whole.amountOut);
        const more = Number(first.amountOut + second - whole.amountOut);
        expect(more).toBeLessThanOrEqual(kept + s.roundings);
      }),
      limits,
    );
  });

  test("takes no more than its limits, and nothing while it is closed", () => {
    const state: State = { ...stable, kind: "classical", limits: [stable.base + 5n, stable.quote] };
    const { pool, states } = subjectOf(state);
    expect(dodo.quote(states, pool, 0, 1, 5n, "in", at)).toBeDefined();
    expect(dodo.quote(states, pool, 0, 1, 6n, "in", at)).toBeUndefined();
    const closed = subjectOf({ ...state, open: false });
    expect(dodo.quote(closed.states, closed.pool, 0, 1, 5n, "in", at)).toBeUndefined();
    expect(dodo.quoteFloat(dodo.mirror({ ...state, open: false }, pool, at, states), 0, 1, 5)).toBe(0);
  });

  test("is stepped by its own kind, which pays the router alone", () => {
    const { pool } = subjectOf({ ...stable, kind: "classical" });
    expect(dodo.encode(pool, { ...stable, kind: "classical" }, 0, 1)).toMatchObject({
      kind: stepKinds.dodoV1,
      zeroForOne: true,
      intake: "approval",
      paysAnyone: false,
    });
  });
});

test("a sale past the target changes sides and stores the target", () => {
  const { pool, states } = subjectOf(stable);
  const fill = dodo.quote(states, pool, 1, 0, stable.quoteTarget, "in", at)!;
  const next = fill.writes[0]![1] as State;
  expect(next.side).toBe("above");
  expect(next.quoteTarget).toBeGreaterThan(stable.quote);
  expect(next.quote).toBe(stable.quote + stable.quoteTarget);
  // The maintainer's fee leaves the pool as well: 1/100,000 of the output before fees.
  const gone = stable.base - next.base;
  expect(gone - fill.amountOut).toBe(gone / 100_000n);
});

test.each<Kind>(["dpp", "classical"])(
  "a target of which the contract's words cannot hold the square is not traded (%s)",
  (kind) => {
    // PMMPricing of DODOEX/contractV2 c58c067 and Pricing of DODOEX/dodo-smart-contract d983485, compiled from their sources,
    // pay 599999999400000000001 for 600·10^18 at a target of 3·10^29, and revert at one of 4·10^29.
    const pay = (target: bigint) => {
      const targets = { base: target, quote: target, baseTarget: target, quoteTarget: target };
      const limits = [2n ** 200n, 2n ** 200n] as const;
      const state: State = { ...stable, ...targets, kind, side: "one", k: ONE / 2n, mtFee: 0n, limits };
      const { states, pool } = subjectOf(state);
      const paid = dodo.quote(states, pool, 0, 1, 600n * ONE, "in", at)?.amountOut;
      return [paid, dodo.quoteFloat(dodo.mirror(state, pool, at, states), 0, 1, 600e18) > 0];
    };
    expect(pay(3n * 10n ** 29n)).toEqual([599999999400000000001n, true]);
    expect(pay(4n * 10n ** 29n)).toEqual([undefined, false]);
  },
);

test("a classical pool of two units of quote does not sell them where its square root is that of 2", () => {
  // Trader._querySellBaseToken of DODOEX/dodo-smart-contract d983485, compiled, reverts (SUB_ERROR) and pays 2 for 30,000,000.
  const terms = {
    i: 67_343_386_985n,
    k: 806_754_074_175_842_048n,
    lpFee: 3n * 10n ** 15n,
    mtFee: 10n ** 15n,
  };
  const held = { base: 96_384_214n, quote: 2n, baseTarget: 77_062_675n, quoteTarget: 9n };
  const { states, pool } = subjectOf({ ...stable, ...terms, ...held, kind: "classical" });
  const pay = (amount: bigint) => dodo.quote(states, pool, 0, 1, amount, "in", at)?.amountOut;
  expect([pay(6_420_345n), pay(30_000_000n)]).toEqual([undefined, 2n]);
});

describe("pools that factories announce", () => {
  const births = dodo.topics.slice(0, 3);

  test.each(["dvm", "dsp", "dpp"].map((kind, k) => [kind, births[k]!] as const))("%s", (kind, topic) => {
    const log = { address: factory, topics: [topic], data: words(1n, 2n, 3n, 4n) } as const;
    const pool = dodo.discover(log, record);
    expect(pool).toMatchObject({ id: `0x${word(4n).slice(24)}`, facts: { kind } });
    expect(pool?.tokens.map(BigInt)).toEqual([1n, 2n]);
    expect(dodo.discover({ ...log, address: other }, record)).toBeUndefined();
    expect(dodo.discover({ ...log, data: words(1n) }, record)).toBeUndefined();
  });

  test("classical", () => {
    const log = { address: factory, topics: [dodo.topics[3]!], data: words(9n, 1n, 2n) } as const;
    const pool = dodo.discover(log, record);
    expect(pool).toMatchObject({ id: `0x${word(9n).slice(24)}`, facts: { kind: "classical" } });
    expect(pool?.tokens.map(BigInt)).toEqual([1n, 2n]);
  });
});

describe("what is read of a pool", () => {
  const poolOf = (kind: State["kind"]): Pool => subjectOf({ ...stable, kind }).pool;
  const fees = words(1n, 2n);
  const modern = [words(ONE), words(ONE / 2n), words(100n, 200n), fees, fees];

  test("a vending machine stores no targets", () => {
    expect(dodo.reads(poolOf("dvm"), [])).toHaveLength(5);
    expect(dodo.load(poolOf("dvm"), modern, at)).toMatchObject({
      ...{ kind: "dvm", i: ONE, k: ONE / 2n, base: 100n, quote: 200n, baseTarget: 0n, quoteTarget: 0n },
      ...{ side: "above", lpFee: 1n, mtFee: 2n, readFor: 7 },
    });
  });

  test("the others do", () => {
    expect(dodo.reads(poolOf("dpp"), [])).toHaveLength(8);
    const answers = [...modern, words(11n), words(12n), words(2n)];
    expect(dodo.load(poolOf("dpp"), answers, at)).toMatchObject({
      baseTarget: 11n,
      quoteTarget: 12n,
      side: "below",
    });
    expect(dodo.load(poolOf("dpp"), [...modern, words(11n), words(12n), words(3n)], at)).toHaveProperty(
      "refusal",
    );
  });

  test("a read that reverts, a price of 0, k over 1 and a fee by trader are refused", () => {
    const spoilt = (index: number, answer: Hex) => modern.map((good, k) => (k === index ? answer : good));
    for (const answers of [
      spoilt(0, "0x"),
      spoilt(0, words(0n)),
      spoilt(1, words(ONE + 1n)),
      spoilt(3, words(0n, 0n)),
      spoilt(2, words(1n)),
    ])
      expect(dodo.load(poolOf("dvm"), answers, at)).toHaveProperty("refusal");
  });

  test("classical pools are read in the order asked, and a closed one is refused", () => {
    const values = [ONE, ONE / 2n, 3n, 4n, 5n, 6n, 1n, 8n, 9n, 10n, 11n, 1n, 1n, 1n, 0n];
    expect(dodo.reads(poolOf("classical"), [])).toHaveLength(values.length);
    const read = (all: readonly bigint[]) =>
      dodo.load(
        poolOf("classical"),
        all.map((one) => words(one)),
        at,
      );
    expect(read(values)).toEqual({
      ...{ kind: "classical", i: ONE, k: ONE / 2n, base: 3n, quote: 4n, baseTarget: 5n, quoteTarget: 6n },
      ...{ side: "above", lpFee: 8n, mtFee: 9n, limits: [10n, 11n], open: true },
      ...{ readFor: 7, readAt: at.timestamp },
    });
    expect(read(values.with(11, 0n))).toMatchObject({ open: false });
    expect(read(values.with(13, 0n))).toMatchObject({ open: false });
    // Only purchases of base are disabled, which no route makes.
    expect(read(values.with(12, 0n))).toMatchObject({ open: true });
    expect(read(values.with(14, 1n))).toEqual({ refusal: "closed" });
    expect(read(values.with(1, ONE))).toHaveProperty("refusal");
  });
});

test("every log of a trade asks for the state anew; a price without a log is read every block", () => {
  const { pool, states } = subjectOf(stable);
  for (const topic of dodo.topics.slice(4)) {
    const log = { address: pool.address, topics: [topic], data: "0x" } as const;
    expect(dodo.touches(log)).toEqual([pool.address]);
    expect(dodo.apply(states.get(pool.id) as State, log, at)).toBe("reload");
  }
  const later = { ...at, blockNumber: 8 };
  const stale = (kind: State["kind"]) => [at, later].map((when) => dodo.stale({ ...stable, kind }, when));
  expect([stale("dsp"), stale("dvm")]).toEqual([
    [false, false],
    [false, false],
  ]);
  expect([stale("dpp"), stale("classical")]).toEqual([
    [false, true],
    [false, true],
  ]);
});

test("donations that are booked and the maintainer's fee have no log: other pools are read again after an hour", () => {
  const stale = (kind: State["kind"], seconds: number) =>
    dodo.stale({ ...stable, kind }, { blockNumber: 8, timestamp: at.timestamp + seconds });
  expect([stale("dsp", 3600), stale("dvm", 3600)]).toEqual([false, false]);
  expect([stale("dsp", 3601), stale("dvm", 3601)]).toEqual([true, true]);
});
