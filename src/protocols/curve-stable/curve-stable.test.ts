import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem/utils";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { topics } from "./chain/logs.ts";
import { exchange, getDy } from "./exact/exchange.ts";
import { curveStable } from "./index.ts";
import type { State } from "./state.ts";

const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const THREE_POOL = "0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7";
const THREE_CRV = "0x6c3f90f043a72fa612cbac8115ee7e52bde6e490";
const at = { blockNumber: 24_407_243, timestamp: 1_770_494_999 };

const deployment: Deployment = {
  id: "curve",
  protocol: "curve-stable",
  name: "Curve",
  factory: "0x90e00ace148ca3b23ac1bc8c240c2a7dd9c2d7f5",
  fromBlock: 0,
  trusted: true,
  facts: { pools: `${THREE_POOL} early ${DAI},${USDC},${USDT} lp=${THREE_CRV}` },
  source: "test",
};

/** 3pool at block 24407242. */
const threePool: State = {
  rounding: "early",
  balances: [27137121100372139339642768n, 27662471158553n, 108298644409129n],
  rates: [10n ** 18n, 10n ** 30n, 10n ** 30n],
  ramp: { initialA: 5000n, futureA: 4000n, initialTime: 1751893283, futureTime: 1752497111 },
  aPrecision: 1n,
  fee: 1500000n,
  adminFee: 10000000000n,
  offpegFeeMultiplier: 0n,
  lpSupply: 156839057351449476746953842n,
  base: null,
  worth: null,
  readAt: 0,
};

const pool = curveStable.seeds(deployment)[0]!;
const answer = (value: bigint | number): Hex => `0x${word(value)}`;

const RAMP = [5000, 4000, 1751893283, 1752497111].map(answer);
const answers: readonly Hex[] = [
  ...[...RAMP, answer(1500000), answer(10000000000)],
  // offpeg_fee_multiplier, is_killed, base_virtual_price, base_cache_updated, stored_rates: missing functions
  ...Array.from({ length: 5 }, (): Hex => "0x"),
  ...[threePool.lpSupply, 4000n, ...threePool.balances, 18n, 6n, 6n].map(answer),
];

describe("pools", () => {
  test("come from the deployment's list", () => {
    expect(pool).toEqual({
      id: THREE_POOL,
      address: THREE_POOL,
      protocol: "curve-stable",
      deployment: "curve",
      tokens: [DAI, USDC, USDT],
      stateIds: [THREE_POOL],
      facts: { implementation: "early", own: 3, lp: THREE_CRV },
    } satisfies Pool);
    expect(curveStable.seeds({ ...deployment, facts: {} })).toEqual([]);
  });

  test.each([
    [7, "must be a string"],
    ["0x12 early a,b", "no pool and coins"],
    [`${THREE_POOL} early ${DAI}`, "no pool and coins"],
    [`${THREE_POOL} late ${DAI},${USDC}`, "no such implementation"],
    [`${THREE_POOL} early ${DAI},${USDC} colour=blue`, "unknown option colour"],
    [`${THREE_POOL} early ${DAI},${USDC} lp=3crv`, "option lp is no address"],
    [`${THREE_POOL} meta ${DAI},${THREE_CRV}/${USDC}`, "no base pool and two coins"],
    [`${THREE_POOL} meta ${DAI},${USDC},${USDT} base=${THREE_POOL}`, "no base pool and two coins"],
    [`${THREE_POOL} early ${DAI},${USDC} base=${THREE_POOL}`, "no base pool and two coins"],
  ])("the list %s is loud: %s", (pools, reason) => {
    expect(() => curveStable.seeds({ ...deployment, facts: { pools } })).toThrow(reason);
  });
});

