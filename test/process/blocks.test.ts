import { afterAll, beforeAll, expect, test } from "vitest";
import { withMinimum } from "../../src/core/encoding/index.ts";
import type { Hex } from "../../src/core/types.ts";
import { approve, rpcAt } from "../support/chain-moves.ts";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";

/** Swaps of the devnet that nobody tells the service of are found in the blocks that it reads. */

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const PAYER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const OTHER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const E18 = 10n ** 18n;
const GAS = "0x2dc6c0";
/** A block is read when so many are on top of it. */
const DEPTH = 8;

let stack: Stack;
let rpc: ReturnType<typeof rpcAt>;
beforeAll(async () => {
  stack = await startStack({ ...ONE_THREAD, READ_BLOCKS: "1", DEVNET_BLOCK_TIME_MS: "0" });
  rpc = rpcAt(stack.rpc);
  await rpc("evm_setAutomine", true);
  await approve(stack.rpc, { owner: PAYER, token: USDC, spender: await router(), amount: 10n ** 15n });
  await rpc("evm_setAutomine", false);
});
afterAll(() => stack.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
async function ask(path: string, query: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(`${stack.url}/v1/31337/${path}?${new URLSearchParams(query)}`);
  const json = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return json;
}

const report = () => ask("accuracy");
const newest = async () => Number(await rpc("eth_blockNumber"));

/** Mines a block a second after the last. */
async function mine(blocks = 1): Promise<void> {
  for (let k = 0; k < blocks; k++) {
    const { timestamp } = await rpc<{ timestamp: Hex }>("eth_getBlockByNumber", "latest", false);
    await rpc("evm_setNextBlockTimestamp", `0x${(Number(timestamp) + 1).toString(16)}`);
    await rpc("evm_mine");
  }
}

type Sale = { readonly from: string; readonly to: string; readonly amount: bigint; readonly taker?: string };
type Offer = {
  readonly to: Hex;
  readonly calldata: Hex;
  readonly value: string;
  readonly amount_out_total: string;
};

async function quote({ from, to, amount, taker = PAYER }: Sale): Promise<Offer> {
  return ask("quote", {
    fromTokenAddress: from,
    toTokenAddress: to,
    amount: String(amount),
    takerAddress: taker,
    slippage: "100",
    includeAggregator: "Uniswap_V2",
    min_block: String(await newest()),
  });
}

async function router(): Promise<Hex> {
  return (await quote({ from: NATIVE, to: USDC, amount: E18 })).to;
}

const send = ({ to, calldata, value }: Offer, from = PAYER, more = {}) =>
  rpc<Hex>("eth_sendTransaction", {
    ...{ from, to, data: calldata, gas: GAS, ...more },
    value: `0x${BigInt(value).toString(16)}`,
  });

/** Lets the newest block be read, and returns what is known then. */
async function settled() {
  const wanted = await newest();
  await mine(DEPTH);
  await expect
    .poll(async () => (await report()).blocks.newest, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(wanted);
  return report();
}

test("a swap in the next block is found, exact on its own state, and counted once though it is asked about too", async () => {
  await mine();
  const start = await settled();
  const offer = await quote({ from: NATIVE, to: USDC, amount: E18 });
  const hash = await send(offer);
  await mine();
  const asked = await ask("transaction/outcome", { hash, min_block: String(await newest()) });
  expect(asked.swap.amount_out).toBe(offer.amount_out_total);
  const { executed, same_state } = await settled();
  expect(executed.succeeded).toBe(start.executed.succeeded + 1);
  expect(same_state.executed).toEqual({ exact: 1, differs: 0, reverted: 0, max_error_bps: 0 });
  expect(executed.next_block_loss_bps.max).toBe(0);
  expect(executed.found_in_blocks).toBe(start.executed.found_in_blocks);
});

test("behind another swap of the same block it loses, which is the next block's loss and no error", async () => {
  const { executed: before } = await report();
  const offer = await quote({ from: NATIVE, to: USDC, amount: E18 });
  const front = await quote({ from: NATIVE, to: USDC, amount: 20n * E18, taker: OTHER });
  await send({ ...front, calldata: withMinimum(front.calldata, 1n) }, OTHER, { gasPrice: "0x174876e800" });
  await send(offer, PAYER, { gasPrice: "0x12a05f2000" });
  await mine();
  const { executed, same_state } = await settled();
  expect(executed.succeeded).toBe(before.succeeded + 1);
  expect(executed.found_in_blocks).toBe(before.found_in_blocks + 1);
  expect(executed.next_block_loss_bps.max).toBeGreaterThan(0.1);
  expect(same_state.executed).toMatchObject({ exact: 1, differs: 0 });
});

test("coins are told by a trace; a revert is a revert", async () => {
  const { executed: before } = await report();
  const coins = await quote({ from: USDC, to: NATIVE, amount: 10n ** 9n });
  await send(coins);
  await mine();
  const late = await quote({ from: NATIVE, to: USDC, amount: 2n * E18 });
  // Without its coins the router refuses the call.
  await send({ ...late, value: "0" });
  await mine();
  const { executed } = await settled();
  expect(executed.succeeded).toBe(before.succeeded + 1);
  expect(executed.untold).toBe(0);
  expect(executed.reverted).toBe(before.reverted + 1);
});

test("a swap that leaves the chain with its block, and comes back in another, counts once and as it is there", async () => {
  const { executed: before } = await report();
  const offer = await quote({ from: NATIVE, to: USDC, amount: 3n * E18 });
  const lost = await quote({ from: NATIVE, to: USDC, amount: 4n * E18 });
  const snapshot = await rpc("evm_snapshot");
  await send(offer);
  await send(lost);
  await mine(2);
  await quote({ from: NATIVE, to: USDC, amount: E18 });
  await rpc("evm_revert", snapshot);
  await mine(1);
  await send(offer, PAYER);
  await mine(3);
  const { executed } = await settled();
  expect(executed.succeeded).toBe(before.succeeded + 1);
  expect(executed.reverted).toBe(before.reverted);
});
