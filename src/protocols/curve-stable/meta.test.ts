import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { metaSubjectOf } from "./arbitrary.ts";
import { burn, mint, mintBeforeFees, virtualPrice } from "./exact/liquidity.ts";
import { pairOf } from "./exact/meta.ts";
import { curveStable } from "./index.ts";
import type { State } from "./state.ts";

/** Tests metapools, and single-coin deposits and withdrawals. */

const [A, B, C, D, E, POOL, UNDER] = [1, 2, 3, 4, 5, 6, 7].map(
  (k) => `0x${`${k}`.repeat(40)}` as Address,
) as [Address, Address, Address, Address, Address, Address, Address];
const NOW = 1_700_000_000;
const at = { blockNumber: 100, timestamp: NOW };
const E18 = 10n ** 18n;

function deploy(pools: string): Pool {
  const deployment: Deployment = {
    ...{ id: "curve", protocol: "curve-stable", name: "Curve", factory: A, fromBlock: 0, trusted: true },
    facts: { pools },
    source: "test",
  };
  return curveStable.seeds(deployment)[0]!;
}

const base: State = {
  rounding: "early",
  balances: [74979963586785496721932343n, 72585749356844n, 38458902603579n],
  rates: [E18, 10n ** 30n, 10n ** 30n],
  ramp: { initialA: 2000n, futureA: 2000n, initialTime: 0, futureTime: 0 },
  aPrecision: 1n,
  fee: 1000000n,
  adminFee: 5000000000n,
  offpegFeeMultiplier: 0n,
  lpSupply: 180839184919818013094480501n,
  base: null,
  worth: null,
  readAt: 0,
};

const meta: State = {
  ...base,
  rounding: "base",
  balances: [60914945592088877599217n, 173619981438922591633883n],
  rates: [2826835393788173919n, E18],
  ramp: { initialA: 10000n, futureA: 10000n, initialTime: 0, futureTime: 0 },
  aPrecision: 100n,
  fee: 4000000n,
  base: { virtualPrice: 1028613014616190268n, updatedAt: NOW - 600 },
};

const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const none: Hex = "0x";
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;

