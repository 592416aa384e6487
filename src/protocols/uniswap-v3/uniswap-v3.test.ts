import fc from "fast-check";
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  parseAbi,
} from "viem";
import { describe, expect, test } from "vitest";
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../../core/math/tick-math.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { emptyPool, minted } from "../concentrated-arbitrary.ts";
import { POOL, states, subjectOf } from "./arbitrary.ts";
import { uniswapV3 } from "./index.ts";
import { gasOf, type State } from "./state.ts";

const limits = { numRuns: 60, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true };
const abi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function tickBitmap(int16) view returns (uint256)",
  "function ticks(int24) view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool)",
]);
const wider = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 fees0, uint128 fees1)",
]);

const WHO = "0x00000000000000000000000000000000000000cc";
const factory = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
const at = { blockNumber: 1, timestamp: 1 };
const deployment: Deployment = {
  id: "uniswap-v3",
  protocol: "uniswap-v3",
  name: "Uniswap_V3",
  factory,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

const log = (topics: unknown, data: Hex): Log => ({ address: POOL, topics: topics as Hex[], data });
const words = (...values: bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "int256" }) as const),
    values,
  );

function swapLog({ sqrtPriceX96, liquidity, tick }: State): Log {
  const topics = encodeEventTopics({ abi, eventName: "Swap", args: { sender: WHO, recipient: WHO } });
  return log(topics, words(5n, -6n, sqrtPriceX96, liquidity, BigInt(tick)));
}

function mintLog(lower: number, upper: number, amount: bigint): Log {
  const args = { owner: WHO, tickLower: lower, tickUpper: upper } as const;
  return log(encodeEventTopics({ abi, eventName: "Mint", args }), words(BigInt(WHO), amount, 1n, 2n));
}

function burnLog(lower: number, upper: number, amount: bigint): Log {
  const args = { owner: WHO, tickLower: lower, tickUpper: upper } as const;
  return log(encodeEventTopics({ abi, eventName: "Burn", args }), words(amount, 1n, 2n));
}

/** A pool contract that holds `state`: what it answers to the reads that are made of it. */
function contractOf(state: State): (data: Hex) => Hex {
  const bitmap = new Map<number, bigint>();
  for (const tick of state.ticks) {
    const compressed = tick / state.tickSpacing;
    const bit = 1n << BigInt(((compressed % 256) + 256) % 256);
    bitmap.set(compressed >> 8, (bitmap.get(compressed >> 8) ?? 0n) | bit);
  }
  const answers = new Map<Hex, Hex>();
  answers.set(
    encodeFunctionData({ abi, functionName: "slot0" }),
    encodeFunctionResult({
      abi,
      functionName: "slot0",
      result: [state.sqrtPriceX96, state.tick, 1, 1, 1, 0, true],
    }),
  );
  answers.set(encodeFunctionData({ abi, functionName: "liquidity" }), words(state.liquidity));
  for (const [position, bits] of bitmap)
    answers.set(
      encodeFunctionData({ abi, functionName: "tickBitmap", args: [position] }),
      encodeFunctionResult({ abi, functionName: "tickBitmap", result: bits }),
    );
  state.ticks.forEach((tick, k) => {
    answers.set(
      encodeFunctionData({ abi, functionName: "ticks", args: [tick] }),
      words(state.grosses[k]!, state.nets[k]!, 0n, 0n, 0n, 0n, 0n, 1n),
    );
  });
  return (data) => answers.get(data) ?? words(0n);
}

/** Asks until nothing more is wanted, as the edge does. */
function readAll(pool: Pool, answer: (data: Hex) => Hex): { answers: Hex[]; rounds: number[] } {
  const answers: Hex[] = [];
  const rounds: number[] = [];
  for (let calls = uniswapV3.reads(pool, answers); calls.length > 0; calls = uniswapV3.reads(pool, answers)) {
    for (const call of calls) expect(call.to).toBe(pool.address);
    answers.push(...calls.map(({ data }) => answer(data)));
    rounds.push(calls.length);
  }
  return { answers, rounds };
}

