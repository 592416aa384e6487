import {
  type Abi,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMIT_DOWN, LIMIT_UP, swap } from "../core/math/concentrated/concentrated-swap.ts";
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../core/math/concentrated/tick-math.ts";
import type { Address, Hex, Log, Pool } from "../core/types.ts";
import { type Devnet, startDevnet } from "../devnet/index.ts";
import { protocols } from "./index.ts";
import type { State as ConcentratedState } from "./uniswap-v3/state.ts";

/** Compares quotes with the protocols' bytecode to the last unit, and states after logs with the contracts' storage. */

const ROUTER_V2 = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
/** Router of each deployment; the package of PancakeSwap v1 has none. */
const ROUTERS: Readonly<Record<string, Address>> = {
  "uniswap-v2": ROUTER_V2,
  "sushi-v2": "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
  "trader-joe-v1": "0x60ae616a2155ee3d9a68541ba4544862310933d4",
};
const ROUTER_V3 = "0xe592427a0aece92de3edee1f18e0157c05861564";
const QUOTER_V2 = "0x61ffe014ba17989e743c5f6cb21bf9697530b21e";
const POSITIONS = "0xc36442b4a4522e871399cd717abdd847ab11fe88";

const abi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)",
  "function getAmountsIn(uint256 amountOut, address[] path) view returns (uint256[] amounts)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params) returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256 amount, uint160 sqrtPriceX96After, uint32 crossed, uint256 gas)",
  "function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256 amount, uint160 sqrtPriceX96After, uint32 crossed, uint256 gas)",
]);

const at = { blockNumber: 1, timestamp: 1 };
const DEADLINE = 2n ** 40n;

let devnet: Devnet;
let pools: Pool[];

beforeAll(async () => {
  devnet = await startDevnet({
    chainId: 31337,
    port: 0,
    dataDir: undefined,
    traffic: false,
    blockTimeMs: 0,
    log: () => {},
  });
  pools = await discover();
});

afterAll(() => devnet?.stop());

async function rpc<T>(calls: readonly (readonly [method: string, ...params: unknown[]])[]): Promise<T[]> {
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }));
  const response = await fetch(devnet.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answers = (await response.json()) as { id: number; result?: T; error?: unknown }[];
  return answers.sort((a, b) => a.id - b.id).map(({ result, error }) => result ?? (error as T));
}

async function discover(): Promise<Pool[]> {
  const { deployments } = devnet.chain;
  const filters = deployments.map(({ factory }) => ({
    address: factory,
    fromBlock: "0x0",
    toBlock: "latest",
  }));
  const logs = await rpc<Log[]>(filters.map((filter) => ["eth_getLogs", filter]));
  return deployments.flatMap((deployment, k) =>
    logs[k]!.flatMap((log) => protocols.get(deployment.protocol)!.discover(log, deployment) ?? []),
  );
}

async function load(pool: Pool): Promise<unknown> {
  const protocol = protocols.get(pool.protocol)!;
  const answers: Hex[] = [];
  for (let calls = protocol.reads(pool, answers); calls.length > 0; calls = protocol.reads(pool, answers)) {
    const results = await rpc<Hex>(calls.map((call) => ["eth_call", call, "latest"]));
    answers.push(...results.map((result) => (typeof result === "string" ? result : "0x")));
  }
  return protocol.load(pool, answers, at);
}

type Question = EncodeFunctionDataParameters<typeof abi>;

/** The amount returned by each call; undefined if it reverts. */
async function ask(to: Address, questions: readonly Question[]): Promise<(bigint | undefined)[]> {
  const calls = questions.map((question) => ({
    to,
    data: encodeFunctionData(question as EncodeFunctionDataParameters),
  }));
  const results = await rpc<Hex>(calls.map((call) => ["eth_call", call, "latest"]));
  return results.map((data, k) => {
    if (typeof data !== "string") return undefined;
    const { functionName } = questions[k]!;
    const decoded = decodeFunctionResult({ abi: abi as Abi, functionName: functionName!, data });
    return (decoded as readonly bigint[]).at(functionName === "getAmountsOut" ? -1 : 0);
  });
}