describe("state", () => {
  test("is read in one round, by the selectors that the compiler gives", () => {
    const calls = curveStable.reads(pool, []);
    expect(calls).toHaveLength(answers.length);
    expect(curveStable.reads(pool, answers)).toEqual([]);
    const selector = (text: string) => toFunctionSelector(`function ${text}`);
    const ramp = ["initial_A", "future_A", "initial_A_time", "future_A_time"];
    const fees = ["fee", "admin_fee", "offpeg_fee_multiplier", "is_killed"];
    const base = ["base_virtual_price", "base_cache_updated", "stored_rates"];
    expect(calls.slice(0, 11).map(({ data }) => data)).toEqual(
      [...ramp, ...fees, ...base].map((name) => selector(`${name}()`)),
    );
    expect(calls[11]).toEqual({ to: THREE_CRV, data: selector("totalSupply()") });
    expect(calls[12]).toEqual({ to: THREE_POOL, data: selector("A()") });
    expect(calls[14]!.data).toBe(`${selector("balances(uint256)")}${word(1)}`);
    expect(calls[17]).toEqual({ to: USDC, data: selector("decimals()") });
    const older = { ...pool, facts: { implementation: "early-int128" } };
    expect(curveStable.reads(older, [])[14]!.data).toBe(`${selector("balances(int128)")}${word(1)}`);
  });

  test("is what the answers say", () => {
    expect(curveStable.load(pool, answers, at)).toEqual(threePool);
  });

  test.each([
    [14, "0x", "balances failed"],
    [17, "0x", "decimals failed"],
    [17, answer(37), "decimals failed"],
    [4, "0x", "A or fee failed"],
    [0, "0x", "A or fee failed"],
    [1, "0x", "A or fee failed"],
    [5, "0x", "A or fee failed"],
    [1, answer(0), "no amplification"],
    [4, answer(10n ** 10n), "a fee of everything"],
    [7, answer(1), "killed"],
  ] as const)("answer %i of %s is refused: %s", (index, bad, refusal) => {
    expect(curveStable.load(pool, answers.with(index, bad), at)).toEqual({ refusal });
  });

  test("of a pool without a ramp takes the A that it states", () => {
    const flat = answers.map((word, k) => (k < 4 ? "0x" : word));
    const ramp = { initialA: 4000n, futureA: 4000n, initialTime: 0, futureTime: 0 };
    expect(curveStable.load(pool, flat, at)).toEqual({ ...threePool, ramp });
    expect(curveStable.load(pool, flat.with(12, "0x"), at)).toEqual({ refusal: "A or fee failed" });
    const proposed = flat.with(1, answer(9000));
    expect(curveStable.load(pool, proposed, at)).toEqual({ ...threePool, ramp });
  });

  test("a coin that is there twice is refused", () => {
    const twice = { ...pool, tokens: [DAI, USDC, DAI] as const };
    expect(curveStable.load(twice, answers, at)).toEqual({ refusal: "a coin is there twice" });
  });

  test("coins that rebase make the state serve the next block only", () => {
    const rebasing = { ...pool, facts: { implementation: "steth" } };
    const state = curveStable.load(rebasing, answers, at) as State;
    expect(curveStable.stale(state, { ...at, blockNumber: at.blockNumber + 1 })).toBe(false);
    expect(curveStable.stale(state, { ...at, blockNumber: at.blockNumber + 2 })).toBe(true);
    expect(curveStable.stale(threePool, { ...at, blockNumber: 1 })).toBe(false);
  });
});

describe("logs", () => {
  const events = parseAbi([
    "event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)",
  ]);
  const exchanged = (dx: bigint, dy: bigint): Log => ({
    address: THREE_POOL,
    topics: encodeEventTopics({ abi: events, args: { buyer: POOL } }) as Hex[],
    data: encodeAbiParameters(
      [{ type: "int128" }, { type: "uint256" }, { type: "int128" }, { type: "uint256" }],
      [1n, dx, 2n, dy],
    ),
  });

  test("topics are those of the contracts' events", () => {
    const arrays = ["2", "3", "4", ""];
    const texts = [
      "TokenExchange(address,int128,uint256,int128,uint256)",
      "TokenExchange(address,uint256,uint256,uint256,uint256)",
      "TokenSwap(address,uint256,uint256,uint128,uint128)",
      "TokenExchangeUnderlying(address,int128,uint256,int128,uint256)",
      ...arrays.map((n) => `AddLiquidity(address,uint256[${n}],uint256[${n}],uint256,uint256)`),
      ...arrays.map((n) => `RemoveLiquidity(address,uint256[${n}],uint256[${n}],uint256)`),
      ...arrays.map((n) => `RemoveLiquidityImbalance(address,uint256[${n}],uint256[${n}],uint256,uint256)`),
      "RemoveLiquidityOne(address,uint256,uint256)",
      "RemoveLiquidityOne(address,uint256,uint256,uint256)",
      "RemoveLiquidityOne(address,int128,uint256,uint256,uint256)",
      "RampA(uint256,uint256,uint256,uint256)",
      "StopRampA(uint256,uint256)",
      "NewFee(uint256,uint256)",
      "NewFee(uint256,uint256,uint256)",
      "ApplyNewFee(uint256,uint256)",
      "ApplyNewFee(uint256)",
      "ApplyNewAdminFee(uint256)",
      "NewFee(uint256)",
      "DonateAdminFees()",
      "Kill()",
      "Unkill()",
      "RemoveLiquidity(address,uint256[],uint256)",
      "RemoveLiquidityOne(address,uint256,uint256,uint256,uint256)",
      "FlashLoan(address,uint8,uint256,uint256,uint256)",
      "NewAdminFee(uint256)",
      "NewSwapFee(uint256)",
      "Paused(address)",
      "Unpaused(address)",
      "NewStableSwapPair(address,address,address,address,address)",
    ];
    expect(topics).toEqual(texts.map((text) => toEventSelector(`event ${text}`)));
  });

  test("an exchange is repeated; its state is the exchange's own", () => {
    const dx = 1_000_000_000_000n;
    const done = exchange(threePool, { i: 1, j: 2, dx, timestamp: at.timestamp })!;
    expect(curveStable.touches(exchanged(dx, done.dy))).toEqual([THREE_POOL]);
    expect(curveStable.apply(threePool, exchanged(dx, done.dy), at)).toEqual(done.next);
  });

  test("an exchange that paid something else, and every other change, is read again", () => {
    const dx = 1_000_000_000_000n;
    const { dy } = exchange(threePool, { i: 1, j: 2, dx, timestamp: at.timestamp })!;
    expect(curveStable.apply(threePool, exchanged(dx, dy + 1n), at)).toBe("reload");
    const log = exchanged(dx, dy);
    expect(curveStable.apply({ ...threePool, readAt: 5 }, log, at)).toBe("reload");
    expect(curveStable.apply(threePool, { ...log, data: "0x" }, at)).toBe("reload");
    for (const topic of topics.slice(3, -1))
      expect(curveStable.apply(threePool, { ...log, topics: [topic] }, at)).toBe("reload");
    expect(curveStable.apply(threePool, { ...log, topics: ["0x11"] }, at)).toBe(threePool);
  });
});

