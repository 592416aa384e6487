import { describe, expect, test } from "vitest";
import { MAX_PRICE, MIN_PRICE, priceAtTick, tickAtPrice } from "../../core/math/ekubo/ekubo-price.ts";
import { type At, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../core/types.ts";
import { CORE, configOf, emptyPool, LENS, minted, POOL_ID, tickedType } from "./arbitrary.ts";
import { discover, touches } from "./events.ts";
import { ekubo } from "./index.ts";
import { load, reads } from "./reads.ts";
import { type State, swap, upTo } from "./state.ts";
import { coreSwap } from "./swap.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const at: At = { blockNumber: 7, timestamp: 1 };
const NONE = `0x${"00".repeat(20)}`;
const ORACLE = "0x517e506700271aea091b02f42756f5e174af5230";
const CAPTURE = "0x5555ff9ff2757500bf4ee020dcfd0210cffa41be";
const FEE = 9_223_372_036_854_775n;
const UNIT = 10n ** 18n;
/** The compact form of a price of one. */
const ONE = 2n ** 95n + 2n ** 62n;

const deployment: Deployment = {
  id: "ekubo",
  protocol: "ekubo",
  name: "Ekubo",
  factory: CORE,
  fromBlock: 0,
  trusted: true,
  facts: { lens: LENS, harmless: ORACLE },
  source: "test",
};

function initialized(config: Hex, address: Hex = CORE): Log {
  return {
    address,
    topics: ["0x5e4688b340694b7c7fd30047fd082117dc46e32acfbf81a44bb1fac0ae65154d"],
    data: words(BigInt(POOL_ID), 0, 2, BigInt(config), 0, ONE),
  };
}

const poolOf = (extension: string, type: number) =>
  discover(initialized(configOf(extension, FEE, type)), deployment) as Pool;

const pool = poolOf(NONE, tickedType(1000));

/** The lens's answer: a position of 10^18 from tick -2000 to 3000 at a price of one, in a window of 512,000 ticks. */
const answer = (
  head: readonly (bigint | number)[] = [0, ONE, UNIT],
  ticks: readonly (bigint | number)[] = [-2000, UNIT, 3000, -UNIT],
  window: readonly number[] = [-512_000, 512_000],
) => words(0x20, 1, 0x20, ...head, ...window, 0xc0, ticks.length / 2, ...ticks);

const state = load(pool, [answer()], at) as State;

describe("discovery", () => {
  test("a pool of the core; the zero address is the native coin", () => {
    expect(pool).toMatchObject({ id: POOL_ID, address: CORE, facts: { lens: LENS, isRouted: true } });
    expect(pool.tokens).toEqual([NATIVE, `0x${word(2).slice(24)}`]);
    expect(discover(initialized(configOf(NONE, FEE, 0), LENS), deployment)).toBeUndefined();
  });

  test("a deployment without a lens is a wrong record", () => {
    const wrong = { ...deployment, facts: {} };
    expect(() => discover(initialized(configOf(NONE, FEE, 0)), wrong)).toThrow(/lens/);
  });

  test("an extension is refused without a call, unless the deployment lists it as harmless", () => {
    const captured = poolOf(CAPTURE, tickedType(1000));
    expect(reads(captured, [])).toEqual([]);
    expect(load(captured, [], at)).toEqual({ refusal: expect.stringContaining("extension") });
    expect(load(poolOf(ORACLE, 0), [answer()], at)).toMatchObject({ price: 2n ** 128n });
  });

  test("a changed position is a reason to read again", () => {
    const topic = "0x704b3ab4a76158ad4d66625a2a43be81edbffd24630e8fde5174e97035370a07";
    const log: Log = { address: CORE, topics: [topic], data: words(1, BigInt(POOL_ID), 0, 1, 0, 0) };
    expect(touches(log)).toEqual([POOL_ID]);
    expect(ekubo.apply(state, log, at)).toBe("reload");
  });
});

describe("reading", () => {
  test("price and ticks come from one call of the lens", () => {
    const [call, ...more] = reads(pool, []);
    expect(more).toEqual([]);
    const key = [0n, 2n, BigInt(configOf(NONE, FEE, tickedType(1000)))];
    expect(call).toEqual({ to: LENS, data: `0x1a2b199e${words(0x40, 4, 1, ...key).slice(2)}` });
    expect(reads(pool, [answer()])).toEqual([]);
    expect(state).toMatchObject({ ticks: [-2000, 3000], nets: [UNIT, -UNIT], tick: 0, fee: FEE });
    expect(state).toMatchObject({ price: 2n ** 128n, liquidity: UNIT, lowest: -512_000, highest: 512_000 });
  });

  test("a state is read again in every block, since swaps have no topic", () => {
    expect(ekubo.stale(state, { ...at, blockNumber: 8 })).toBe(false);
    expect(ekubo.stale(state, { ...at, blockNumber: 9 })).toBe(true);
  });

  test("the lens gives the liquidity of a pool of one range whether or not the price is within", () => {
    const ranged = poolOf(NONE, 10 << 24);
    const whole = [-88_722_835, 88_722_835];
    const ends = [-86_643, UNIT, 86_643, -UNIT];
    const within = load(ranged, [answer([0, ONE, UNIT], ends, whole)], at) as State;
    expect(within).toMatchObject({ liquidity: UNIT, ticks: [-86_643, 86_643] });
    const above = [100_000, compactOf(priceAtTick(100_000)), UNIT];
    expect(load(ranged, [answer(above, ends, whole)], at)).toMatchObject({ liquidity: 0n });
    const full = [-88_722_835, UNIT, 88_722_835, -UNIT];
    expect(load(poolOf(NONE, 0), [answer([0, ONE, UNIT], full, whole)], at)).toMatchObject({
      ticks: [],
      liquidity: UNIT,
    });
  });

  test.each<[string, Hex]>([
    ["getQuoteData failed", "0x"],
    [
      "getQuoteData answered other than expected",
      `${answer([0, ONE, UNIT], []).slice(0, -64)}${word(1)}` as Hex,
    ],
    ["the price is out of bounds", answer([0, 5, UNIT])],
    ["the tick is not the price's", answer([5, ONE, UNIT])],
    ["the tick is not the price's", answer([-2, ONE, UNIT])],
    ["the tick is outside of the window", answer([0, ONE, UNIT], [], [10, 20])],
    ["ticks are not in order", answer([0, ONE, UNIT], [3000, -UNIT, -2000, UNIT])],
    ["liquidity below zero", answer([0, ONE, 5])],
  ])("refused: %s", (refusal, reply) => {
    expect(load(pool, [reply], at)).toEqual({ refusal });
  });

  test("a pool that fell to the price of a tick has the tick below", () => {
    expect(load(pool, [answer([-1, ONE, UNIT])], at)).toMatchObject({ tick: -1 });
  });

  test("beyond the window the pool refuses", () => {
    const narrow = load(pool, [answer([0, ONE, UNIT], [], [-1000, 1000])], at) as State;
    expect(coreSwap(narrow, { isToken1: true, amount: UNIT / 10_000n })).toMatchObject({ unfilled: 0n });
    expect(coreSwap(narrow, { isToken1: true, amount: UNIT })).toMatchObject({ atEdge: true });
    const view = new Map([[POOL_ID, narrow]]);
    expect(ekubo.quote(view, pool, 1, 0, UNIT, "in", at)).toBeUndefined();
  });
});

function compactOf(price: bigint): bigint {
  let k = 0n;
  while (price >= 1n << (96n + 32n * k)) k++;
  return (k << 94n) | (price >> (2n + 32n * k));
}

describe("prices", () => {
  test("the extreme ticks have the core's extreme prices", () => {
    expect(compactOf(MIN_PRICE)).toBe(4_611_797_791_050_542_631n);
    expect(compactOf(MAX_PRICE)).toBe(79_227_682_466_138_141_934_206_691_491n);
  });

  test("the tick of a tick's price is the tick, and of one unit less the tick below", () => {
    for (const tick of [-88_722_834, -1_000_001, -1, 0, 1, 77, 345_678, 88_722_835]) {
      const price = priceAtTick(tick);
      expect(tickAtPrice(price)).toBe(tick);
      expect(tickAtPrice(price - 1n)).toBe(tick - 1);
    }
  });
});

describe("extensions, which the vectors record and the chain's pools are refused for", () => {
  const plain = minted(emptyPool(0, 0, FEE), { lower: -2_000_000, upper: 2_000_000, liquidity: UNIT });
  const captured: State = { ...plain, extension: { kind: "mevCapture", tickSpacing: 1000, tickLast: 0 } };

  test("MEV capture takes more the further the block has moved the price", () => {
    const [first, second] = [UNIT / 1000n, UNIT / 10n].map((amount) => {
      const [free, kept] = [plain, captured].map((pool) => swap(pool, false, amount, 1)!.amountOut);
      return Number(free! - kept!) / Number(free);
    });
    expect(first).toBeLessThan(0.002);
    expect(second).toBeGreaterThan(0.05);
  });

  test("orders over time move the price before a swap, towards their own", () => {
    const orders = { rates: [2n ** 52n, 0n] as const, changes: [], executedAt: 0 };
    const sold: State = { ...plain, extension: { kind: "twamm", ...orders } };
    const pays = (timestamp: number) => swap(sold, false, 1000n, timestamp)!.price;
    expect(pays(0)).toBeGreaterThan(pays(1_000_000_000));
    const now = upTo(sold, 1_000_000_000)!;
    expect(upTo(now, 1_000_000_000)).toEqual(now);
  });
});
