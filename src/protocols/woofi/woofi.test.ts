import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Deployment, Hex } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { woofi } from "./index.ts";
import { type Listing, ONE, type State } from "./state.ts";

const at = { blockNumber: 5, timestamp: 1_000 };
const words = (...values: readonly bigint[]): Hex => `0x${values.map(word).join("")}`;
const address = (k: number): Hex => `0x${k.toString(16).padStart(40, "0")}`;
const [usd, eth, btc, oracle] = [address(1), address(2), address(3), address(9)] as const;

const record: Deployment = {
  id: "woofi",
  protocol: "woofi",
  name: "WOOFi",
  factory: address(0xf0),
  fromBlock: 0,
  trusted: true,
  facts: { tokens: [usd, eth, btc].join(), version: "v2.1" },
  source: "test",
};

const dollar: Listing = {
  reserve: 10n ** 12n,
  feeRate: 0n,
  unit: 10n ** 6n,
  price: 10n ** 8n,
  priceUnit: 10n ** 8n,
  spread: 0n,
  coeff: 0n,
  maxGamma: ONE,
  maxNotional: 10n ** 12n,
  cap: 2n ** 256n - 1n,
};
const ether: Listing = {
  ...dollar,
  reserve: 10n ** 21n,
  feeRate: 25n,
  unit: ONE,
  price: 2_000n * 10n ** 8n,
  spread: ONE / 1000n,
  coeff: ONE / 10n ** 9n,
  maxGamma: ONE / 1000n,
  maxNotional: 10n ** 12n,
};
const state: State = { listings: [dollar, ether, { ...ether, unit: 10n ** 8n }], expires: 1_000, readFor: 5 };

function sell(given: State, i: number, j: number, amount: bigint) {
  const { pool, states } = subjectOf(given);
  return woofi.quote(states, pool, i, j, amount, "in", at);
}

describe("a swap", () => {
  test("pays price less spread, slippage and fee", () => {
    // 2000 · (1 - 0.001 - 2000e-9), less a fee of 25e-5.
    expect(sell(state, 1, 0, ONE)?.amountOut).toBe(1_997_996_000n - (1_997_996_000n * 25n) / 100_000n);
  });

  test("over the worth or the slippage that a token allows, or over a reserve, is refused", () => {
    expect(sell(state, 0, 1, 10n ** 12n)).toBeDefined();
    expect(
      sell({ ...state, listings: [dollar, { ...ether, maxNotional: 10n ** 6n }] }, 1, 0, ONE),
    ).toBeUndefined();
    expect(
      sell({ ...state, listings: [dollar, { ...ether, maxGamma: 10n ** 11n }] }, 1, 0, ONE),
    ).toBeUndefined();
    expect(sell({ ...state, listings: [{ ...dollar, reserve: 1n }, ether] }, 1, 0, ONE)).toBeUndefined();
    expect(
      sell({ ...state, listings: [dollar, { ...ether, reserve: 1n }] }, 0, 1, 10n ** 9n),
    ).toBeUndefined();
  });

  test("what would lift the pool's balance of a token over its cap is refused, the last unit below it is not", () => {
    const capped = { ...ether, cap: ether.reserve + ONE };
    const pool = { ...state, listings: [{ ...dollar, cap: dollar.reserve + 10n ** 9n }, capped, capped] };
    for (const [i, j, room] of [
      [1, 0, ONE],
      [1, 2, ONE],
      [0, 1, 10n ** 9n],
    ] as const) {
      expect(sell(pool, i, j, room), `${i} for ${j}`).toBeDefined();
      expect(sell(pool, i, j, room + 1n), `${i} for ${j}`).toBeUndefined();
    }
    const { pool: where, states } = subjectOf(pool);
    const rows = woofi.mirror(pool, where, at, states);
    expect([woofi.quoteFloat(rows, 1, 0, 9e17) > 0, woofi.quoteFloat(rows, 1, 0, 2e18)]).toEqual([true, 0]);
  });

  test("beyond the slippage where more in is less out is refused, whatever the token allows", () => {
    const steep = { ...ether, coeff: ONE / 10_000n, maxGamma: ONE, maxNotional: 2n ** 200n };
    const pool = { ...state, listings: [dollar, steep] };
    expect([sell(pool, 1, 0, 2n * ONE), sell(pool, 1, 0, 3n * ONE)].map(Boolean)).toEqual([true, false]);
  });

  test("is refused once the oracle's prices have run out", () => {
    expect(sell({ ...state, expires: 999 }, 1, 0, ONE)).toBeUndefined();
    const { pool, states } = subjectOf(state);
    const late = woofi.mirror(state, pool, { ...at, timestamp: 1_001 }, states);
    expect(woofi.quoteFloat(late, 1, 0, 1e18)).toBe(0);
  });

  test("leaves a token without a price until it is read again; the others keep theirs", () => {
    const next = sell(state, 1, 0, ONE)!.writes[0]![1] as State;
    expect(sell(next, 1, 0, ONE)).toBeUndefined();
    expect(sell(next, 0, 1, 10n ** 9n)).toBeUndefined();
    expect(sell(next, 2, 0, 10n ** 8n)).toBeDefined();
    expect(next.listings[0]!.reserve).toBe(dollar.reserve - 1_997_996_000n);
  });
});

