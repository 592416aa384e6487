import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { ACCOUNTS, DAI, USDC, USDT, WBTC, WETH } from "../../src/devnet/plan/addresses.ts";
import { seeded } from "../support/random.ts";
import { type HostileChain, OWNER, PATIENT, startHostileChain } from "./hostile-chain.ts";

/** Callers who choose tokens and wallets of their own making, against the whole service on its devnet. */

const FACTORY: Address = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
const V3_500: Address = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const V3_3000: Address = "0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8";
const V2_USDC_WETH: Address = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const CALLER = ACCOUNTS[5]!;
const E18 = 10n ** 18n;

const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function createPair(address a, address b)",
  "function getPair(address a, address b) view returns (address)",
  "function mint(address to)",
  "function arm(uint8 trade, address pool, bool zeroForOne, uint256 traded, uint256 keptPpm, bool reverting)",
]);
const takerAbi = parseAbi([
  "function arm(uint256 forwarded, bool reverting)",
  "function approve(address token, address spender)",
]);

let chain: HostileChain;
let evil: Address;
let taker: Address;

const call = (to: Address, functionName: "transfer" | "approve", args: readonly [Address, bigint]) => ({
  to,
  data: encodeFunctionData({ abi, functionName, args }),
});

beforeAll(async () => {
  chain = await startHostileChain();
  evil = await chain.deploy("Hostile.sol", "HostileToken");
  taker = await chain.deploy("Hostile.sol", "HostileTaker");
  await chain.send({
    to: FACTORY,
    data: encodeFunctionData({ abi, functionName: "createPair", args: [evil, WETH] }),
  });
  const query = encodeFunctionData({ abi, functionName: "getPair", args: [evil, WETH] });
  const pair: Address = `0x${(await chain.rpc<Hex>("eth_call", { to: FACTORY, data: query }, "latest")).slice(26)}`;
  await chain.send(
    call(evil, "transfer", [pair, 1000n * E18]),
    call(WETH, "transfer", [pair, 1000n * E18]),
    { to: pair, data: encodeFunctionData({ abi, functionName: "mint", args: [OWNER] }) },
    call(evil, "transfer", [CALLER, 1000n * E18]),
    { from: CALLER, ...call(evil, "approve", [ROUTER_ADDRESS, 10n ** 30n]) },
    call(WETH, "transfer", [evil, 5000n * E18]),
    call(USDC, "transfer", [evil, 5_000_000n * 10n ** 6n]),
    call(USDC, "transfer", [taker, 1_000_000n * 10n ** 6n]),
    {
      to: taker,
      data: encodeFunctionData({ abi: takerAbi, functionName: "approve", args: [USDC, ROUTER_ADDRESS] }),
    },
  );
  const path = `/v1/31337/price?fromTokenAddress=${evil}&toTokenAddress=${WETH}&amount=1000`;
  await vi.waitUntil(async () => (await chain.get(path)).amount_out_total !== undefined, PATIENT);
}, 120_000);
afterAll(() => chain?.stack.stop());

type Armed = {
  readonly trade: 0 | 1 | 2;
  readonly pool: Address;
  readonly zeroForOne: boolean;
  readonly traded: bigint;
  readonly keptPpm: bigint;
  readonly reverting: boolean;
};

const armToken = (one: Armed) => ({
  to: evil,
  data: encodeFunctionData({
    abi,
    functionName: "arm",
    args: [one.trade, one.pool, one.zeroForOne, one.traded, one.keptPpm, one.reverting],
  }),
});

const armTaker = (forwarded: bigint, reverting: boolean) => ({
  to: taker,
  data: encodeFunctionData({ abi: takerAbi, functionName: "arm", args: [forwarded, reverting] }),
});

const swap = (from: Address, to: Address, amount: bigint, more: Record<string, string> = {}) =>
  String(
    new URLSearchParams({
      fromTokenAddress: from,
      toTokenAddress: to,
      amount: `${amount}`,
      slippage: "500",
      ...more,
    }),
  );

/** An answer, asked for again where the service says that too many searches wait: who comes later gets the same. */
const answered = (path: string) =>
  vi.waitFor(async () => {
    const answer = await chain.get(path);
    expect(answer.reason).not.toBe("OVERLOADED");
    return answer;
  }, PATIENT);

/** What everybody else is offered: amounts and pools, over designs whose price the clock does not move. */
async function market(): Promise<unknown> {
  const pairs: readonly (readonly [Address, Address, bigint])[] = [
    [WETH, USDC, 3n * E18],
    [USDC, WETH, 9_000n * 10n ** 6n],
    [USDC, NATIVE, 9_000n * 10n ** 6n],
    [NATIVE, USDT, 2n * E18],
    [WBTC, USDC, 10n ** 8n],
    [DAI, USDC, 5_000n * E18],
  ];
  const sources = ["Uniswap_V2", "Uniswap_V3", "Uniswap_V4", "Uniswap_V2,Uniswap_V3,Uniswap_V4"];
  const offers = pairs.flatMap(([from, to, amount]) =>
    sources.map(async (includeAggregator) => {
      const { amount_out_total, routes, error } = await answered(
        `/v1/31337/price?${swap(from, to, amount, { includeAggregator })}`,
      );
      return { from, to, includeAggregator, amount_out_total, routes, error };
    }),
  );
  return Promise.all(offers);
}

