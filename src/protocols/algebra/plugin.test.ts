import { describe, expect, test } from "vitest";
import type { Call, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { answersTo } from "../recorded-pool.fixture.ts";
import { CONFIG, historyOf, POOL, pastOf } from "./arbitrary.ts";
import { apply, discover, touches } from "./events.ts";
import { last, type Timepoint } from "./history.ts";
import { algebra } from "./index.ts";
import { settled } from "./past.ts";
import { bitmap, load, reads } from "./reads.ts";
import { slid, slidingFees } from "./sliding-fee.ts";
import { isFirst, type State, stateAt } from "./state.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const PLUGIN_FACTORY = "0x00000000000000000000000000000000000000fc";
const PLUGIN = 0xfdn;
const ONE = 2n ** 96n;
const L = 10n ** 18n;
const NOW = 1_700_000_600;
const at = { blockNumber: 1, timestamp: NOW };
/** Flags of the plugins: after the initialisation, before a swap, and the right to set the fee. */
const FLAGS = 0b1100_0001;

function recordOf(facts: Deployment["facts"]): Deployment {
  return {
    ...{ id: "algebra", protocol: "algebra", name: "Algebra", factory: FACTORY, fromBlock: 0 },
    ...{ trusted: false, facts: { version: "integral", ...facts }, source: "test" },
  };
}

function poolOf(facts: Deployment["facts"]): Pool {
  const topics = [
    "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
    words(1),
    words(2),
  ] as const;
  return discover({ address: FACTORY, topics, data: words(BigInt(POOL)) }, recordOf(facts))!;
}

const adaptive = poolOf({ plugin: "adaptive", pluginFactory: PLUGIN_FACTORY });
const sliding = poolOf({ plugin: "sliding", pluginFactory: PLUGIN_FACTORY });

type Contracts = {
  readonly flags?: number;
  /** The pool's plugin, and the one that the factory made for it. */
  readonly plugins?: readonly [own: bigint, made: bigint];
  readonly config?: Hex;
  readonly points?: readonly Timepoint[];
};

const point = (timestamp: number, tick: number): Timepoint => ({
  ...{ timestamp, tick, averageTick: tick, tickCumulative: 0n },
  ...{ volatilityCumulative: 0n, volumeCumulative: 0n },
});

const { alpha1, alpha2, beta1, beta2, gamma1, gamma2, baseFee } = CONFIG;
const USUAL = words(alpha1, alpha2, beta1, beta2, gamma1, gamma2, baseFee);

/** Answers of a pool at price 1 with one position from tick -600 to 600, and of its plugin. */
function answersOf(pool: Pool, contracts: Contracts = {}): Hex[] {
  const {
    flags = FLAGS,
    plugins = [PLUGIN, PLUGIN],
    config = USUAL,
    points = [point(NOW - 60, 0)],
  } = contracts;
  const named: Readonly<Record<string, Hex>> = {
    "0xe76c01e4": words(ONE, 0, 700, flags),
    "0x1a686502": words(L),
    "0xef01df4f": words(plugins[0]),
    "0xcdef16f6": words(plugins[1]),
    "0x0786feb6": words(points.length - 1),
    "0x1e5eb1d0": config,
    "0x0f28c97d": words(NOW),
    "0x58e31bfd": words(ONE, ONE),
    "0x7b3de5c6": words(1000),
    "0x08cd1975": words(3000),
  };
  const answer = ({ data }: Call): Hex => {
    const selector = data.slice(0, 10);
    const argument = data.length > 10 ? BigInt.asIntN(256, BigInt(`0x${data.slice(10)}`)) : 0n;
    if (named[selector] !== undefined) return named[selector];
    if (selector === "0x74eceae6") {
      const found = points[Number(argument)];
      return found === undefined
        ? words(0, 0, 0, 0, 0, 0, 0)
        : words(1, found.timestamp, 0, 0, found.tick, found.tick, 0);
    }
    if (selector === "0xf30dba93") return words(L, argument < 0n ? L : -L);
    const bit = (tick: bigint) => (tick >> 8n === argument ? 1n << (tick & 255n) : 0n);
    return words(bit(-600n) | bit(600n));
  };
  return answersTo(reads, pool, answer);
}

const read = (pool: Pool, contracts?: Contracts) => load(pool, answersOf(pool, contracts), at);

describe("a plugin that is called before a swap", () => {
  test("is refused unless the stated factory made it for this pool", () => {
    const unproven = { refusal: "the plugin is not of the stated factory" };
    expect(read(adaptive, { plugins: [PLUGIN, 0n] })).toEqual(unproven);
    expect(read(adaptive, { plugins: [PLUGIN + 1n, PLUGIN] })).toEqual(unproven);
    expect(read(adaptive, { plugins: [0n, 0n] })).toEqual(unproven);
    expect(load(adaptive, answersOf(adaptive).with(3, "0x"), at)).toEqual(unproven);
    expect(read(poolOf({}))).toEqual({ refusal: "a plugin may set the fee of a swap" });
    expect(read(adaptive)).toMatchObject({ feePpm: 700, past: { readAt: NOW } });
  });

  test("does not matter where the pool does not call it", () => {
    expect(read(adaptive, { flags: 0b1100_0000, plugins: [PLUGIN, 0n] })).toMatchObject({ feePpm: 700 });
  });

  test("is refused where every swap would revert, or its fee could be the pool's own", () => {
    expect(read(adaptive, { flags: 1 })).toEqual({ refusal: "the plugin may not set the fee" });
    expect(read(adaptive, { points: [] })).toEqual({ refusal: "timepointIndex failed" });
    expect(read(adaptive, { config: words(0, 0, 1, 1, 1, 1, 0) })).toEqual({
      refusal: "a plugin's fee of zero is ambiguous",
    });
    expect(load(sliding, answersOf(sliding).with(5, "0x"), at)).toEqual({
      refusal: "the sliding fee's parameters failed",
    });
  });

  test("needs reads before the ticks", () => {
    expect([bitmap(adaptive), bitmap(poolOf({}))?.heads.length]).toEqual([undefined, 2]);
  });

  test("of an unknown kind, or of no factory, is a wrong record", () => {
    expect(() => poolOf({ plugin: "lunar", pluginFactory: PLUGIN_FACTORY })).toThrow(/plugin must be one of/);
    expect(() => poolOf({ plugin: "adaptive" })).toThrow(/pluginFactory/);
  });
});

test("the fee of the newest timepoint's block is the plugin's, which the pool need not have", () => {
  const state = read(adaptive, { points: [point(NOW, 0)] }) as State;
  expect(state.feePpm).toBe(CONFIG.baseFee);
});

test("parameters that the pool does not announce are read again after an hour", () => {
  const flat = read(adaptive, { config: words(0, 0, 1, 1, 1, 1, 250) }) as State;
  expect(flat).toMatchObject({ feePpm: 250, feeOneToZeroPpm: 250, readAt: NOW });
  for (const state of [flat, read(sliding) as State, read(adaptive) as State])
    expect([3600, 3601].map((age) => algebra.stale(state, { blockNumber: 2, timestamp: NOW + age }))).toEqual(
      [false, true],
    );
});

const log = (topic: Hex, data: Hex, ...more: Hex[]): Log => ({
  address: POOL,
  topics: [topic, ...more],
  data,
});
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
const SWAP_WITH_FEES = "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79";
const SWAP_FEE = "0x9443903d84c9719611bd4bba871daaf18a3950d00d5d78b1a2fa701f76df54ff";
const FEE = "0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a";
const MINT = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";

/** A pool whose next fee is not the one before. */
const moving: State = {
  ...(read(adaptive) as State),
  tick: 1500,
  ...{ lowest: -10_000, highest: 10_000 },
  past: pastOf(historyOf("integral", 0, [{ seconds: 3600, by: 700, volume: 0n }])),
};
const later = { blockNumber: 2, timestamp: last(moving.past!.history).timestamp + 60 };
const next = settled(moving, later.timestamp)!;
const swapData = [5, -4, ONE, 7, 1499] as const;

describe("logs of a pool with an adaptive plugin", () => {
  test("a fee that the plugin set, or returned, is what follows from the past", () => {
    expect(next.feePpm).toBeGreaterThan(CONFIG.baseFee);
    for (const told of [log(FEE, words(next.feePpm)), log(SWAP_FEE, words(next.feePpm, 0), words(1))])
      expect([apply(moving, told, later), touches(told)]).toEqual([next, [POOL]]);
    const whole = apply(moving, log(SWAP_WITH_FEES, words(...swapData, next.feePpm, 0)), later);
    expect(whole).toMatchObject({ feePpm: next.feePpm, liquidity: 7n, tick: 1499, past: next.past });
    expect(apply(next, log(SWAP, words(...swapData)), later)).toEqual(whole);
  });

  test("another fee, a fee of the plugin's own, or none where one was due, reads the pool anew", () => {
    const odd = [
      log(FEE, words(next.feePpm + 1)),
      log(SWAP_FEE, words(next.feePpm - 1, 0), words(1)),
      log(SWAP_FEE, words(next.feePpm, 1), words(1)),
      log(SWAP_WITH_FEES, words(...swapData, next.feePpm, 1)),
      log(SWAP, words(...swapData)),
    ];
    for (const told of odd) expect(apply(moving, told, later)).toBe("reload");
  });

  test("a position in range writes no timepoint", () => {
    const mint = log(MINT, words(1, 9, 0, 0), words(1), words(1200), words(1800));
    expect(apply(moving, mint, later)).toMatchObject({ liquidity: L + 9n, past: moving.past, feePpm: 700 });
  });
});

describe("a fee that slides", () => {
  const start = { ...(read(sliding) as State), ...{ lowest: -10_000, highest: 10_000, tick: 100 } };

  test("is higher along the last move of the price, lower against it, and moves with each swap", () => {
    const ready = stateAt(start, later.timestamp)!;
    expect([ready.feePpm, ready.feeOneToZeroPpm]).toEqual([2969, 3030]);
    const again = stateAt({ ...ready, tick: 200 }, later.timestamp)!;
    expect([again.feePpm, again.feeOneToZeroPpm]).toEqual([2939, 3060]);
    expect([isFirst(start, ready), isFirst(ready, again)]).toEqual([true, false]);
  });

  test("stays between nothing and double, but is at least 1", () => {
    const eager = { ...start.sliding!, priceChangeFactor: 5000 };
    const moved = (tick: number) => slidingFees(slid(eager, tick, NOW));
    expect([moved(20_000), moved(-20_000)]).toEqual([
      [1, 6000],
      [6000, 1],
    ]);
    expect(slidingFees({ ...start.sliding!, baseFee: 65_000, factors: [2n * ONE, 0n] })).toEqual([65_535, 1]);
  });

  test("is followed by its Swap logs, with which another base fee reads the pool anew", () => {
    const ready = stateAt(start, later.timestamp)!;
    const after = apply(start, log(SWAP_WITH_FEES, words(...swapData, 2969, 0)), later);
    expect(after).toMatchObject({ tick: 1499, sliding: ready.sliding, feePpm: 2969 });
    expect(apply(start, log(SWAP, words(...swapData)), later)).toEqual(after);
    expect(apply(start, log(SWAP_FEE, words(3030, 0), words(1)), later)).toBe(start);
    expect(apply(start, log(FEE, words(9)), later)).toBe(start);
    for (const told of [
      log(SWAP_WITH_FEES, words(...swapData, 2970, 0)),
      log(SWAP_FEE, words(3000, 0), words(1)),
    ])
      expect(apply(start, told, later)).toBe("reload");
  });
});