/** Sends transactions from the first account, mines them, and returns the logs of `pool`. */
async function send(pool: Pool, to: Address, calls: Question[]): Promise<Log[]> {
  const from = devnet.accounts[0]!;
  const approvals = pool.tokens.map((token) => ({
    from,
    to: token,
    gas: "0x30d40",
    data: encodeFunctionData({ abi, functionName: "approve", args: [to, maxUint256] }),
  }));
  const sent = calls.map((call) => ({
    from,
    to,
    gas: "0x4c4b40",
    data: encodeFunctionData(call as EncodeFunctionDataParameters),
  }));
  const hashes = await rpc<Hex>(
    [...approvals, ...sent].map((transaction) => ["eth_sendTransaction", transaction]),
  );
  await rpc([["evm_mine"]]);
  const receipts = await rpc<{ status: Hex; logs: Log[] }>(
    hashes.slice(approvals.length).map((hash) => ["eth_getTransactionReceipt", hash]),
  );
  expect(receipts.map(({ status }) => status)).toEqual(sent.map(() => "0x1"));
  return receipts.flatMap(({ logs }) => logs.filter(({ address }) => address === pool.address));
}

/** Amounts of all orders of magnitude, the same in every run. */
function amounts(depth: bigint, seed: number): bigint[] {
  return Array.from(
    { length: 14 },
    (_, k) => (depth * BigInt(1 + ((seed * 7919 + k * 104_729) % 997))) / 10n ** BigInt(k + 1),
  ).concat(1n, 2n);
}

const ofDesign = (name: string) => pools.filter(({ protocol }) => protocol === name);

describe("pairs", () => {
  const protocol = protocols.get("uniswap-v2")!;

  test("every quote is the router's, in both directions and on both sides", async () => {
    const pairs = ofDesign("uniswap-v2").filter(({ deployment }) => deployment in ROUTERS);
    expect(pairs.length).toBeGreaterThan(60);
    for (const pair of pairs.filter((_, k) => k % 6 === 0 || k === pairs.length - 1)) {
      const state = (await load(pair)) as { reserves: [bigint, bigint] };
      const router = ROUTERS[pair.deployment]!;
      const view = new Map([[pair.id, state]]);
      for (const i of [0, 1]) {
        const path = [pair.tokens[i]!, pair.tokens[1 - i]!];
        const sizes = amounts(state.reserves[i as 0 | 1], i).slice(0, 8);
        const outs = sizes.map(
          (size) => ({ abi, functionName: "getAmountsOut", args: [size, path] }) as const,
        );
        const ins = sizes.map((size) => ({ abi, functionName: "getAmountsIn", args: [size, path] }) as const);
        const answers = await ask(router, [...outs, ...ins]);
        sizes.forEach((size, k) => {
          const sold = protocol.quote(view, pair, i, 1 - i, size, "in", at);
          expect(sold?.amountOut ?? 0n).toBe(answers[k] ?? 0n);
          const bought = protocol.quote(view, pair, i, 1 - i, size, "out", at);
          // The router asks for one unit too much if the division is exact.
          if (bought !== undefined) expect([0n, 1n]).toContain(answers[sizes.length + k]! - bought.amountIn);
        });
      }
    }
  });

  test("after a swap the events give what the pair stores, which is what the quote wrote", async () => {
    const pair = ofDesign("uniswap-v2")[0]!;
    const before = (await load(pair)) as { reserves: [bigint, bigint] };
    const amount = before.reserves[0] / 1000n;
    const fill = protocol.quote(new Map([[pair.id, before]]), pair, 0, 1, amount, "in", at)!;
    const logs = await send(pair, ROUTER_V2, [
      {
        abi,
        functionName: "swapExactTokensForTokens",
        args: [amount, 0n, [...pair.tokens], devnet.accounts[0]!, DEADLINE],
      },
    ]);
    const after = logs.reduce((state, log) => protocol.apply(state, log, at), before as unknown);
    expect(after).toEqual(await load(pair));
    expect(after).toEqual(fill.writes[0]![1]);
  });
});

