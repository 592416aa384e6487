import { encodeFunctionData, erc20Abi, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Protocol } from "../../core/protocol.ts";
import {
  type Address,
  type At,
  type Call,
  type Deployment,
  type Hex,
  type Log,
  NATIVE,
  type Pool,
} from "../../core/types.ts";
import { QUERIES } from "../../protocols/balancer-v2/devnet.ts";
import { QUERY } from "../../protocols/balancer-v3/devnet.ts";
import { protocols } from "../../protocols/index.ts";
import { type Devnet, startDevnet } from "../index.ts";
import { createRpc, type Rpc } from "../rpc.ts";

const abi = parseAbi([
  "function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)",
  "function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)",
  "function previewDeposit(uint256 assets) view returns (uint256)",
  "function previewRedeem(uint256 shares) view returns (uint256)",
  "function querySellBase(address trader, uint256 amount) view returns (uint256 paid, uint256 mtFee)",
  "function querySellQuote(address trader, uint256 amount) view returns (uint256 paid, uint256 mtFee)",
  "function query(address from, address to, uint256 amount) view returns (uint256)",
  "function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 left, uint128 paid, uint128 fee)",
  "function estimate(bool swap0to1, uint256 amount) view returns (uint256)",
  "function quote(uint256 amount, bool tokenAIn) view returns (uint256)",
  "struct VaultSwap { uint8 kind; address pool; address tokenIn; address tokenOut; uint256 amountGivenRaw; uint256 limitRaw; bytes userData; }",
  "function querySwap(address vault, VaultSwap given) returns (uint256)",
]);
/** BalancerQueries of the v2 vault. The v3 query in `abi` has the same name and other parameters. */
const queriesAbi = parseAbi([
  "struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }",
  "struct FundManagement { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }",
  "function querySwap(SingleSwap single, FundManagement funds) returns (uint256)",
]);
/** Curve's crypto pools and lending markets take coin indices as uint256; stable pools take int128. */
const cryptoAbi = parseAbi(["function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)"]);
const at: At = { blockNumber: 5, timestamp: 2_000_000_000 };
const NOBODY: Address = "0x0000000000000000000000000000000000000b0d";

type Loaded = { pool: Pool; state: unknown };
type Sale = Loaded & { readonly i: number; readonly j: number; readonly amount: bigint };

/** A call that makes a model quote a sale, and the word of its return data with the amount; 0 unless given. */
type Question = { readonly call: Call; readonly word?: number };

const views: Readonly<Record<string, (sale: Sale) => Question>> = {
  solidly: ({ pool, i, amount }) => {
    const args = [amount, pool.tokens[i]!] as const;
    return ask(pool.address, encodeFunctionData({ abi, functionName: "getAmountOut", args }));
  },
  "curve-stable": ({ pool, i, j, amount }) => {
    const args = [BigInt(i), BigInt(j), amount] as const;
    return ask(pool.address, encodeFunctionData({ abi, functionName: "get_dy", args }));
  },
  "curve-crypto": getDy,
  "curve-tricrypto": getDy,
  "curve-llamma": getDy,
  erc4626: ({ pool, i, amount }) => {
    const functionName = i === 0 ? "previewDeposit" : "previewRedeem";
    return ask(pool.address, encodeFunctionData({ abi, functionName, args: [amount] }));
  },
  dodo: ({ pool, i, amount }) => {
    const functionName = i === 0 ? "querySellBase" : "querySellQuote";
    return ask(pool.address, encodeFunctionData({ abi, functionName, args: [NOBODY, amount] }));
  },
  woofi: ({ pool, i, j, amount }) => {
    const args = [pool.tokens[i]!, pool.tokens[j]!, amount] as const;
    return ask(pool.address, encodeFunctionData({ abi, functionName: "query", args }));
  },
  fluid: ({ pool, i, amount }) =>
    ask(pool.address, encodeFunctionData({ abi, functionName: "estimate", args: [i === 0, amount] })),
  "liquidity-book": getSwapOut,
  "liquidity-book-v20": getSwapOut,
  "balancer-v2": askVault,
  gyroscope: askVault,
  maverick: ({ pool, i, amount }) =>
    ask(pool.address, encodeFunctionData({ abi, functionName: "quote", args: [amount, i === 0] })),
  "balancer-v3": ({ pool, i, j, amount }) => {
    const [tokenIn, tokenOut] = [pool.tokens[i]!, pool.tokens[j]!];
    const terms = { kind: 0, limitRaw: 0n, userData: "0x" } as const;
    const given = { ...terms, pool: pool.id as Address, tokenIn, tokenOut, amountGivenRaw: amount };
    const args = [pool.address, given] as const;
    return ask(QUERY, encodeFunctionData({ abi, functionName: "querySwap", args }));
  },
};

function getSwapOut({ pool, i, amount }: Sale): Question {
  const data = encodeFunctionData({ abi, functionName: "getSwapOut", args: [amount, i === 0] });
  return { ...ask(pool.address, data), word: 1 };
}