describe("metapools", () => {
  const pool = deploy(`${POOL} meta ${A},${B}/${C},${D},${E} base=${UNDER} lp=${B}`);
  const states = new Map([
    [POOL, meta],
    [UNDER, base],
  ]);
  const sell = (i: number, j: number, amount: bigint, all: ReadonlyMap<string, State> = states) =>
    curveStable.quote(all, pool, i, j, amount, "in", at);

  test("share their base pool's state", () => {
    expect(pool).toMatchObject({ tokens: [A, B, C, D, E], stateIds: [POOL, UNDER], facts: { own: 2 } });
  });

  test("read two coins and the kept price of the base pool", () => {
    const calls = curveStable.reads(pool, []);
    expect(calls.slice(13).map(({ to }) => to)).toEqual([POOL, POOL, A, B]);
    const answers = [
      ...[10000, 10000, 0, 0, 4000000, 5000000000].map(answer),
      ...[none, none, answer(1028613014616190268n), answer(NOW - 600), none],
      ...[base.lpSupply, 100n, ...meta.balances, 18n, 18n].map(answer),
    ];
    expect(curveStable.load(pool, answers, at)).toEqual({ ...meta, rates: [E18, E18] });
    expect(curveStable.load(pool, answers.with(8, none), at)).toEqual({
      refusal: "base_virtual_price failed",
    });
    const live = { ...pool, facts: { ...pool.facts, implementation: "meta-factory" } };
    expect(curveStable.load(live, answers, at)).toMatchObject({ base: "live" });
  });

  test("keep the base pool's price for 600 seconds, and no longer", () => {
    const live = virtualPrice(base, NOW)!;
    expect(live).toBe(1028650434093176147n);
    expect(pairOf(meta, base, NOW)!.meta.rates[1]).toBe(1028613014616190268n);
    expect(pairOf(meta, base, NOW + 1)!.meta.rates[1]).toBe(live);
    const later = curveStable.quote(states, pool, 0, 1, E18, "in", { ...at, timestamp: NOW + 1 })!;
    expect(later.writes).toEqual([
      [
        POOL,
        expect.objectContaining({ base: { virtualPrice: live, updatedAt: NOW + 1 }, rates: meta.rates }),
      ],
    ]);
    expect(later.amountOut).not.toBe(sell(0, 1, E18)!.amountOut);
  });

  test("a swap of underlying coins moves both pools, and a second one meets them moved", () => {
    const first = sell(3, 0, 1_000_000_000n)!;
    expect(first.writes.map(([id]) => id)).toEqual([POOL, UNDER]);
    const moved = new Map(first.writes as readonly [string, State][]);
    expect(moved.get(UNDER)!.balances[1]! > base.balances[1]!).toBe(true);
    expect(moved.get(UNDER)!.lpSupply > base.lpSupply).toBe(true);
    const second = sell(3, 0, 1_000_000_000n, moved)!;
    expect(second.amountOut < first.amountOut).toBe(true);
    const back = sell(0, 4, E18)!;
    expect(new Map(back.writes as readonly [string, State][]).get(UNDER)!.lpSupply < base.lpSupply).toBe(
      true,
    );
  });

  test("what is the base pool's business, and a base pool that is not known, is refused", () => {
    for (const [i, j] of [
      [2, 3],
      [1, 2],
      [4, 1],
    ] as const) {
      expect(sell(i, j, E18)).toBeUndefined();
      const mirror = curveStable.mirror(meta, pool, at, states);
      expect(curveStable.quoteFloat(mirror, i, j, 1e18)).toBe(0);
    }
    const alone = new Map([[POOL, meta]]);
    expect(sell(0, 1, E18, alone)).toBeUndefined();
    expect(curveStable.quoteFloat(curveStable.mirror(meta, pool, at, alone), 0, 1, 1e18)).toBe(0);
  });

  test("what is bought costs the least that pays it, through the base pool as well", () => {
    for (const [i, j, wanted] of [
      [0, 3, 123_456_789n],
      [3, 0, E18],
      [1, 0, 777n],
    ] as const) {
      const fill = curveStable.quote(states, pool, i, j, wanted, "out", at)!;
      expect(sell(i, j, fill.amountIn)!.amountOut >= wanted).toBe(true);
      expect((sell(i, j, fill.amountIn - 1n)?.amountOut ?? 0n) < wanted).toBe(true);
    }
  });

  test("the step counts coins as exchange_underlying does, and costs more", () => {
    expect(curveStable.encode(pool, meta, 0, 1).extra).toBe("0x000100");
    expect(curveStable.encode(pool, meta, 0, 2).extra).toBe("0x000102");
    expect(curveStable.encode(pool, meta, 4, 0).extra).toBe("0x030002");
    const mirror = curveStable.mirror(meta, pool, at, states);
    expect(curveStable.gas(mirror, 0, 2)).toBeGreaterThan(curveStable.gas(mirror, 0, 1));
  });

  test("every log of a metapool's own makes it read again", () => {
    const log: Log = {
      address: POOL,
      topics: ["0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140"],
      data: words(0, E18, 1, 1),
    };
    expect(curveStable.apply(meta, log, at)).toBe("reload");
  });

  test("the mirror follows the whole way, in balance and out of it", () => {
    const { pool: any, states: both } = metaSubjectOf(meta, base);
    const mirror = curveStable.mirror(meta, any, at, both);
    for (const [i, j] of [
      [0, 1],
      [1, 0],
      [0, 2],
      [0, 3],
      [4, 0],
    ] as const)
      for (const x of [10n ** 9n, 10n ** 12n, 10n ** 20n]) {
        const exact = Number(curveStable.quote(both, any, i, j, x, "in", at)?.amountOut ?? 0n);
        const float = curveStable.quoteFloat(mirror, i, j, Number(x));
        expect(Math.abs(float - exact)).toBeLessThanOrEqual(1e-6 * exact + 1);
      }
  });
});

describe("deposits", () => {
  const move = { coin: 1, amount: 1_000_000_000_000n, timestamp: NOW };

  test("pay for what they unbalance: less than before fees, and the more the further off", () => {
    const free = mintBeforeFees(base, move)!;
    const paid = mint(base, move)!.paid;
    expect(paid < free).toBe(true);
    expect(mint({ ...base, fee: 0n }, move)!.paid).toBe(free);
    const ng = { ...base, rounding: "together" as const, offpegFeeMultiplier: 20n * 10n ** 10n };
    const off = { ...ng, balances: ng.balances.with(1, ng.balances[1]! * 40n) };
    const loss = (state: State) => Number(mintBeforeFees(state, move)!) / Number(mint(state, move)!.paid) - 1;
    expect(loss(off)).toBeGreaterThan(2 * loss({ ...off, offpegFeeMultiplier: 0n }));
  });

  test("and back again never profit", () => {
    const put = mint(base, move)!;
    const out = burn(put.next, { ...move, amount: put.paid })!;
    expect(out.paid <= move.amount).toBe(true);
    expect(out.next.lpSupply).toBe(base.lpSupply);
  });

  test("of nothing, into nothing, and of more than there is, are refused", () => {
    expect(mint(base, { ...move, amount: 0n })).toBeUndefined();
    expect(mint({ ...base, lpSupply: 0n }, move)).toBeUndefined();
    expect(mint({ ...base, balances: [0n, 0n, 0n] }, move)).toBeUndefined();
    expect(burn(base, { ...move, amount: base.lpSupply + 1n })).toBeUndefined();
    expect(burn({ ...base, lpSupply: 0n }, move)).toBeUndefined();
    expect(burn(base, { ...move, amount: 1n })).toBeUndefined();
  });
});
