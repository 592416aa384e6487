import type { Hex } from "viem";
import { decodeFunctionData, encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { packRoute, stepFlags, unpackRoute } from "../../src/core/encoding/layout.ts";
import { swapAbi } from "../../src/core/encoding/swap.ts";
import type { Address } from "../../src/core/types.ts";
import { ACCOUNTS, DAI, USDC, WETH } from "../../src/devnet/plan/addresses.ts";
import { type HostileChain, OWNER, type Sent, startHostileChain } from "./hostile-chain.ts";

/**
 * A token between two pools of trusted factories that meets the minimum with money of the recipient's own: an order of
 * the recipient's, filled while the swap runs. The tokens that were sold stay with the attacker's pools.
 */

const V2_FACTORY: Address = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
const V3_FACTORY: Address = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
const VICTIM = ACCOUNTS[3]!;
const [E18, E6] = [10n ** 18n, 10n ** 6n];
const SOLD = 1_000n * E6;
/** What the victim's order wants for its third of a coin; both are worth about the same. */
const [ORDER_GIVES, ORDER_WANTS] = [E18 / 3n, 1_030n * E18];
const LIQUIDITY = 10n ** 24n;

const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function balanceOf(address owner) view returns (uint256)",
  "function createPair(address a, address b)",
  "function getPair(address a, address b) view returns (address)",
  "function mint(address to)",
  "function createPool(address a, address b, uint24 fee)",
  "function getPool(address a, address b, uint24 fee) view returns (address)",
  "function initialize(uint160 sqrtPriceX96)",
  "function add(address pool, int24 low, int24 high, uint128 amount)",
  "function arm(address first, address second, int24 low, int24 high, uint128 liquidity, address order, address paid)",
]);

let chain: HostileChain;
let evil: Address;
let pair: Address;
let pool: Address;
let order: Address;

// biome-ignore lint/suspicious/noExplicitAny: the arguments follow from the name
const call = (to: Address, functionName: string, ...args: any[]): Sent & { to: Address } => ({
  to,
  data: encodeFunctionData({ abi, functionName, args } as never),
});

async function read(one: { to: Address; data: Hex }): Promise<bigint> {
  return BigInt(await chain.rpc<Hex>("eth_call", one, "latest"));
}

const addressIn = (word: bigint): Address => `0x${word.toString(16).padStart(40, "0")}`;
const balance = (token: Address, owner: Address) => read(call(token, "balanceOf", owner));

beforeAll(async () => {
  chain = await startHostileChain();
  evil = await chain.deploy("FakedMinimum.sol", "FakingToken");
  order = await chain.deploy("FakedMinimum.sol", "OpenOrder", [VICTIM, WETH, ORDER_GIVES, DAI, ORDER_WANTS]);
  await chain.send(
    call(V2_FACTORY, "createPair", evil, USDC),
    call(V3_FACTORY, "createPool", evil, DAI, 3000),
  );
  pair = addressIn(await read(call(V2_FACTORY, "getPair", evil, USDC)));
  pool = addressIn(await read(call(V3_FACTORY, "getPool", evil, DAI, 3000)));
  const isFirst = evil < DAI;
  const [worthlessLow, worthlessHigh] = isFirst ? [-200_040, -199_980] : [199_980, 200_040];
  await chain.send(
    call(USDC, "transfer", pair, 1_000_000n * E6),
    // A price that is 3 % better than anywhere else.
    call(evil, "transfer", pair, 1_030_000n * E18),
    call(pair, "mint", OWNER),
    call(DAI, "transfer", evil, 100_000n * E18),
    call(pool, "initialize", 2n ** 96n),
    call(evil, "add", pool, -600, 600, LIQUIDITY),
    call(evil, "add", pool, worthlessLow, worthlessHigh, 10n ** 21n),
    call(USDC, "transfer", VICTIM, SOLD),
    { from: VICTIM, ...call(USDC, "approve", ROUTER_ADDRESS, SOLD) },
    { from: VICTIM, ...call(WETH, "approve", order, ORDER_GIVES) },
  );
}, 120_000);
afterAll(() => chain?.stack.stop());

/** The calldata as it would be with the last pools paying the recipient. */
function paidDirectly(data: Hex): Hex {
  const [amountIn, minimumOut, recipient, terms, bytes] = decodeFunctionData({ abi: swapAbi, data }).args;
  const route = unpackRoute(bytes.toLowerCase() as Hex);
  const last = route.tokens.length - 1;
  const steps = route.steps.map((step) =>
    step.dst === last ? { ...step, flags: step.flags | stepFlags.toRecipient } : step,
  );
  const packed = packRoute({ ...route, steps });
  return encodeFunctionData({ abi: swapAbi, args: [amountIn, minimumOut, recipient, terms, packed] });
}

/** Sends the victim's swap. @returns whether it went through, and what the victim has more or less of each token */
async function swapped(data: Hex) {
  const tokens = [USDC, DAI, WETH] as const;
  const before = await Promise.all(tokens.map((token) => balance(token, VICTIM)));
  const snapshot = await chain.rpc<Hex>("evm_snapshot");
  const hash = await chain.rpc<Hex>("eth_sendTransaction", {
    from: VICTIM,
    to: ROUTER_ADDRESS,
    data,
    gas: "0x2dc6c0",
  });
  await chain.rpc("evm_mine");
  const { status } = await chain.rpc<{ status: Hex }>("eth_getTransactionReceipt", hash);
  const after = await Promise.all(tokens.map((token) => balance(token, VICTIM)));
  await chain.rpc("evm_revert", snapshot);
  const [usdc, dai, weth] = after.map((amount, k) => amount - before[k]!);
  return { ok: status === "0x1", usdc, dai, weth };
}

test("a token that fakes the minimum pays its maker where pools pay the recipient, and nobody as quotes are laid out", async () => {
  const query = new URLSearchParams({
    fromTokenAddress: USDC,
    toTokenAddress: DAI,
    amount: `${SOLD}`,
    slippage: "10",
    includeAggregator: "Uniswap_V2,Uniswap_V3",
  });
  const { calldata, route_graph, min_amount_out } = await chain.get(`/v1/31337/quote?${query}`);
  const pools = route_graph.steps.map((step: { pool: string }) => step.pool);
  expect(pools).toEqual([pair, pool]);
  // Unarmed, either layout pays what was offered.
  for (const data of [calldata, paidDirectly(calldata)])
    expect(await swapped(data)).toMatchObject({ ok: true, usdc: -SOLD, weth: 0n });

  await chain.send(call(evil, "arm", pair, pool, -600, 600, LIQUIDITY, order, DAI));
  const direct = await swapped(paidDirectly(calldata));
  expect(direct).toMatchObject({ ok: true, usdc: -SOLD, weth: -ORDER_GIVES });
  expect(direct.dai! - ORDER_WANTS).toBeLessThan(BigInt(min_amount_out) / 1_000_000n);

  expect(await swapped(calldata)).toEqual({ ok: false, usdc: 0n, dai: 0n, weth: 0n });
});
