import { encodeFunctionData, erc20Abi, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Protocol } from "../core/protocol.ts";
import type { Address, At, Call, Deployment, Hex, Log, Pool } from "../core/types.ts";
import { protocols } from "../protocols/index.ts";
import { type Devnet, startDevnet } from "./index.ts";
import { createRpc, type Rpc } from "./rpc.ts";

const abi = parseAbi([
  "function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)",
  "function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)",
  "function previewDeposit(uint256 assets) view returns (uint256)",
  "function previewRedeem(uint256 shares) view returns (uint256)",
]);
const at: At = { blockNumber: 5, timestamp: 2_000_000_000 };

type Loaded = { pool: Pool; state: unknown };
type Sale = { readonly pool: Pool; readonly i: number; readonly j: number; readonly amount: bigint };

/** What a model's own view says that a sale pays. */
const views: Readonly<Record<string, (sale: Sale) => Hex>> = {
  solidly: ({ pool, i, amount }) =>
    encodeFunctionData({ abi, functionName: "getAmountOut", args: [amount, pool.tokens[i]!] }),
  "curve-stable": ({ i, j, amount }) =>
    encodeFunctionData({ abi, functionName: "get_dy", args: [BigInt(i), BigInt(j), amount] }),
  erc4626: ({ i, amount }) =>
    encodeFunctionData({ abi, functionName: i === 0 ? "previewDeposit" : "previewRedeem", args: [amount] }),
};

let devnet: Devnet;
let rpc: Rpc;

beforeAll(async () => {
  const log = () => undefined;
  const quiet = { traffic: false, blockTimeMs: 0, log };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  rpc = createRpc(devnet.url);
});
afterAll(() => devnet?.stop());

const read = (to: Address, data: Hex) => ({ method: "eth_call", params: [{ to, data }, "latest"] });

/** "0x" where the contract has no such function, as the reads of a block answer. */
function answerOf({ to, data }: Call): Promise<Hex> {
  const { method, params } = read(to, data);
  return rpc.call<Hex>(method, params).catch((): Hex => "0x");
}

async function loadAll(protocol: Protocol, deployment: Deployment): Promise<Loaded[]> {
  const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
  const logs = await rpc.call<Log[]>("eth_getLogs", [filter]);
  const announced = logs.flatMap((log) => protocol.discover(log, deployment) ?? []);
  return Promise.all(
    [...protocol.seeds(deployment), ...announced].map(async (pool) => {
      const answers: Hex[] = [];
      for (;;) {
        const calls = protocol.reads(pool, answers);
        if (calls.length === 0) return { pool, state: protocol.load(pool, answers, at) };
        answers.push(...(await Promise.all(calls.map(answerOf))));
      }
    }),
  );
}

/** Every direction of a pool, a unit of the last digits up to a third of what it holds. */
async function sales({ pool }: Loaded): Promise<Sale[]> {
  const args = [pool.address] as const;
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args });
  const held = await rpc.batch<Hex>(pool.tokens.map((token) => read(token, balanceOf)));
  return pool.tokens.flatMap((_, i) =>
    pool.tokens.flatMap((_, j) =>
      i === j ? [] : [3n, 997n, 1_000_003n].map((part) => ({ pool, i, j, amount: BigInt(held[i]!) / part })),
    ),
  );
}

test.each(Object.keys(views))("%s: every quote is what the model answers, to the unit", async (id) => {
  const deployment = devnet.chain.deployments.find((one) => one.id === id)!;
  const protocol = protocols.get(deployment.protocol)!;
  const loaded = await loadAll(protocol, deployment);
  expect(loaded.length).toBeGreaterThan(0);
  for (const one of loaded) {
    const cases = await sales(one);
    const answers = await rpc.batch<Hex>(cases.map((sale) => read(one.pool.address, views[id]!(sale))));
    cases.forEach(({ pool, i, j, amount }, index) => {
      const fill = protocol.quote({ get: () => one.state }, pool, i, j, amount, "in", at);
      expect(fill?.amountOut, `${pool.id} ${i} to ${j}: ${amount}`).toBe(BigInt(answers[index]!));
    });
  }
});
