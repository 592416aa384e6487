import { describe, expect, test } from "vitest";
import { type Bin, binPrice, fillBin, MAX_LIQUIDITY } from "../../core/math/bins/bin-math.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { NOW, PAIR, subjectOf } from "./arbitrary.ts";
import { apply, discover, touches } from "./events.ts";
import { liquidityBook } from "./index.ts";
import { load, reads } from "./reads.ts";
import { feeAt, referencesAt, type State } from "./state.ts";
import { trade } from "./trade.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const ONE = 2 ** 23;
const at = { blockNumber: 1, timestamp: NOW };

function poolOf(version: string): Pool {
  const deployment: Deployment = {
    id: "lb",
    protocol: "liquidity-book",
    name: "LB",
    factory: FACTORY,
    fromBlock: 0,
    trusted: false,
    facts: { version },
    source: "test",
  };
  const created: Log = {
    address: FACTORY,
    topics: [
      "0x2c8d104b27c6b7f4492017a6f5cf3803043688934ebcaa6a03540beeaf976aff",
      words(1),
      words(2),
      words(20),
    ],
    data: words(BigInt(PAIR), 5),
  };
  return discover(created, deployment)!;
}

const newer = poolOf("2.1");
const older = poolOf("2.0");
const HEAD_V21 = [
  words(ONE),
  words(8000, 30, 600, 5000, 20_000, 1000, 350_000),
  words(40_000, 10_000, ONE + 2, NOW - 10),
  "0x" as Hex,
];
const HEAD_V20 = [
  words(7, 8, ONE),
  words(20, 8000, 30, 600, 5000, 20_000, 1000, 350_000, 40_000, 10_000, ONE + 2, NOW - 10),
];

/** Answers with X above the active bin, Y below it, and both in it. */
function answersOf(pool: Pool, head: readonly Hex[]): Hex[] {
  const bins = reads(pool, head).map(({ data }) => {
    const id = Number(BigInt(`0x${data.slice(10)}`));
    return words(id >= ONE ? 10n ** 18n : 0n, id <= ONE ? 10n ** 18n : 0n);
  });
  return [...head, ...bins];
}

const state = load(newer, answersOf(newer, HEAD_V21)) as State;
const sell = (of: State, amount: bigint) => trade(of, { i: 0, j: 1, amount, side: "in", at });

describe("reading", () => {
  test("both versions say the same", () => {
    expect(state).toMatchObject({
      feesInBin: true,
      activeId: ONE,
      first: ONE - 256,
      parameters: { binStep: 20, baseFactor: 8000, maxVolatility: 350_000, protocolShare: 1000 },
      volatility: { accumulator: 40_000, reference: 10_000, idReference: ONE + 2, time: NOW - 10 },
    });
    expect(state.xs).toHaveLength(513);
    expect(load(older, answersOf(older, HEAD_V20))).toEqual({ ...state, feesInBin: false });
  });

  test.each<[string, Hex[]]>([
    ["the active bin is not known", ["0x", ...HEAD_V21.slice(1)]],
    ["the fee parameters failed", HEAD_V21.with(2, "0x")],
    ["a hook is called around swaps", HEAD_V21.with(3, words(1n << 161n))],
    ["getBin failed", HEAD_V21],
  ])("refused: %s", (refusal, answers) => {
    expect(load(newer, answers)).toEqual({ refusal });
  });

  test("hooks of liquidity alone are no reason to refuse", () => {
    expect(load(newer, answersOf(newer, HEAD_V21.with(3, words(1n << 164n))))).toEqual({
      ...state,
      isLimited: true,
    });
  });

  test("a version that is not known is a wrong record", () => {
    expect(() => poolOf("3")).toThrow(/version/);
  });
});

describe("prices and fees", () => {
  test("a bin's price and its inverse", () => {
    expect(binPrice(ONE, 20)).toBe(2n ** 128n);
    expect(Number(binPrice(ONE + 1000, 20)) / 2 ** 128).toBeCloseTo(1.002 ** 1000, 9);
    expect(Number(binPrice(ONE - 1000, 20)) / 2 ** 128).toBeCloseTo(1.002 ** -1000, 9);
    expect([binPrice(ONE + 2 ** 20, 20), binPrice(ONE - 2 ** 19, 100)]).toEqual([undefined, undefined]);
  });

  test("references hold within the filter period, decay after it, and vanish after the decay period", () => {
    const { volatility } = state;
    const later = (seconds: number) => referencesAt(state, volatility.time + seconds);
    expect(later(29)).toEqual({ ...volatility, time: NOW + 19 });
    expect(later(30)).toMatchObject({ idReference: ONE, reference: 20_000 });
    expect(later(600)).toMatchObject({ idReference: ONE, reference: 0 });
    expect(later(-1)).toBeUndefined();
  });

  test("a fee over a tenth is refused", () => {
    expect(feeAt(350_000, state.parameters)).toBe(114n * 10n ** 14n);
    expect(feeAt(350_000, { ...state.parameters, binStep: 100 })).toBeUndefined();
  });

  test("the fee in a bin that is not emptied is a share of all that comes in, not one on top of it", () => {
    const bin: Bin = { price: 2n ** 128n, reserveOut: 10n ** 18n, fee: 10n ** 16n };
    const [amount, less] = [10n ** 17n, 10n ** 18n - bin.fee];
    expect(fillBin(bin, true, amount)!.fee).toBe(10n ** 15n);
    expect((amount * bin.fee + less - 1n) / less).toBe(10n ** 15n + 10_101_010_101_011n);
  });
});

