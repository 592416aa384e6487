import fc from "fast-check";
import { encodeEventTopics, getAddress } from "viem/utils";
import { describe, expect, test } from "vitest";
import { MAX_TICK, MIN_TICK } from "../../core/math/concentrated/tick-math.ts";
import type { Hex } from "../../core/types.ts";
import { emptyPool, minted } from "../shared/concentrated/concentrated-arbitrary.ts";
import { POOL, states, subjectOf } from "./arbitrary.ts";
import {
  abi,
  at,
  contractOf,
  deployment,
  factory,
  limits,
  loaded,
  log,
  mintLog,
  readAll,
  some,
  start,
  swapLog,
  WHO,
  words,
} from "./contract.fixture.ts";
import { uniswapV3 } from "./index.ts";
import { gasOf, type State } from "./state.ts";

describe("discovery", () => {
  const created = log(
    encodeEventTopics({
      abi,
      eventName: "PoolCreated",
      args: { token0: WHO, token1: getAddress(POOL), fee: 500 },
    }),
    words(10n, BigInt(POOL)),
  );

  test("a pool is announced by its factory", () => {
    expect(uniswapV3.discover({ ...created, address: factory }, deployment)).toEqual({
      id: POOL,
      address: POOL,
      protocol: "uniswap-v3",
      deployment: "uniswap-v3",
      tokens: [WHO, POOL],
      stateIds: [POOL],
      facts: { feePpm: 500, tickSpacing: 10 },
    });
  });

  test("anyone else's announcement, and any other log, is not believed", () => {
    expect(uniswapV3.discover(created, deployment)).toBeUndefined();
    expect(uniswapV3.discover({ ...swapLog(some), address: factory }, deployment)).toBeUndefined();
    expect(uniswapV3.discover({ ...created, address: factory, data: "0x" }, deployment)).toBeUndefined();
  });
});

describe("reads", () => {
  test("the state that is loaded is the pool's", () => {
    fc.assert(
      fc.property(states, (state) => {
        const wide = state.tickSpacing >= 7;
        expect(loaded(state)).toEqual(
          wide ? state : { ...state, lowest: expect.any(Number), highest: expect.any(Number) },
        );
      }),
      limits,
    );
  });

  test.each([
    [60, [118, 2]],
    [10, [2 + 694, 2]],
    [7, [2 + 992, 2]],
    [1, [2, 1025, 2]],
  ])("at spacing %i so many reads a round: %j", (tickSpacing, rounds) => {
    const spaced = minted(emptyPool({ feePpm: 500, tickSpacing }, 3, 5), {
      lower: -20 * tickSpacing,
      upper: 30 * tickSpacing,
      liquidity: 5n,
    });
    expect(readAll(subjectOf(spaced).pool, contractOf(spaced)).rounds).toEqual(rounds);
  });

  test("at spacing 1 a window around the price is known, and the ends of all prices where it meets them", () => {
    const middle = minted(emptyPool({ feePpm: 100, tickSpacing: 1 }, 1000, 0), {
      lower: 0,
      upper: 2000,
      liquidity: 9n,
    });
    expect(loaded(middle)).toEqual({ ...middle, lowest: (3 - 512) * 256, highest: (3 + 512) * 256 + 255 });
    const low = minted(emptyPool({ feePpm: 100, tickSpacing: 1 }, -880_000, 0), {
      lower: -887_272,
      upper: -870_000,
      liquidity: 9n,
    });
    expect(loaded(low)).toMatchObject({ ...low, lowest: MIN_TICK, highest: (-3438 + 512) * 256 + 255 });
  });

  test("a position that reaches beyond the window counts within it", () => {
    const whole = minted(emptyPool({ feePpm: 100, tickSpacing: 1 }, 0, 5), {
      lower: -887_272,
      upper: 887_272,
      liquidity: 10n ** 18n,
    });
    const state = loaded(whole) as State;
    expect(state).toMatchObject({ liquidity: 10n ** 18n, ticks: [], lowest: -131_072 });
    const { pool } = subjectOf(state);
    const ask = (from: State, x: bigint) => uniswapV3.quote(subjectOf(from).states, pool, 0, 1, x, "in", at);
    expect(ask(state, 10n ** 17n)?.amountOut).toBe(ask(whole, 10n ** 17n)?.amountOut);
    expect(ask(state, 10n ** 24n)).toBeUndefined();
    expect(ask(whole, 10n ** 24n)?.amountOut).toBeGreaterThan(0n);
    const mirror = uniswapV3.mirror(state, pool, at, new Map());
    expect(uniswapV3.quoteFloat(mirror, 0, 1, 1e24)).toBe(0);
    expect(uniswapV3.curve(mirror, 0, 1)?.end).toBeLessThan(1e24);
  });

  test("a pool that is not initialised is a state that cannot fill, until it is", () => {
    const { pool } = subjectOf(start);
    const state = loaded({ ...start, sqrtPriceX96: 0n, tick: 0 }) as State;
    const ask = (from: unknown) => uniswapV3.quote(new Map([[POOL, from]]), pool, 0, 1, 1000n, "in", at);
    expect(ask(state)).toBeUndefined();
    const initialised = uniswapV3.apply(
      state,
      log(encodeEventTopics({ abi, eventName: "Initialize" }), words(start.sqrtPriceX96, 7n)),
      at,
    );
    const ready = uniswapV3.apply(initialised as State, mintLog(-600, 600, 10n ** 18n), at);
    expect(ready).toEqual(some);
    expect(ask(ready)?.amountOut).toBe(997n);
  });
});