describe("pools with ticks", () => {
  const protocol = protocols.get("uniswap-v3")!;

  test("every swap is the quoter's, in both directions and on both sides", async () => {
    const all = ofDesign("uniswap-v3").filter(({ deployment }) => deployment === "uniswap-v3");
    const oneOfEachFee = [...new Map(all.map((pool) => [pool.facts.feePpm, pool])).values()];
    expect(oneOfEachFee.length).toBeGreaterThanOrEqual(3);
    for (const [k, pool] of oneOfEachFee.entries()) {
      const state = (await load(pool)) as ConcentratedState;
      for (const i of [0, 1]) {
        const edge = sqrtRatioAtTick(i === 0 ? state.lowest + 1 : state.highest - 1);
        const limit = i === 0 ? LIMIT_DOWN : LIMIT_UP;
        const total = swap(state, i === 0, 2n ** 200n, edge)!;
        const params = { tokenIn: pool.tokens[i]!, tokenOut: pool.tokens[1 - i]!, fee: state.feePpm };
        const [sold, bought] = [amounts(total.amountIn, k), amounts(total.amountOut, k)];
        const answers = await ask(QUOTER_V2, [
          ...sold.map((amountIn) => {
            const args = [{ ...params, amountIn, sqrtPriceLimitX96: 0n }] as const;
            return { abi, functionName: "quoteExactInputSingle", args } as const;
          }),
          ...bought.map((amount) => {
            const args = [{ ...params, amount, sqrtPriceLimitX96: 0n }] as const;
            return { abi, functionName: "quoteExactOutputSingle", args } as const;
          }),
        ]);
        const outs = sold.map((amount) => swap(state, i === 0, amount, limit)?.amountOut);
        const ins = bought.map((amount) => swap(state, i === 0, -amount, limit));
        const delivered = ins.map((done) => (done?.unfilled === 0n ? done.amountIn : undefined));
        // Outside the window of known ticks of a pool with a narrow spacing, `quote` refuses although the pool would
        // fill.
        const whole = state.lowest === MIN_TICK && state.highest === MAX_TICK;
        const mine = [...outs, ...delivered];
        const known = mine.map((amount, at) => (amount === undefined && !whole ? undefined : answers[at]));
        expect(mine).toEqual(known);
        expect(known.filter((answer) => answer !== undefined).length).toBeGreaterThan(20);
      }
    }
  });

  test("after a new position and a swap, the events give what the pool stores", async () => {
    const pool = ofDesign("uniswap-v3")[0]!;
    const account = devnet.accounts[0]!;
    const before = (await load(pool)) as ConcentratedState;
    const [token0, token1] = pool.tokens as [Address, Address];
    const { feePpm: fee, tickSpacing } = before;
    const centre = Math.floor(before.tick / tickSpacing) * tickSpacing;
    const position = {
      ...{ token0, token1, fee, tickLower: centre - 7 * tickSpacing, tickUpper: centre + 9 * tickSpacing },
      ...{ amount0Desired: 10n ** 6n, amount1Desired: 10n ** 12n, amount0Min: 0n, amount1Min: 0n },
      ...{ recipient: account, deadline: DEADLINE },
    };
    const minted = await send(pool, POSITIONS, [{ abi, functionName: "mint", args: [position] }]);
    const added = minted.reduce(
      (state, log) => protocol.apply(state, log, at),
      before as unknown,
    ) as ConcentratedState;
    expect(added).toEqual(await load(pool));
    expect(added.ticks.length).toBe(before.ticks.length + 2);

    const amountIn = 5_000_000_000n;
    const fill = protocol.quote(new Map([[pool.id, added]]), pool, 0, 1, amountIn, "in", at)!;
    const params = {
      ...{ tokenIn: token0, tokenOut: token1, fee, recipient: account, deadline: DEADLINE },
      ...{ amountIn, amountOutMinimum: fill.amountOut, sqrtPriceLimitX96: 0n },
    };
    const swapped = await send(pool, ROUTER_V3, [{ abi, functionName: "exactInputSingle", args: [params] }]);
    const moved = swapped.reduce((state, log) => protocol.apply(state, log, at), added as unknown);
    expect(moved).toEqual(await load(pool));
    expect(moved).toEqual(fill.writes[0]![1]);
  });
});
