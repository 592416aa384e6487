import { describe, expect, test } from "vitest";
import { fillTick, tickCurve } from "../../core/math/maverick-ticks/maverick-v2-math.ts";
import type { Deployment, Hex, Log } from "../../core/types.ts";
import { answersTo } from "../recorded-pool.fixture.ts";
import { POOL } from "./arbitrary.ts";
import { maverickV2 } from "./index.ts";
import { settle } from "./moves.ts";
import { apply, discover, load, reads, topics, touches } from "./pools.ts";
import type { Mover, State, Tick } from "./state.ts";
import { sell, swap, trade } from "./swap.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const E18 = 10n ** 18n;
const UNIT = 10n ** 8n;
const NOW = 5_000;

const deployment: Deployment = {
  id: "maverick-v2",
  protocol: "maverick-v2",
  name: "Maverick",
  factory: FACTORY,
  fromBlock: 0,
  trusted: false,
  facts: {},
  source: "test",
};
const facts = [POOL, 0, E18 / 1000n, E18 / 500n, 50, 60, -3, 1, 2, 15] as const;
const createdBy = (accessor: number): Log => ({
  address: FACTORY,
  topics: [topics[0]!],
  data: words(...facts.map(BigInt), accessor),
});
const pool = discover(createdBy(0), deployment)!;
const at = { blockNumber: 1, timestamp: NOW + 12 };

const still = (tick: number, a: bigint, b: bigint): Tick => ({ tick, a, b, supply: a + b, movers: [] });
const moving = (tick: number, a: bigint, b: bigint, ...movers: readonly Mover[]): Tick => ({
  ...still(tick, a, b),
  movers,
});
const mover = (id: number, kind: number, balance = E18): Mover => ({ id, kind, balance, supply: balance });

const state: State = {
  fees: [E18 / 1000n, E18 / 500n],
  protocolFeeRatio: 100n,
  tickSpacing: 50,
  lookback: 60n,
  scales: [1n, 1n],
  activeTick: -3,
  first: -67,
  last: 61,
  ticks: [
    still(-4, 5n * E18, 0n),
    moving(-3, 6n * E18, 3n * E18, mover(7, 3, 2n * E18)),
    still(2, 0n, 7n * E18),
  ],
  weighted: -250_000_000n,
  position: -240_000_000n,
  time: NOW,
  isSettled: true,
};

function answer({ data }: { data: Hex }): Hex {
  const argument = Number(BigInt.asIntN(256, BigInt(`0x${data.slice(10, 74) || "0"}`)));
  switch (data.slice(0, 10)) {
    case "0x1865c57d":
      return words(0, 0, state.weighted, state.position, NOW, -3, 0, 7, 100);
    case "0x2d9d1ca6":
      return words(state.fees[argument === 1 ? 0 : 1]);
    case "0x3256cfa9": {
      const tick = state.ticks.find((one) => one.tick === argument);
      const ids = [1, 2, 3].map((kind) => tick?.movers.find((one) => one.kind === kind)?.id ?? 0);
      return words(tick?.a ?? 0, tick?.b ?? 0, tick?.supply ?? 0, tick ? 1 : 0, ...ids);
    }
    case "0x22cd85a8":
      return words(0, 2n * E18, 2n * E18, 3, -3, 0);
    default:
      return words(1);
  }
}

const answersOf = (): Hex[] => answersTo(reads, pool, answer);

describe("reading", () => {
  test("a pool, the ticks around the active one, and their bins that follow the price", () => {
    expect(pool).toMatchObject({ id: POOL, facts: { tickSpacing: 50, lookback: 60 } });
    expect(discover({ ...createdBy(0), address: POOL }, deployment)).toBeUndefined();
    expect(load(pool, answersOf())).toEqual(state);
  });

  test.each<[string, number, Hex]>([
    ["getState, fee or a token's scale failed", 1, "0x"],
    ["the fee takes everything", 2, words(E18)],
    ["a token's scale is out of range", 4, words(0)],
    ["getTick failed", 5, "0x"],
    ["getBin failed", -1, "0x"],
  ])("refused: %s", (refusal, index, wrong) => {
    expect(load(pool, answersOf().with(index, wrong))).toEqual({ refusal });
  });

  test("a pool of an accessor is refused, and not read", () => {
    const owned = discover(createdBy(9), deployment)!;
    expect(reads(owned, [])).toEqual([]);
    expect(load(owned, [])).toEqual({
      refusal: "permissioned: one address sets its fees, or alone may swap",
    });
  });
});