function loaded(state: State): unknown {
  const { pool } = subjectOf(state);
  return uniswapV3.load(pool, readAll(pool, contractOf(state)).answers, at);
}

const start = emptyPool({ feePpm: 3000, tickSpacing: 60 }, 7, 0);
const some = minted(start, { lower: -600, upper: 600, liquidity: 10n ** 18n });

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

describe("events", () => {
  test("a Swap event gives the state that the quote wrote", () => {
    fc.assert(
      fc.property(states, fc.nat({ max: 1 }), fc.bigInt({ min: 1n, max: 2n ** 90n }), (state, i, amount) => {
        const { pool, states: view } = subjectOf(state);
        const fill = uniswapV3.quote(view, pool, i, 1 - i, amount, "in", at);
        if (fill === undefined) return;
        const after = fill.writes[0]![1] as State;
        expect(uniswapV3.apply(state, swapLog(after), at)).toEqual(after);
        if (state.tickSpacing >= 7) expect(loaded(after)).toEqual(after);
      }),
      limits,
    );
  });

  test("PancakeSwap's wider Swap event is read the same", () => {
    const topics = encodeEventTopics({
      abi: wider,
      eventName: "Swap",
      args: { sender: WHO, recipient: WHO },
    });
    const data = words(5n, -6n, sqrtRatioAtTick(120), 77n, 120n, 3n, 4n);
    const after = uniswapV3.apply(some, log(topics, data), at);
    expect(after).toEqual({ ...some, sqrtPriceX96: sqrtRatioAtTick(120), liquidity: 77n, tick: 120 });
    expect(uniswapV3.topics).toContain(topics[0]);
  });

  test("the state after Mint and Burn events is the state that is loaded", () => {
    fc.assert(
      fc.property(
        states,
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (state, k, width) => {
          const lower = (Math.floor(state.tick / state.tickSpacing) + k) * state.tickSpacing;
          const upper = lower + width * state.tickSpacing;
          const more = uniswapV3.apply(state, mintLog(lower, upper, 1000n), at) as State;
          expect(more).toEqual(minted(state, { lower, upper, liquidity: 1000n }));
          const less = uniswapV3.apply(more, burnLog(lower, upper, 400n), at) as State;
          expect(less).toEqual(minted(state, { lower, upper, liquidity: 600n }));
          if (state.tickSpacing >= 7) expect(loaded(less)).toEqual(less);
          expect(uniswapV3.apply(less, burnLog(lower, upper, 600n), at)).toEqual(state);
        },
      ),
      limits,
    );
  });

  test("a position that ends at the price's tick is out of range, one that begins there is in", () => {
    const onTick = minted(emptyPool({ feePpm: 3000, tickSpacing: 60 }, 60, 0), {
      lower: -60,
      upper: 120,
      liquidity: 10n,
    });
    expect(uniswapV3.apply(onTick, mintLog(0, 60, 5n), at)).toMatchObject({ liquidity: 10n });
    expect(uniswapV3.apply(onTick, mintLog(60, 120, 5n), at)).toMatchObject({ liquidity: 15n });
  });

  test("a burn of nothing collects fees only", () => {
    expect(uniswapV3.apply(some, burnLog(0, 60, 0n), at)).toBe(some);
  });

  test("what the table does not know is read again", () => {
    expect(uniswapV3.apply(some, burnLog(0, 60, 5n), at)).toBe("reload");
    const window = { ...some, lowest: -1000, highest: 1000 };
    const beyond = { ...some, tick: 5000, sqrtPriceX96: sqrtRatioAtTick(5000) };
    expect(uniswapV3.apply(window, swapLog(beyond), at)).toBe("reload");
    expect(uniswapV3.apply(some, swapLog(beyond), at)).toEqual(beyond);
  });

  test("touches names the emitter for state events only", () => {
    expect(uniswapV3.touches(mintLog(0, 60, 1n))).toEqual([POOL]);
    expect(uniswapV3.touches({ ...mintLog(0, 60, 1n), topics: [uniswapV3.topics[0]!] })).toEqual([]);
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
