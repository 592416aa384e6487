import { toEventSelector, toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { exchange } from "./exchange.ts";
import { curveLlamma } from "./index.ts";
import { market } from "./market.fixture.ts";
import type { Generation, State } from "./state.ts";

const [FACTORY, CRV_USD, WETH] = [1, 2, 3].map((k) => `0x${`${k}`.repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
];
const E18 = 10n ** 18n;
const at = { blockNumber: 22_110_210, timestamp: 1_742_700_000 };

const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const none: Hex = "0x";
const pool: Pool = { ...subjectOf(market).pool, tokens: [CRV_USD, WETH] };

function quote(state: State, i: number, amount: bigint, side: "in" | "out" = "in") {
  return curveLlamma.quote(subjectOf(state).states, pool, i, 1 - i, amount, side, at);
}

describe("markets", () => {
  const deployment: Deployment = {
    ...{
      id: "crvusd",
      protocol: "curve-llamma",
      name: "Curve_LLAMMA",
      factory: FACTORY,
      fromBlock: 0,
      trusted: true,
    },
    facts: { stablecoin: CRV_USD },
    source: "test",
  };
  const added: Log = {
    address: FACTORY,
    topics: ["0xebbe0dfde9dde641808b7a803882653420f3a5b12bb405d238faed959e1e3aa3", answer(BigInt(WETH))],
    data: `${answer(7)}${word(BigInt(POOL))}${word(8)}${word(0)}`,
  };
  const vault: Log = {
    address: FACTORY,
    topics: [
      "0x2a854a597908740dff5f0846840f167547ea0d7614c43bde3ea49be2e68c07ec",
      ...[1n, BigInt(WETH), BigInt(CRV_USD)].map(answer),
    ],
    data: `${answer(6)}${word(7)}${word(BigInt(POOL))}${word(8)}${word(9)}`,
  };

  test("are announced by controller and lending factories", () => {
    for (const log of [added, vault])
      expect(curveLlamma.discover(log, deployment)).toEqual({
        ...{
          id: POOL,
          address: POOL,
          protocol: "curve-llamma",
          deployment: "crvusd",
          tokens: [CRV_USD, WETH],
        },
        ...{ stateIds: [POOL], facts: {} },
      });
    expect(curveLlamma.discover({ ...added, address: WETH }, deployment)).toBeUndefined();
    expect(curveLlamma.discover({ ...added, data: "0x" }, deployment)).toBeUndefined();
    expect(curveLlamma.discover({ ...vault, data: "0x" }, deployment)).toBeUndefined();
    expect(() => curveLlamma.discover(added, { ...deployment, facts: {} })).toThrow(
      "stablecoin must be an address",
    );
  });

  test("may be listed", () => {
    const facts = { pools: `${POOL} llamma ${CRV_USD},${WETH}` };
    expect(curveLlamma.seeds({ ...deployment, facts })[0]).toMatchObject({
      id: POOL,
      tokens: [CRV_USD, WETH],
    });
  });
});

describe("state", () => {
  const first: readonly Hex[] = [
    ...[market.a, market.fee, market.basePrice, market.price, market.adminFee].map(answer),
    ...[market.activeBand, market.minBand, market.maxBand, 18, 18].map(answer),
    answer(market.fee),
  ];
  const bands = [...market.x, ...market.y].map(answer);
  const probes = curveLlamma
    .reads(pool, [...first, ...bands])
    .map(({ data }) => BigInt(`0x${data.slice(-64)}`));
  const told = (generation: Generation) =>
    probes.map((amount, i) => answer(exchange({ ...market, generation }, { i, amount })?.amountOut ?? 0n));

  test("is read in three rounds, by the selectors that the compiler gives", () => {
    const selector = (signature: string) => toFunctionSelector(`function ${signature}`);
    const names = ["A", "dynamic_fee", "get_base_price", "price_oracle", "admin_fee"];
    const ends = ["active_band", "min_band", "max_band"];
    const calls = curveLlamma.reads(pool, []);
    expect(calls.slice(0, 8).map(({ data }) => data)).toEqual(
      [...names, ...ends].map((name) => selector(`${name}()`)),
    );
    expect(calls[9]).toEqual({ to: WETH, data: selector("decimals()") });
    expect(calls.slice(10)).toEqual([{ to: POOL, data: selector("fee()") }]);
    const second = curveLlamma.reads(pool, first);
    expect(second).toHaveLength(12);
    expect(second[0]!.data).toBe(`${selector("bands_x(int256)")}${word(53)}`);
    expect(second[11]!.data).toBe(`${selector("bands_y(int256)")}${word(58)}`);
    const third = curveLlamma.reads(pool, [...first, ...bands]);
    expect(
      third[1]!.data.startsWith(`${selector("get_dy(uint256,uint256,uint256)")}${word(1)}${word(0)}`),
    ).toBe(true);
    expect(probes[0]! > E18 && probes[1]! > E18 / 1000n).toBe(true);
    expect(curveLlamma.reads(pool, [...first, ...bands, ...told(2025)])).toEqual([]);
    expect(curveLlamma.reads(pool, first.with(5, none))).toEqual([]);
  });

  test.each<Generation>([2023, 2024, 2025])("a market of %i is known by what it answers", (generation) => {
    const price = (market.price * 98n) / 100n;
    const away = [...first.with(3, answer(price)), ...bands];
    const asked = curveLlamma.reads(pool, away).map(({ data }) => BigInt(`0x${data.slice(-64)}`));
    const state = { ...market, price, generation };
    const outs = asked.map((amount, i) => answer(exchange(state, { i, amount })?.amountOut ?? 0n));
    const loaded = curveLlamma.load(pool, [...away, ...outs], at);
    expect(loaded).toEqual({ ...state, readAt: at.blockNumber });
  });

  test("a market that answers otherwise is refused", () => {
    const strange = told(2025).map((amount) => answer(BigInt(amount) + 1n));
    expect(curveLlamma.load(pool, [...first, ...bands, ...strange], at)).toEqual({
      refusal: "it reckons otherwise",
    });
  });

  test.each([
    [3, none, "a read failed"],
    [6, none, "a read failed"],
    [3, answer(0), "no price"],
    [8, answer(19), "decimals failed"],
    [12, none, "bands failed"],
  ] as const)("answer %i of %s is refused: %s", (index, bad, refusal) => {
    const answers = [...first, ...bands, ...told(2025)].with(index, bad);
    expect(curveLlamma.load(pool, answers, at)).toEqual({ refusal });
  });

  test("a coin against itself is refused", () => {
    const same = { ...pool, tokens: [WETH, WETH] };
    expect(curveLlamma.load(same, [], at)).toEqual({ refusal: "a coin is there twice" });
  });

  test("far bands are left out, and a trade that would reach them is refused", () => {
    const wide = first.with(6, answer(-900)).with(7, answer(900));
    expect(curveLlamma.reads(pool, wide)).toHaveLength(2 * 121);
    const cut: State = { ...market, maxBand: 900, isWhole: false };
    const enough = 2000n * E18;
    expect(quote(cut, 0, enough)?.amountOut).toBe(quote(market, 0, enough)!.amountOut);
    expect(quote(cut, 0, 1_000_000n * E18)).toBeUndefined();
    const mirror = curveLlamma.mirror(cut, pool, at, new Map());
    expect(curveLlamma.quoteFloat(mirror, 0, 1, 1e24)).toBe(0);
  });

  test("serves the next block only", () => {
    const state = { ...market, readAt: at.blockNumber };
    expect(curveLlamma.stale(state, { ...at, blockNumber: at.blockNumber + 1 })).toBe(false);
    expect(curveLlamma.stale(state, { ...at, blockNumber: at.blockNumber + 2 })).toBe(true);
  });
});

test("every change is read again, by the contract's own events", () => {
  const texts = [
    "TokenExchange(address,uint256,uint256,uint256,uint256)",
    "Deposit(address,uint256,int256,int256)",
    "Withdraw(address,uint256,uint256)",
    "SetRate(uint256,uint256,uint256)",
    "SetFee(uint256)",
    "SetAdminFee(uint256)",
  ];
  const topics = texts.map((signature) => toEventSelector(`event ${signature}`));
  expect(curveLlamma.topics.slice(2)).toEqual(topics);
  for (const topic of topics) {
    const log: Log = { address: POOL, topics: [topic], data: "0x" };
    expect(curveLlamma.touches(log)).toEqual([POOL]);
    expect(curveLlamma.apply(market, log, at)).toBe("reload");
  }
  expect(curveLlamma.apply(market, { address: POOL, topics: ["0x11"], data: "0x" }, at)).toBe(market);
});

describe("swaps", () => {
  test("move the active band with them, and leave what they do not take", () => {
    const pump = quote(market, 0, 9000n * E18)!;
    const next = pump.writes[0]![1] as State;
    expect(next.activeBand).toBe(57);
    expect(next.y.slice(2, 4)).toEqual([0n, 0n]);
    expect(next.x.slice(3, 5).every((x) => x > 0n)).toBe(true);
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    expect(sum(next.x) - sum(market.x)).toBe(pump.amountIn);
    expect(sum(market.y) - sum(next.y)).toBe(pump.amountOut);
    const dump = quote(market, 1, 2n * E18)!;
    expect((dump.writes[0]![1] as State).activeBand).toBe(54);
    expect(dump.gas).toBeGreaterThan(quote(market, 1, E18 / 10n)!.gas);
  });

  test("keep the admin's part of the fee out of the bands", () => {
    const sum = (state: State) => state.x.reduce((total, amount) => total + amount, 0n);
    const half = { ...market, adminFee: E18 / 2n };
    const amount = 1000n * E18;
    const kept = sum(exchange(half, { i: 0, amount })!.next) - sum(half);
    const fee = (amount * market.fee) / E18;
    expect(amount - kept - fee / 2n).toBeLessThan(10n);
  });

  test("that the bands cannot take whole are refused, by the mirror as well", () => {
    const all = exchange(market, { i: 1, amount: 1000n * E18 })!;
    expect(all.amountOut).toBe(market.x.reduce((total, amount) => total + amount, 0n));
    expect(all.amountIn < 1000n * E18).toBe(true);
    // The exact capacity of the last band is filled along the curve, which leaves dust in it.
    expect(all.amountOut - quote(market, 1, all.amountIn)!.amountOut).toBeLessThan(10_000n);
    expect(quote(market, 1, all.amountIn + 1n)).toBeUndefined();
    const mirror = curveLlamma.mirror(market, pool, at, new Map());
    expect(curveLlamma.quoteFloat(mirror, 1, 0, Number(all.amountIn) * 1.000001)).toBe(0);
  });

  test("without liquidity, or too small to pay anything, are refused", () => {
    const empty = { ...market, x: market.x.map(() => 0n), y: market.y.map(() => 0n) };
    expect(quote(empty, 0, E18)).toBeUndefined();
    expect(quote(market, 0, 1n)).toBeUndefined();
    const mirror = curveLlamma.mirror(empty, pool, at, new Map());
    expect(curveLlamma.curve(mirror, 0, 1)?.end).toBe(0);
  });

  test("what is bought costs the least that pays it", () => {
    for (const [i, wanted] of [
      [0, 3n * E18],
      [1, 5000n * E18],
      [0, 1n],
    ] as const) {
      const fill = quote(market, i, wanted, "out")!;
      const paid = (amount: bigint) => exchange(market, { i, amount })?.amountOut ?? 0n;
      expect(paid(fill.amountIn) >= wanted && paid(fill.amountIn - 1n) < wanted).toBe(true);
    }
    expect(quote(market, 0, 100n * E18, "out")).toBeUndefined();
  });

  test("a band away from the oracle's price asks for more since 2024", () => {
    const away = { ...market, price: (market.price * 98n) / 100n };
    const out = (generation: Generation) => quote({ ...away, generation }, 0, 1000n * E18)?.amountOut ?? 0n;
    expect(out(2024) < out(2023)).toBe(true);
  });
});

test("the step says that indexes are uint256", () => {
  expect(curveLlamma.encode(pool, market, 1, 0)).toEqual({
    ...{ kind: 6, target: POOL, zeroForOne: false, extra: "0x010001", intake: "approval", paysAnyone: false },
  });
});