describe("following", () => {
  const swapLog = (amount: bigint, sellsA: boolean, amounts: readonly [bigint, bigint]): Log => ({
    address: POOL,
    topics: [topics[1]!],
    data: words(1, 1, amount, sellsA ? 1 : 0, 0, sellsA ? 60 : -60, ...amounts),
  });

  test("a swap's log leads where the swap does, at the log's time", () => {
    const asked = { sellsA: true, amount: E18, isOutput: false, tickLimit: 60 };
    const done = swap(state, asked, at.timestamp)!;
    const log = swapLog(E18, true, [done.amountIn, done.amountOut]);
    expect(touches(log)).toEqual([POOL]);
    expect(apply(state, log, at)).toEqual(done.next);
    expect(apply(state, log, { ...at, timestamp: NOW + 30 })).not.toEqual(done.next);
  });

  test("a swap of other amounts is read again, and so is one that comes near the end of the window", () => {
    const { amountIn, amountOut } = sell(state, 0, E18, at)!;
    expect(apply(state, swapLog(E18, true, [amountIn, amountOut + 1n]), at)).toBe("reload");
    const log = swapLog(E18, true, [amountIn, amountOut]);
    expect(
      apply({ ...state, last: 12 }, { ...log, data: log.data.replace(word(60), word(12)) as Hex }, at),
    ).toBe("reload");
  });

  test("the protocol's part of the fee is in its log; liquidity reloads", () => {
    const log = (topic: Hex, data: Hex): Log => ({ address: POOL, topics: [topic], data });
    expect(apply(state, log(topics[2]!, words(250)), at)).toEqual({ ...state, protocolFeeRatio: 250n });
    for (const topic of topics.slice(3)) expect(apply(state, log(topic, "0x"), at)).toBe("reload");
  });
});

describe("swaps", () => {
  test("each direction has its fee", () => {
    const free = { ...state, fees: [0n, 0n] as const };
    for (const i of [0, 1] as const) {
      const [paid, most] = [sell(state, i, E18, at)!, sell(free, i, E18, at)!].map(
        ({ amountOut }) => amountOut,
      );
      const part = Number(most! - paid!) / Number(most!);
      expect(part).toBeGreaterThan(i === 0 ? 0.0009 : 0.0018);
      expect(part).toBeLessThan(i === 0 ? 0.001 : 0.002);
    }
  });

  test("the protocol's part of the fee leaves the tick", () => {
    const grown = (ratio: bigint) =>
      sell({ ...state, protocolFeeRatio: ratio }, 0, E18, at)!.next.ticks.find(({ tick }) => tick === -3)!.a;
    expect(grown(0n) - grown(250n)).toBe(E18 / 4000n);
  });

  test("empty ticks are passed, and the end of the known ticks is no fill", () => {
    expect(sell(state, 0, 6n * E18, at)!.next.activeTick).toBe(2);
    expect(sell(state, 0, 100n * E18, at)).toBeUndefined();
    expect(sell({ ...state, isSettled: false }, 0, E18, at)).toBeUndefined();
  });

  test("at its limit a swap takes a part, and the price rests at the far end of its last tick", () => {
    const asked = { sellsA: true, amount: 6n * E18, isOutput: false, tickLimit: 1 };
    const done = swap(state, asked, at.timestamp)!;
    expect(done.amountIn).toBeLessThan(6n * E18);
    expect(done.next).toMatchObject({ activeTick: -3, position: -2n * UNIT });
    expect(swap(state, { ...asked, tickLimit: -4 }, at.timestamp)).toBeUndefined();
    const down = swap(state, { ...asked, sellsA: false, amount: 20n * E18, tickLimit: -4 }, at.timestamp)!;
    expect(down.next).toMatchObject({ activeTick: -4, position: -4n * UNIT });
  });

  test("an exact output costs about what sells for it, rounded up to a token's units", () => {
    for (const scales of [[1n, 1n] as const, [10n ** 12n, 1n] as const]) {
      const coarse = { ...state, scales };
      const wanted = sell(coarse, 0, E18 / scales[0], at)!.amountOut;
      const asked = { sellsA: true, amount: wanted, isOutput: true, tickLimit: undefined };
      const bought = swap(coarse, asked, at.timestamp)!;
      expect(Number(bought.amountIn - E18 / scales[0])).toBeLessThan(1e4);
      const least = trade(coarse, { i: 0, j: 1, amount: wanted, side: "out", at })!.amountIn;
      expect(sell(coarse, 0, least, at)!.amountOut).toBeGreaterThanOrEqual(wanted);
    }
  });

  test("small reserves are computed with more digits", () => {
    const reserves = { a: 3_000n, b: 2_000n };
    const curve = tickCurve(reserves, 50, -3)!;
    const side = { reserves, curve, sellsA: true, fees: { fee: 0n, protocolFeeRatio: 0n } };
    expect(fillTick(side, 500n)!.amountOut).toBeGreaterThan(480n);
    expect(tickCurve(reserves, 50, 6447)).toBeUndefined();
    expect(tickCurve(reserves, 50, 6446)).toBeDefined();
  });
});