describe("what is read", () => {
  const [pool] = woofi.seeds(record);
  const info = words(7n, 25n, 3n, 4n);
  const priced = words(2_000n, 5n, 6n, 1n);
  const token = (state: Hex) => [info, words(18n), state, words(8n)];
  const head = [words(0n), usd, oracle].map((one): Hex => words(BigInt(one)));
  const all = [
    ...head,
    words(900n),
    words(300n),
    ...[priced, priced, words(2_000n, 5n, 6n, 0n)].flatMap(token),
  ];

  test("the oracle is asked once the pool has named it", () => {
    expect(woofi.reads(pool!, [])).toHaveLength(3);
    const second = woofi.reads(pool!, head);
    expect(second).toHaveLength(2 + 3 * 4);
    expect(second[0]?.to).toBe(oracle);
    expect(woofi.reads(pool!, all)).toEqual([]);
  });

  test("a token that the oracle does not vouch for has no price", () => {
    const loaded = woofi.load(pool!, all, at) as State;
    expect(loaded.expires).toBe(1_200);
    expect(loaded.listings.map(({ price }) => price)).toEqual([2_000n, 2_000n, 0n]);
    expect(loaded.listings[1]).toEqual({
      ...{ reserve: 7n, feeRate: 25n, unit: ONE, price: 2_000n, priceUnit: 10n ** 8n, spread: 5n, coeff: 6n },
      ...{ maxGamma: 3n, maxNotional: 4n, cap: 2n ** 256n - 1n },
    });
  });

  test("an oracle that reverts for one token does not stop the others; a pool or token that does is refused", () => {
    expect(woofi.load(pool!, all.with(7, "0x"), at)).toMatchObject({
      listings: [{ price: 0n }, { price: 2_000n }, {}],
    });
    for (const index of [0, 3, 5, 6, 8])
      expect(woofi.load(pool!, all.with(index, "0x"), at)).toHaveProperty("refusal");
    expect(woofi.load(pool!, all.with(1, words(2n)), at)).toHaveProperty("refusal");
    expect(woofi.load(pool!, all.with(6, words(77n)), at)).toHaveProperty("refusal");
    expect(woofi.load(pool!, all.slice(0, 3), at)).toHaveProperty("refusal");
  });

  test("decimals whose unit the contract cannot keep in 64 bits are refused, of a token and of a price", () => {
    for (const index of [6, 8]) {
      expect(woofi.load(pool!, all.with(index, words(18n)), at)).not.toHaveProperty("refusal");
      expect(woofi.load(pool!, all.with(index, words(20n)), at)).toHaveProperty("refusal");
    }
  });

  test("a paused pool has no price that is good", () => {
    expect(woofi.load(pool!, all.with(0, words(1n)), at)).toMatchObject({ expires: 0 });
  });

  test("the cap of a token is the last word, where there is one", () => {
    const [first] = woofi.seeds({ ...record, facts: { ...record.facts, version: "v2" } });
    const answered = (...values: bigint[]) =>
      all.map((answer) => (answer === info ? words(...values) : answer));
    const capOf = (loaded: unknown) => (loaded as State).listings.map(({ cap }) => cap)[0];
    expect(capOf(woofi.load(pool!, answered(7n, 25n, 3n, 4n, 9n), at))).toBe(9n);
    expect(capOf(woofi.load(first!, answered(7n, 25n, 8n), at))).toBe(8n);
    expect(capOf(woofi.load(first!, answered(7n, 25n), at))).toBe(2n ** 256n - 1n);
  });

  test("the first version names no limits", () => {
    const [first] = woofi.seeds({ ...record, facts: { ...record.facts, version: "v2" } });
    const short = all.map((answer) => (answer === info ? words(7n, 25n) : answer));
    expect(woofi.load(first!, short, at)).toMatchObject({ listings: [{ maxGamma: ONE }, {}, {}] });
    expect(woofi.load(pool!, short, at)).toHaveProperty("refusal");
  });
});

test("every log of the pool asks for the state anew, and so does every block", () => {
  const { pool } = subjectOf(state);
  for (const topic of woofi.topics) {
    const log = { address: pool.address, topics: [topic], data: "0x" } as const;
    expect(woofi.touches(log)).toEqual([pool.id]);
    expect(woofi.apply(state, log, at)).toBe("reload");
  }
  expect([woofi.stale(state, at), woofi.stale(state, { ...at, blockNumber: 6 })]).toEqual([false, true]);
});

test("a record without tokens or of no known version is a bug", () => {
  expect(() => woofi.seeds({ ...record, facts: { version: "v2" } })).toThrow(/tokens/);
  expect(() => woofi.seeds({ ...record, facts: { ...record.facts, version: "v1" } })).toThrow(/version/);
});