describe("refusals", () => {
  const { pool } = subjectOf(some);
  const { answers } = readAll(pool, contractOf(some));
  const without = (index: number, answer: Hex) => answers.map((given, k) => (k === index ? answer : given));

  test.each([
    ["slot0 or liquidity failed", without(0, "0x")],
    ["slot0 or liquidity failed", without(1, "0x")],
    ["the tick bitmap failed", without(5, "0x")],
    ["the tick bitmap failed", answers.slice(0, 50)],
    ["ticks failed", without(answers.length - 1, "0x")],
    ["ticks failed", answers.slice(0, -1)],
    ["bitmap and ticks disagree", without(answers.length - 1, words(0n, 0n))],
    ["liquidity is not its ticks' sum", without(1, words(5n))],
    ["the tick is not the price's", without(0, words(some.sqrtPriceX96, 8n))],
    ["the tick is not the price's", without(0, words(5n, 7n))],
  ])("%s", (refusal, given) => {
    expect(uniswapV3.load(pool, given, at)).toEqual({ refusal });
  });

  test.each([
    ["both tokens are the same", { ...pool, tokens: [WHO, WHO] as const }],
    ["fee or tick spacing out of range", { ...pool, facts: { feePpm: 1_000_000, tickSpacing: 60 } }],
    ["fee or tick spacing out of range", { ...pool, facts: { feePpm: 500, tickSpacing: 0 } }],
  ])("%s", (refusal, wrong) => {
    expect(uniswapV3.load(wrong, answers, at)).toEqual({ refusal });
  });
});

describe("edges of a quote", () => {
  const { pool, states: view } = subjectOf(some);
  const ask = (amount: bigint, side: "in" | "out") => uniswapV3.quote(view, pool, 0, 1, amount, side, at);

  test("an input that the pool cannot take whole is refused, though the pool would fill a part", () => {
    let [low, high] = [1n, 10n ** 20n];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (ask(middle, "in") === undefined) high = middle;
      else low = middle;
    }
    const all = ask(low, "in")!;
    expect(all.amountIn).toBe(low);
    expect(ask(all.amountOut, "out")?.amountIn).toBeLessThanOrEqual(low);
    expect(ask(all.amountOut + 1n, "out")).toBeUndefined();
  });

  test("gas grows with the ticks that are crossed, and with the words in which they are looked for", () => {
    const inner = minted(some, { lower: -60, upper: 60, liquidity: 10n ** 18n });
    const out = uniswapV3.quote(subjectOf(inner).states, pool, 0, 1, 10n ** 16n, "in", at);
    expect(ask(10n ** 10n, "in")?.gas).toBe(gasOf(0));
    expect(out?.gas).toBe(gasOf(1, 1));
  });

  test("the step names the pool and the direction", () => {
    expect(uniswapV3.encode(pool, some, 0, 1)).toEqual({
      kind: 3,
      target: POOL,
      zeroForOne: true,
      extra: "0x",
      intake: "callback",
      paysAnyone: true,
    });
  });

  test("a full-range pool is priced to the ends of all prices", () => {
    const most = Math.floor(MAX_TICK / 60) * 60;
    const full = minted(start, { lower: -most, upper: most, liquidity: 10n ** 18n });
    const fill = uniswapV3.quote(subjectOf(full).states, pool, 1, 0, 10n ** 36n, "in", at);
    const mirror = uniswapV3.mirror(full, pool, at, new Map());
    expect(uniswapV3.quoteFloat(mirror, 1, 0, 1e36) / Number(fill!.amountOut)).toBeCloseTo(1, 9);
  });
});