describe("swaps", () => {
  const swap = { i: 0, j: 1, dx: 1356856055018607064645632n, timestamp: at.timestamp };

  test("the early pools' view takes the fee after the rate, their exchange before it", () => {
    expect(getDy(threePool, swap)).toBe(1356612150763n);
    const gaps = Array.from({ length: 50 }, (_, k) => {
      const small = { ...swap, dx: 1_000_000_000_000_000_123n * BigInt(k + 1) };
      return getDy(threePool, small)! - exchange(threePool, small)!.dy;
    });
    expect(new Set(gaps).size).toBe(2);
    expect(gaps.every((gap) => gap >= -1n && gap <= 1n)).toBe(true);
  });

  test("what is paid and the admin's part leave the pool", () => {
    const done = exchange({ ...threePool, adminFee: 5_000_000_000n }, swap)!;
    const fee = (done.dy * 1500000n) / (10n ** 10n - 1500000n);
    const [dai, usdc, usdt] = done.next.balances;
    expect(dai).toBe(threePool.balances[0]! + swap.dx);
    expect(threePool.balances[1]! - usdc! - done.dy - fee / 2n).toBeLessThan(2n);
    expect(usdt).toBe(threePool.balances[2]);
  });

  test("what is bought costs the least that pays it", () => {
    const states = new Map([[THREE_POOL, threePool]]);
    for (const wanted of [1n, 1_000n, 5_000_000_000n, 27_000_000_000_000n]) {
      const fill = curveStable.quote(states, pool, 0, 1, wanted, "out", at)!;
      const dy = (dx: bigint) => exchange(threePool, { ...swap, dx })?.dy ?? 0n;
      expect(dy(fill.amountIn) >= wanted).toBe(true);
      expect(dy(fill.amountIn - 1n) < wanted).toBe(true);
    }
    expect(curveStable.quote(states, pool, 0, 1, threePool.balances[1]!, "out", at)).toBeUndefined();
  });

  test("a ramp is followed to the second", () => {
    const ramping = { ...threePool, ramp: { ...threePool.ramp, futureTime: at.timestamp + 1_000_000 } };
    const outs = [0, 500_000, 1_000_000, 2_000_000].map((later) =>
      getDy(ramping, { ...swap, timestamp: at.timestamp + later }),
    );
    expect(new Set(outs).size).toBe(3);
    expect(outs[2]).toBe(outs[3]);
  });
});

test("the step names pool and coins; a native coin goes with the call", () => {
  const { pool: any } = subjectOf(threePool);
  const native = ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", USDC] as const satisfies readonly Address[];
  expect(curveStable.encode(any, threePool, 1, 2)).toEqual({
    kind: 6,
    target: POOL,
    zeroForOne: false,
    extra: "0x010200",
    intake: "approval",
    paysAnyone: false,
  });
  expect(curveStable.encode({ ...any, tokens: native }, threePool, 0, 1).intake).toBe("held");
});
