import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import type { At, Deployment, Hex, Log, Pool } from "../core/types.ts";
import { protocols } from "../protocols/index.ts";
import { wholePlan } from "./build.ts";
import { type Devnet, startDevnet } from "./index.ts";
import { createRpc, type Rpc } from "./rpc.ts";

const abi = parseAbi([
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
  "function getAmountsIn(uint256 amountOut, address[] path) view returns (uint256[])",
  "function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256)",
  "function quoteExactOutputSingle((address tokenIn, address tokenOut, uint256 amount, uint24 fee, uint160 sqrtPriceLimitX96) params) returns (uint256)",
]);
const QUOTER = "0x61ffe014ba17989e743c5f6cb21bf9697530b21e";
const ROUTERS: Readonly<Record<string, Hex>> = {
  "uniswap-v2": "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
  "sushi-v2": "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
  "trader-joe-v1": "0x60ae616a2155ee3d9a68541ba4544862310933d4",
};
const at: At = { blockNumber: 5, timestamp: 2_000_000_000 };

type Loaded = { pool: Pool; state: unknown };

let devnet: Devnet;
let rpc: Rpc;

beforeAll(async () => {
  const log = () => undefined;
  devnet = await startDevnet({
    chainId: 31_337,
    port: 0,
    dataDir: undefined,
    traffic: false,
    blockTimeMs: 0,
    log,
  });
  rpc = createRpc(devnet.url);
});
afterAll(() => devnet?.stop());

const read = (to: Hex, data: Hex) => ({ method: "eth_call", params: [{ to, data }, "latest"] });

async function loadAll(protocol: Protocol, deployment: Deployment): Promise<Loaded[]> {
  const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
  const logs = await rpc.call<Log[]>("eth_getLogs", [filter]);
  const pools = logs.flatMap((log) => protocol.discover(log, deployment) ?? []);
  return Promise.all(
    pools.map(async (pool) => {
      const answers: Hex[] = [];
      for (;;) {
        const calls = protocol.reads(pool, answers);
        if (calls.length === 0) return { pool, state: protocol.load(pool, answers, at) };
        answers.push(...(await rpc.batch<Hex>(calls.map(({ to, data }) => read(to, data)))));
      }
    }),
  );
}

/** Call that makes the protocol's own router or quoter quote the output (or the input) of a trade. */
function contractQuote({ pool }: Loaded, i: number, amount: bigint, side: "in" | "out") {
  const [tokenIn, tokenOut] = [pool.tokens[i]!, pool.tokens[1 - i]!];
  const router = ROUTERS[pool.deployment];
  if (router !== undefined) {
    const functionName = side === "in" ? "getAmountsOut" : "getAmountsIn";
    return read(router, encodeFunctionData({ abi, functionName, args: [amount, [tokenIn, tokenOut]] }));
  }
  const params = { tokenIn, tokenOut, amount, fee: Number(pool.facts.feePpm), sqrtPriceLimitX96: 0n };
  const functionName = side === "in" ? "quoteExactInputSingle" : "quoteExactOutputSingle";
  return read(QUOTER, encodeFunctionData({ abi, functionName, args: [params] }));
}

/** The amount in the return data: the router returns an array of the path's amounts, the quoter a single amount. */
function amountOf(answer: Hex, { pool }: Loaded, side: "in" | "out"): bigint {
  const word = ROUTERS[pool.deployment] === undefined ? 0 : side === "in" ? 3 : 2;
  return BigInt(`0x${answer.slice(2 + word * 64, 66 + word * 64)}`);
}

/** Deployments, with the least number of pools that each must have. */
const sources = [
  ["uniswap-v2", 16],
  ["sushi-v2", 16],
  ["trader-joe-v1", 4],
  ["uniswap-v3", 16],
] as const;

test.each(sources)("%s: every quote is what the contract answers, to the unit", async (id, least) => {
  const deployment = devnet.chain.deployments.find((one) => one.id === id)!;
  const protocol = protocols.get(deployment.protocol)!;
  const loaded = await loadAll(protocol, deployment);
  expect(loaded.length).toBeGreaterThanOrEqual(least);

  const depths = new Map((await wholePlan()).venues.map(({ address, depth }) => [address, depth]));
  const cases = loaded.flatMap((one) =>
    [0, 1].flatMap((i) =>
      [9n, 1_000n, 1_000_000n].flatMap((part) =>
        (["in", "out"] as const).map((side) => {
          const depth = depths.get(one.pool.address)!;
          return { one, i, side, amount: depth[side === "in" ? i : 1 - i]! / part };
        }),
      ),
    ),
  );
  const answers = await rpc.batch<Hex>(
    cases.map(({ one, i, side, amount }) => contractQuote(one, i, amount, side)),
  );
  cases.forEach(({ one, i, side, amount }, index) => {
    const fill = protocol.quote({ get: () => one.state }, one.pool, i, 1 - i, amount, side, at);
    const ours = side === "in" ? fill?.amountOut : fill?.amountIn;
    expect(ours, `${one.pool.id} ${i} ${side} ${amount}`).toBe(amountOf(answers[index]!, one, side));
  });
});