const health = async () => (await chain.get("/health")).chains[0];

type Checks = Readonly<Record<string, number>>;
const checksNow = async (): Promise<Checks> => (await health()).checks ?? {};

/** Waits until the checks that were asked for are done: one more at the least, and none for a while. */
async function settled(before: Checks): Promise<Checks> {
  let last = await checksNow();
  const isDone = async () => {
    const now = await checksNow();
    const same = JSON.stringify(now) === JSON.stringify(last);
    last = now;
    return same && JSON.stringify(now) !== JSON.stringify(before);
  };
  await vi.waitUntil(isDone, { timeout: 10_000, interval: 400 }).catch(() => undefined);
  return last;
}

const soldForUsdc = (source: string, amount = E18) =>
  `/v1/31337/quote?${swap(evil, USDC, amount, { includeAggregator: `Uniswap_V2,${source}`, takerAddress: CALLER })}`;

test.each([
  ["Uniswap_V3", 2, V3_500],
  ["Uniswap_V2", 1, V2_USDC_WETH],
] as const)(
  "a token that trades in a %s pool while it is sold takes that pool from nobody",
  async (source, trade, pool) => {
    const [before, checked] = [await market(), await checksNow()];
    await chain.send(
      armToken({ trade, pool, zeroForOne: false, traded: 100n * E18, keptPpm: 0n, reverting: false }),
    );
    // Amounts up to those that cross every pool of the pair.
    await Promise.all([1n, 20n, 200n].map((n) => chain.get(soldForUsdc(source, n * E18))));
    const checks = await settled(checked);
    expect(await market()).toEqual(before);
    expect((await health()).quarantined).toBe(0);
    expect(checks.wrong).toBe(0);
    expect(checks.sound).toBeGreaterThan(checked.sound!);
  },
);

test("a wallet that passes on 1 wei of what it gets takes no pool of the native coin from others", async () => {
  const [before, checked] = [await market(), await checksNow()];
  await chain.send(armTaker(1n, false));
  for (let k = 0; k < 3; k++) {
    const query = swap(USDC, NATIVE, 50_000n * 10n ** 6n, {
      includeAggregator: "Uniswap_V4",
      takerAddress: taker,
    });
    const { simulated } = await chain.get(`/v1/31337/quote?${query}`);
    expect(simulated).not.toBe(true);
  }
  const checks = await settled(checked);
  expect(await market()).toEqual(before);
  expect((await health()).quarantined).toBe(0);
  expect(checks.wrong).toBe(0);
  expect(checks.sound).toBeGreaterThan(checked.sound!);
});

test("whatever a caller's tokens and wallets do, prices are the same during and after it", async () => {
  const seed = process.env.SEED === "random" ? Date.now() & 0x7fffffff : Number(process.env.SEED ?? "1");
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const upTo = (most: bigint) => (most * BigInt(Math.floor(random() * 1e6))) / 10n ** 6n;
  const before = await market();
  for (let round = 0; round < 12; round++) {
    const [trade, pool] = pick([
      [0, V3_500],
      [1, V2_USDC_WETH],
      [2, V3_500],
      [2, V3_3000],
    ] as const);
    const zeroForOne = random() < 0.5;
    const traded = 1n + upTo(zeroForOne ? 1_000_000n * 10n ** 6n : 500n * E18);
    const keptPpm = pick([0n, 1n, 10_000n, 500_000n]);
    await chain.send(
      armToken({ trade, pool, zeroForOne, traded, keptPpm, reverting: random() < 0.1 }),
      armTaker(pick([0n, 1n, 10n ** 12n, 10n ** 15n]), random() < 0.1),
    );
    const attacks = Array.from({ length: 6 }, () =>
      random() < 0.6
        ? chain.get(soldForUsdc(pick(["Uniswap_V3", "Uniswap_V4", "Uniswap_V2"]), 1n + upTo(300n * E18)))
        : chain.get(
            `/v1/31337/quote?${swap(USDC, NATIVE, 10n ** 6n + upTo(100_000n * 10n ** 6n), {
              includeAggregator: pick(["Uniswap_V4", "Uniswap_V3", "Uniswap_V2,Uniswap_V4"]),
              takerAddress: taker,
            })}`,
          ),
    );
    const [during] = await Promise.all([market(), ...attacks]);
    const told = `seed ${seed}, round ${round}`;
    expect(during, told).toEqual(before);
    expect(await market(), told).toEqual(before);
    expect((await health()).quarantined, told).toBe(0);
  }
  await settled({});
  expect(await market(), `seed ${seed}`).toEqual(before);
  expect((await health()).quarantined, `seed ${seed}`).toBe(0);
});
