import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readState } from "../../../test/support/read-state.ts";
import { encodeApprove, encodeSwap, ROUTER_ADDRESS } from "../../core/encoding/index.ts";
import { settle } from "../../core/routing/settlement/settle.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Call,
  type Hex,
  type Log,
  type Pool,
} from "../../core/types.ts";
import { last, type Timepoint } from "../../protocols/algebra/history.ts";
import { type State, stateAt } from "../../protocols/algebra/state.ts";
import { protocols } from "../../protocols/index.ts";
import { type Devnet, startDevnet } from "../index.ts";
import { createRpc, quantity, type Rpc } from "../rpc.ts";

/** Interval, in swaps, at which the state that was followed by logs is compared with the state that is read. */
const COMPARED_EACH = 10;
const algebra = protocols.get("algebra")!;

let devnet: Devnet;
let rpc: Rpc;
let user: Address;

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  rpc = createRpc(devnet.url);
  user = devnet.accounts[0]!;
});
afterAll(() => devnet?.stop());

/** The pools of a version. Their tokens are approved for the router. */
async function poolsOf(version: string): Promise<readonly Pool[]> {
  const deployment = devnet.chain.deployments.find(({ id }) => id === `algebra-${version}`)!;
  const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
  const logs = await rpc.call<Log[]>("eth_getLogs", [filter]);
  const pools = logs.flatMap((log) => algebra.discover(log, deployment) ?? []);
  const tokens = new Set(pools.flatMap((pool) => pool.tokens));
  await send([...tokens].map((to) => ({ to, data: encodeApprove(ROUTER_ADDRESS, maxUint256), value: 0n })));
  return pools;
}

async function head(): Promise<At> {
  const block = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  return { blockNumber: Number(block.number), timestamp: Number(block.timestamp) };
}

const answerOf = ({ to, data }: Call) =>
  rpc.call<Hex>("eth_call", [{ to, data }, "latest"]).catch((): Hex => "0x");

async function load(pool: Pool): Promise<State> {
  const state = await readState(rpc, algebra, pool, await head());
  expect(state).not.toHaveProperty("refusal");
  return state as State;
}

/** Mines transactions from the user in one block. @returns the logs of each transaction */
async function send(calls: readonly { to: Address; data: Hex; value: bigint }[]): Promise<Log[][]> {
  const nonce = Number(await rpc.call<Hex>("eth_getTransactionCount", [user, "latest"]));
  const hashes = await rpc.batch<Hex>(
    calls.map((call, k) => ({
      method: "eth_sendTransaction",
      params: [
        {
          ...{ from: user, ...call, value: quantity(call.value) },
          ...{ gas: quantity(3_000_000), nonce: quantity(nonce + k) },
        },
      ],
    })),
  );
  await rpc.call("evm_mine");
  const receipts = await Promise.all(
    hashes.map((hash) => rpc.call<{ status: Hex; logs: Log[] }>("eth_getTransactionReceipt", [hash])),
  );
  expect(receipts.map(({ status }) => status)).toEqual(calls.map(() => "0x1"));
  return receipts.map(({ logs }) => logs);
}

async function holding(token: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [user] });
  return BigInt(await answerOf({ to: token, data }));
}

/** A deterministic generator of numbers in [0, 1). */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Seconds to the next block: mostly short, so that a day has many timepoints, and sometimes hours or days. */
function gapOf(draw: () => number): number {
  const kind = draw();
  if (kind < 0.8) return 1 + Math.floor(draw() * 90);
  return Math.floor(10 ** (2 + 3.4 * draw()));
}

type Order = { readonly pool: Pool; readonly i: number; readonly amountIn: bigint };

async function orderOf(draw: () => number, pool: Pool): Promise<Order> {
  const i = draw() < 0.5 ? 0 : 1;
  const held = await holding(pool.tokens[i]!);
  return { pool, i, amountIn: (held * BigInt(Math.floor(10 ** (5 * draw())))) / 10n ** 6n };
}

type Followed = Map<string, unknown>;

/** Quotes orders in one block, each on the state after the one before. @returns calls and the expected amounts */
function quoted(orders: readonly Order[], states: Followed, at: At) {
  const overlay = new Map(states);
  const view = { get: (id: string) => overlay.get(id) };
  return orders.map(({ pool, i, amountIn }) => {
    const [tokenIn, tokenOut] = [pool.tokens[i]!, pool.tokens[1 - i]!];
    const plan = [{ pool, i, j: 1 - i, shareQ32: ALL_Q32 }];
    const context = { registry: protocols, view, at };
    const settled = settle(plan, amountIn, { ...context, tokenIn, tokenOut });
    if (settled.kind === "failed") throw new Error(`${pool.id} fills no ${amountIn} of token ${i}`);
    const { amountOut, steps } = settled;
    const fees = { feeRecipient: undefined, sellFeePermille: 0, buyFeePermille: 0 };
    // With the quoted amount as the minimum, the swap reverts if the pool pays less.
    const { past, sliding } = states.get(pool.id) as State;
    const minimumOut = past !== undefined || sliding !== undefined ? amountOut : 1n;
    const terms = { ...fees, recipient: undefined, deadline: 2 ** 40, minimumOut };
    const route = { tokenIn, tokenOut, amountIn, amountOut, steps };
    const call = encodeSwap(amountIn, route, terms, { ...context, trusts: () => true, vets: () => true });
    const fill = algebra.quote(view, pool, i, 1 - i, amountIn, "in", at)!;
    for (const [id, state] of fill.writes) overlay.set(id, state);
    return { call, tokenOut, amountOut };
  });
}