describe("swaps", () => {
  test("a bin is emptied, its protocol fee aside, before the next one is touched", () => {
    const done = sell(state, 15n * 10n ** 17n)!;
    const next = done.next;
    expect(next).toMatchObject({ activeId: ONE - 1, volatility: { accumulator: 40_000, time: NOW } });
    expect(next.ys[256]).toBe(0n);
    const fee = feeAt(30_000, state.parameters)!;
    const taken = (10n ** 18n * fee + (10n ** 18n - fee) - 1n) / (10n ** 18n - fee);
    expect(next.xs[256]).toBe(10n ** 18n + 10n ** 18n + taken - taken / 10n);
    expect(sell({ ...state, feesInBin: false }, 15n * 10n ** 17n)!.next.xs[256]).toBe(2n * 10n ** 18n);
  });

  test("beyond the known bins, into the past, and dust are no fills", () => {
    expect(sell(state, 10n ** 21n)).toBeUndefined();
    expect(
      sell({ ...state, volatility: { ...state.volatility, time: NOW + 1 } }, 10n ** 17n),
    ).toBeUndefined();
    expect(sell(state, 1n)).toBeUndefined();
  });

  test("what outgrows the words of the contract is no fill: reserves of 112 bits in v2.0, of 128 bits since", () => {
    const half = 2n ** 111n;
    const full = { ...state, xs: state.xs.with(256, (half * 3n) / 2n), ys: state.ys.with(256, half) };
    const amount = (half * 9n) / 10n;
    expect(sell({ ...full, feesInBin: false }, amount)).toBeUndefined();
    expect(sell({ ...full, feesInBin: false }, half / 4n)).toBeDefined();
    expect(sell(full, amount)).toBeDefined();
    const whole: Bin = { price: binPrice(ONE, 20)!, reserveOut: 2n ** 128n - 1n, fee: 10n ** 16n };
    expect(fillBin(whole, true, 1000n)).toBeUndefined();
  });

  test("in v2.2 a bin may be worth so much and no more, the protocol's part of the fee included", () => {
    const limited = load(newer, answersOf(newer, HEAD_V21.with(3, words(0)))) as State;
    const most = (MAX_LIQUIDITY >> 128n) - state.ys[256]!;
    const holding = (x: bigint) => ({ ...limited, xs: state.xs.with(256, x) });
    // The price is one: what is paid is the input less its fee, so that the fee is what the bin gains.
    const fee = 10n ** 15n - sell(limited, 10n ** 15n)!.amountOut;
    expect(sell(holding(most - fee), 10n ** 15n)).toBeDefined();
    expect(sell(holding(most - fee + 1n), 10n ** 15n)).toBeUndefined();
    expect(sell({ ...state, xs: state.xs.with(256, most) }, 10n ** 15n)).toBeDefined();
  });

  test("the curve is left out where a falling fee makes a later bin better", () => {
    const far = {
      ...state,
      parameters: { ...state.parameters, binStep: 20, variableFeeControl: 200_000 },
      volatility: { ...state.volatility, reference: 0, idReference: ONE - 30 },
    };
    const mirror = (of: State) => liquidityBook.mirror(of, newer, at, new Map());
    expect(liquidityBook.curve(mirror(far), 0, 1)).toBeUndefined();
    expect(liquidityBook.curve(mirror(far), 1, 0)).toBeDefined();
    expect(liquidityBook.curve(mirror(state), 0, 1)!.end).toBeGreaterThan(1e18);
  });
});