describe("bins that follow the price", () => {
  const risen = (weighted: bigint, ...ticks: readonly Tick[]): State => ({
    ...state,
    ...{ ticks, activeTick: 5, weighted, position: 5n * UNIT },
  });
  const risenTo = (before: State, timestamp = NOW + 60) =>
    settle(before, { from: 0, position: 5n * UNIT }, timestamp);
  const placesOf = ({ ticks }: State) =>
    ticks.flatMap(({ tick, movers }) => movers.map(({ id }) => [id, tick]));

  test("follow the weighted price upwards by a tick at most, those of kind 1 and 3 alone", () => {
    const bins = [mover(1, 1), mover(2, 2), mover(3, 3)];
    const before = risen(UNIT, moving(0, 4n * E18, 0n, ...bins));
    const after = risenTo(before);
    expect(after).toMatchObject({ weighted: 2n * UNIT, position: 5n * UNIT, time: NOW + 60 });
    expect(placesOf(after)).toEqual([
      [2, 0],
      [1, 1],
      [3, 1],
    ]);
    // Half of the look-back is half a tick, which is not enough.
    expect(placesOf(risenTo(before, NOW + 1))).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(after.ticks.reduce((sum, { a }) => sum + a, 0n)).toBe(4n * E18);
  });

  test("come together in the oldest, three at a time", () => {
    const places = [0, 1, 2, 3].map((tick, k) => moving(tick, E18, 0n, mover(9 - k, 1)));
    const after = risenTo(risen((15n * UNIT) / 10n, ...places, still(4, E18, 0n)), NOW + 60);
    expect(after.weighted).toBe((25n * UNIT) / 10n);
    const wide = settle(
      { ...risen((15n * UNIT) / 10n, ...places), lookback: 1n },
      { from: 0, position: 5n * UNIT },
      NOW + 9,
    );
    expect(placesOf(wide)).toEqual([
      [7, 2],
      [6, 3],
    ]);
    expect(wide.ticks.reduce((sum, { a }) => sum + a, 0n)).toBe(4n * E18);
  });

  test("outside the window are not known", () => {
    const before = { ...risen(UNIT, moving(0, E18, 0n, mover(1, 1))), first: 1 };
    expect(risenTo(before).isSettled).toBe(false);
  });

  test("a state is priced again only where the time of execution makes no difference", () => {
    const quiet = sell({ ...state, position: state.weighted }, 0, E18 / 1000n, at)!;
    expect(quiet.next.isSettled).toBe(true);
    expect(sell(quiet.next, 0, E18 / 1000n, at)!.next.isSettled).toBe(false);
    const torn = sell({ ...state, weighted: state.weighted - 3n * UNIT }, 0, E18 / 1000n, at)!;
    expect(torn.next.isSettled).toBe(false);
    const without = {
      ...state,
      weighted: state.weighted - 3n * UNIT,
      ticks: state.ticks.map((one) => ({ ...one, movers: [] })),
    };
    expect(sell(without, 0, E18 / 1000n, at)!.next.isSettled).toBe(true);
  });
});

test("the step names the last tick that has something to sell", () => {
  const step = { kind: 25, intake: "transfer", paysAnyone: true };
  expect(maverickV2.encode(pool, state, 0, 1)).toMatchObject({
    ...step,
    zeroForOne: true,
    extra: "0x00000002",
  });
  expect(maverickV2.encode(pool, state, 1, 0)).toMatchObject({
    ...step,
    zeroForOne: false,
    extra: "0xfffffffc",
  });
});