/** The state without the fee history, for swaps whose fee cannot be predicted. */
function blind(state: State): State {
  const { past: _, ...pool } = state;
  return pool;
}

const feeAt = (pool: Pool, logs: readonly Log[]) =>
  logs.filter(({ address, topics }) => address === pool.id && topics[0]!.startsWith("0x598b9f04")).length;

/** The volume since v1's newest timepoint cannot be read. While the fee depends on it, a v1 pool is not quoted. */
const generations = [
  { version: "v1", swaps: 80, leastQuoted: 25 },
  { version: "v2", swaps: 130, leastQuoted: 130 },
  { version: "adaptive", swaps: 250, leastQuoted: 250 },
  { version: "sliding", swaps: 150, leastQuoted: 150 },
] as const;
const title =
  "$version: swaps pay what is quoted, to the unit, and their logs are followed without a reading";

test.each(generations)(title, { timeout: 180_000 }, async ({ version, swaps, leastQuoted }) => {
  const pools = await poolsOf(version);
  const draw = drawing(7);
  const states: Followed = new Map();
  for (const pool of pools) states.set(pool.id, await load(pool));
  let [reloads, told, filled] = [0, 0, 0];
  const fees = new Set<number>();
  for (let k = 0; k < swaps; k++) {
    const pool = pools[Math.floor(draw() * pools.length)]!;
    const now = await head();
    const at = { blockNumber: now.blockNumber + 1, timestamp: now.timestamp + gapOf(draw) };
    if (algebra.stale(states.get(pool.id), at)) {
      states.set(pool.id, await load(pool));
      reloads++;
    }
    const first = await orderOf(draw, pool);
    const orders = draw() < 0.3 ? [first, { ...first, amountIn: first.amountIn / 3n + 1n }] : [first];
    const state = states.get(pool.id) as State;
    const isKnown = stateAt(state, at.timestamp) !== undefined;
    const trials = quoted(orders, isKnown ? states : new Map([[pool.id, blind(state)]]), at);
    const before = await holding(trials[0]!.tokenOut);
    await rpc.call("evm_setNextBlockTimestamp", [at.timestamp]);
    const logs = (await send(trials.map(({ call }) => call))).flat();
    const received = (await holding(trials[0]!.tokenOut)) - before;
    const wanted = trials.reduce((sum, { amountOut }) => sum + amountOut, 0n);
    if (isKnown) expect(received, `swap ${k}`).toBe(wanted);
    if (isKnown) filled++;
    told += feeAt(pool, logs);
    const heard = logs
      .filter((log) => algebra.touches(log).includes(pool.id))
      .reduce<unknown>((state, log) => algebra.apply(state, log, at), state);
    expect(heard, `swap ${k}`).not.toBe("reload");
    states.set(pool.id, heard);
    fees.add((heard as State).feePpm);
    if (k % COMPARED_EACH === 0) expectSame(heard as State, await load(pool), k);
  }
  // The fees covered both sigmoids of the fee function.
  expect(filled).toBeGreaterThanOrEqual(leastQuoted);
  expect(fees.size).toBeGreaterThan(swaps / 10);
  expect(Math.max(...fees)).toBeGreaterThan(5000);
  // v1 logs the fee in every block with a swap. v2 logs only changes, so its state sometimes has to be read again.
  expect(told === swaps).toBe(version === "v1");
  expect(reloads > 0).toBe(version !== "v1");
});

/** States must be equal, except for the start of the window, and v1's volume, which is only known within bounds. */
function expectSame(heard: State, read: State, k: number): void {
  const { past: a, lowest: _a, highest: _b, readAt: _e, ...pool } = heard;
  const { past: b, lowest: _c, highest: _d, readAt: _f, ...found } = read;
  expect(pool, `swap ${k}`).toEqual(found);
  if (a === undefined) return;
  expect(a.history.newest.map(sumsOf), `swap ${k}`).toEqual(b!.history.newest.map(sumsOf));
  expect(a.history.lastIndex).toBe(b!.history.lastIndex);
  const [least, volume] = [last(a.history).volumeCumulative, last(b!.history).volumeCumulative];
  expect(least <= volume && volume <= least + a.slack, `swap ${k}: ${least} <= ${volume}`).toBe(true);
}

/** The fields that are read of any timepoint. The tick of v1 is derived from the newest two timepoints. */
const sumsOf = ({ tick: _a, volumeCumulative: _b, ...sums }: Timepoint) => sums;