describe("events", () => {
  const log = (topic: Hex, data: Hex, ...more: Hex[]): Log => ({
    address: PAIR,
    topics: [topic, ...more],
    data,
  });
  const pack = (x: bigint, y: bigint) => (y << 128n) + x;
  const SWAP = "0xad7d6f97abf51ce18e17a38f4d70e975be9c0708474987bb3e26ad21bd93ca70";

  test("the logs of a swap lead to the state that the quote foresaw", () => {
    const done = sell(state, 15n * 10n ** 17n)!.next;
    const logs = [ONE, ONE - 1].map((id, k) => {
      const [dx, dy] = [done.xs[256 - k]! - state.xs[256 - k]!, state.ys[256 - k]! - done.ys[256 - k]!];
      return log(SWAP, words(id, pack(dx, 0n), pack(0n, dy), 30_000 + 10_000 * k, 0, 0));
    });
    const after = logs.reduce<State | "reload">((s, one) => apply(s as State, one, at), state);
    expect(after).toEqual(done);
  });

  test("v2.0's logs, both directions", () => {
    const V20 = "0xc528cda9e500228b16ce84fadae290d9a49aecb17483110004c5af0a07f6fd73";
    const topics = [words(1), words(2), words(ONE)] as const;
    const down = apply(state, log(V20, words(1, 5, 4, 30_000, 1), ...topics), at) as State;
    expect([down.xs[256], down.ys[256]]).toEqual([10n ** 18n + 5n, 10n ** 18n - 4n]);
    const up = apply(state, log(V20, words(0, 5, 4, 30_000, 1), ...topics), at) as State;
    expect([up.xs[256], up.ys[256]]).toEqual([10n ** 18n - 4n, 10n ** 18n + 5n]);
  });

  test("deposits and withdrawals move the bins that are known", () => {
    const data = words(64, 160, 2, ONE, ONE + 9000, 2, pack(3n, 4n), pack(5n, 6n));
    const added = apply(
      state,
      log("0x87f1f9dcf5e8089a3e00811b6a008d8f30293a3da878cb1fe8c90ca376402f8a", data),
      at,
    ) as State;
    expect([added.xs[256], added.ys[256]]).toEqual([10n ** 18n + 3n, 10n ** 18n + 4n]);
    const withdrawn = log("0xa32e146844d6144a22e94c586715a1317d58a8aa3581ec33d040113ddcb24350", data);
    expect(apply(added, withdrawn, at)).toEqual(state);
    const topics = [words(1), words(2), words(ONE)] as const;
    const older20 = log(
      "0xda5e7177dface55f5e0eff7dfc67420a1db4243ddfcf0ecc84ed93e034dd8cc2",
      words(3, 4),
      ...topics,
    );
    expect(apply(added, older20, at)).toEqual(state);
    expect(apply({ ...state, xs: state.xs.map(() => 0n) }, older20, at)).toBe("reload");
  });

  test("a flash loan leaves its fees in the active bin, less the protocol's part", () => {
    const FLASH_LOAN = "0xd126bd9d94daca8e55ffd8283fac05394aec8326c6b1639e1e8a445fbe8bbc7d";
    const loan = (protocol: bigint) =>
      log(FLASH_LOAN, words(ONE, pack(10n ** 20n, 10n ** 19n), pack(500n, 50n), protocol));
    expect(touches(loan(0n))).toEqual([PAIR]);
    const after = apply(state, loan(pack(50n, 5n)), at) as State;
    expect([after.xs[256], after.ys[256]]).toEqual([10n ** 18n + 450n, 10n ** 18n + 45n]);
    // v2.2 states the same fees twice, since all of them go to the protocol.
    expect(apply(state, loan(pack(500n, 50n)), at)).toEqual(state);
  });

  test("new parameters of a pair of v2.0 are announced by its factory", () => {
    const announced: Log = {
      address: FACTORY,
      topics: [
        "0x63a7af39b7b68b9c3f2dfe93e5f32d9faecb4c6c98733bb608f757e62f816c0d",
        words(1),
        words(BigInt(PAIR)),
      ],
      data: words(20, 8000, 30, 600, 5000, 20_000, 1000, 350_000),
    };
    expect(touches(announced)).toEqual([PAIR]);
    expect(touches({ ...announced, topics: announced.topics.slice(0, 1) as [Hex] })).toEqual([]);
    expect(apply({ ...state, feesInBin: false }, announced, at)).toBe("reload");
    expect(apply(state, announced, at)).toEqual(state);
  });

  test("what says too little reloads", () => {
    for (const topic of [
      "0x3f0b46725027bb418b2005f4683538eccdbcdf1de2b8649a29dbd9c507d16ff4",
      "0xd09e5ddc721ff14c5c1e66a305cbba1fd70b82c5232bc391aad6f55e62e4b046",
      "0x4d24d81a1a6e09c37497747b4c9d67d858ce80438b54df0fa361a24dc742d934",
      "0x282afaeeae84c1d85ad1424a3aa2ddbedaeefca3b1e53d889d15265fe44db7fc",
    ] as const)
      expect([touches(log(topic, "0x")), apply(state, log(topic, "0x"), at)]).toEqual([[PAIR], "reload"]);
    const edge = log(SWAP, words(ONE - 250, 0, 0, 0, 0, 0));
    expect(apply(state, edge, at)).toBe("reload");
    const unfiltered = { ...state, parameters: { ...state.parameters, filterPeriod: 0 } };
    expect(apply(unfiltered, log(SWAP, words(ONE, 0, 0, 0, 0, 0)), at)).toBe("reload");
  });
});

test("the step is a transfer to the pair, then a call", () => {
  const { pool } = subjectOf(state);
  expect(liquidityBook.encode(pool, state, 1, 0)).toMatchObject({
    kind: 12,
    intake: "transfer",
    zeroForOne: false,
  });
});