function getDy({ pool, i, j, amount }: Sale): Question {
  const args = [BigInt(i), BigInt(j), amount] as const;
  return ask(pool.address, encodeFunctionData({ abi: cryptoAbi, functionName: "get_dy", args }));
}

/** Queries through BalancerQueries and the vault, which run their own bytecode; only the pool may be a model. */
function askVault({ pool, i, j, amount }: Sale): Question {
  const [assetIn, assetOut] = [pool.tokens[i]!, pool.tokens[j]!];
  const single = {
    poolId: pool.facts.poolId as Hex,
    kind: 0,
    assetIn,
    assetOut,
    amount,
    userData: "0x",
  } as const;
  const sides = { fromInternalBalance: false, toInternalBalance: false };
  const args = [single, { sender: NOBODY, recipient: NOBODY, ...sides }] as const;
  return ask(QUERIES, encodeFunctionData({ abi: queriesAbi, functionName: "querySwap", args }));
}

function ask(to: Address, data: Hex): Question {
  return { call: { to, data } };
}

let devnet: Devnet;
let rpc: Rpc;

beforeAll(async () => {
  const log = () => undefined;
  const quiet = { traffic: false, blockTimeMs: 0, log };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  rpc = createRpc(devnet.url);
});
afterAll(() => devnet?.stop());

/** Return data of a call; "0x" where it reverts or the contract lacks the function, as in state reads. */
function answerOf({ to, data }: Call): Promise<Hex> {
  const time = { time: toHex(at.timestamp) };
  return rpc.call<Hex>("eth_call", [{ to, data }, "latest", {}, time]).catch((): Hex => "0x");
}

async function loadAll(protocol: Protocol, deployment: Deployment): Promise<Loaded[]> {
  const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
  const logs = await rpc.call<Log[]>("eth_getLogs", [filter]);
  const announced = logs.flatMap((log) => protocol.discover(log, deployment) ?? []);
  const loaded = await Promise.all(
    [...protocol.seeds(deployment), ...announced].map(async (pool) => {
      const answers: Hex[] = [];
      for (;;) {
        const calls = protocol.reads(pool, answers);
        if (calls.length === 0) return { pool, state: protocol.load(pool, answers, at) };
        answers.push(...(await Promise.all(calls.map(answerOf))));
      }
    }),
  );
  // A vault also logs pools of other protocols, whose states are refused.
  return loaded.filter(({ state }) => !Object.hasOwn(state as object, "refusal"));
}

const isOwnShare = ({ id, protocol }: Pool, token: Address) => protocol === "balancer-v2" && token === id;

/** Sales in every direction of a pool, from a millionth to a third of its balance, or of the supply for its shares. */
async function sales({ pool, state }: Loaded): Promise<Sale[]> {
  const args = [pool.address] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args });
  // The vault holds pre-minted shares, many times the circulating supply.
  const { supply = 0n } = state as { supply?: bigint };
  const held = await Promise.all(
    pool.tokens.map((to) => {
      if (to === NATIVE) return rpc.call<Hex>("eth_getBalance", [pool.address, "latest"]);
      return isOwnShare(pool, to) ? toHex(supply) : answerOf({ to, data });
    }),
  );
  return pool.tokens.flatMap((_, i) =>
    pool.tokens.flatMap((_, j) =>
      i === j
        ? []
        : [3n, 97n, 997n, 1_000_003n].map((part) => ({ pool, state, i, j, amount: BigInt(held[i]!) / part })),
    ),
  );
}

test.each(Object.keys(views))("%s: every quote is what the model answers, to the unit", async (id) => {
  const deployment = devnet.chain.deployments.find((one) => one.id === id)!;
  const protocol = protocols.get(deployment.protocol)!;
  const loaded = await loadAll(protocol, deployment);
  expect(loaded.length).toBeGreaterThan(0);
  const cases = (await Promise.all(loaded.map(sales))).flat();
  const answers = await Promise.all(cases.map((sale) => answerOf(views[id]!(sale).call)));
  let filled = 0;
  cases.forEach(({ pool, state, i, j, amount }, index) => {
    const view = { get: () => state };
    const fill = protocol.quote(view, pool, i, j, amount, "in", at);
    const answer = answers[index]!;
    const word = views[id]!(cases[index]!).word ?? 0;
    // A revert or a partial fill, where the first word is the amount left, counts as no fill.
    const isWhole = answer !== "0x" && (word === 0 || BigInt(answer.slice(0, 66)) === 0n);
    const expected = isWhole ? BigInt(`0x${answer.slice(2 + 64 * word, 66 + 64 * word)}`) : undefined;
    const ours = fill?.amountOut;
    expect(ours, `${pool.id} ${i} to ${j}: ${amount}`).toBe(expected);
    if (ours !== undefined) filled++;
  });
  expect(filled).toBeGreaterThan(cases.length / 2);
});
