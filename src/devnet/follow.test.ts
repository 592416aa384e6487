import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readState } from "../../test/support/read-state.ts";
import { encodeApprove, encodeSwap, ROUTER_ADDRESS } from "../core/encoding/index.ts";
import type { Protocol } from "../core/protocol.ts";
import { settle } from "../core/routing/settlement/settle.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Call,
  type Hex,
  type Log,
  NATIVE,
  type Pool,
} from "../core/types.ts";
import { protocols } from "../protocols/index.ts";
import { type Devnet, startDevnet } from "./index.ts";
import { devnetProtocols } from "./protocols.ts";
import { createRpc, quantity, type Rpc } from "./rpc.ts";

const BLOCK_SECONDS = 12;
/** Amounts of the trades, as the inverse of their share of the user's balance; the last ones are large. */
const PARTS = [1_003n, 11n, 5n];

let devnet: Devnet;
let rpc: Rpc;
let user: Address;

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  rpc = createRpc(devnet.url);
  user = devnet.accounts[0]!;
  await rpc.call("anvil_setBlockTimestampInterval", [BLOCK_SECONDS]);
});
afterAll(() => devnet?.stop());

const answerOf = ({ to, data }: Call) =>
  rpc.call<Hex>("eth_call", [{ to, data }, "latest"]).catch((): Hex => "0x");

async function head(): Promise<At> {
  const block = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  return { blockNumber: Number(block.number), timestamp: Number(block.timestamp) };
}

async function poolsOf(id: string): Promise<{ protocol: Protocol; pools: readonly Pool[] }> {
  const deployment = devnet.chain.deployments.find((one) => one.id === id)!;
  const protocol = protocols.get(deployment.protocol)!;
  const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
  const logs = await rpc.call<Log[]>("eth_getLogs", [filter]);
  const announced = logs.flatMap((log) => protocol.discover(log, deployment) ?? []);
  return { protocol, pools: [...protocol.seeds(deployment), ...announced] };
}

type Receipt = {
  readonly status: Hex;
  readonly logs: readonly Log[];
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
};

async function send(call: { to: Address; data: Hex; value: bigint }): Promise<Receipt> {
  const transaction = { from: user, ...call, value: quantity(call.value), gas: quantity(5_000_000) };
  const hash = await rpc.call<Hex>("eth_sendTransaction", [transaction]);
  await rpc.call("evm_mine");
  const receipt = await rpc.call<Receipt>("eth_getTransactionReceipt", [hash]);
  expect(receipt.status).toBe("0x1");
  return receipt;
}

const approved = new Set<Address>();

async function approve(token: Address): Promise<void> {
  if (token === NATIVE || approved.has(token)) return;
  await send({ to: token, data: encodeApprove(ROUTER_ADDRESS, maxUint256), value: 0n });
  approved.add(token);
}

async function holding(token: Address): Promise<bigint> {
  if (token === NATIVE) return BigInt(await rpc.call<Hex>("eth_getBalance", [user, "latest"]));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [user] });
  return BigInt(await answerOf({ to: token, data }));
}

type Trial = { readonly protocol: Protocol; readonly pool: Pool; readonly i: number; readonly j: number };

/**
 * Mines one swap.
 *
 * @returns the state predicted by the quote, the state after its logs, and the state read; undefined where it is not
 * filled
 */
async function swap({ protocol, pool, i, j }: Trial, part: bigint) {
  const [tokenIn, tokenOut] = [pool.tokens[i]!, pool.tokens[j]!];
  await approve(tokenIn);
  const now = await head();
  const at = { blockNumber: now.blockNumber + 1, timestamp: now.timestamp + BLOCK_SECONDS };
  const before = await readState(rpc, protocol, pool, now);
  // A vault also logs pools of other protocols, whose states are refused.
  if (Object.hasOwn(before as object, "refusal")) return undefined;
  const overlay = new Map<string, unknown>([[pool.stateIds[0], before]]);
  const amountIn = (await holding(tokenIn)) / part;
  const context = { registry: protocols, view: { get: (id: string) => overlay.get(id) }, at };
  const plan = [{ pool, i, j, shareQ32: ALL_Q32 }];
  const settled = settle(plan, amountIn, { ...context, tokenIn, tokenOut });
  if (settled.kind === "failed") return undefined;
  const { amountOut, steps } = settled;
  const fees = { feeRecipient: undefined, sellFeePermille: 0, buyFeePermille: 0 };
  const terms = { ...fees, recipient: undefined, deadline: 2 ** 40, minimumOut: amountOut };
  const route = { tokenIn, tokenOut, amountIn, amountOut, steps };
  const held = await holding(tokenOut);
  const receipt = await send(
    encodeSwap(amountIn, route, terms, { ...context, trusts: () => true, vets: () => true }),
  );
  const spent = tokenOut === NATIVE ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) : 0n;
  const got = (await holding(tokenOut)) - held + spent;
  expect(got, `${pool.id} ${i} to ${j}: ${amountIn}`).toBe(amountOut);

  const fill = protocol.quote(context.view, pool, i, j, amountIn, "in", at)!;
  const expected = new Map(fill.writes).get(pool.stateIds[0]);
  const heard = receipt.logs
    .filter((log) => protocol.touches(log).includes(pool.id))
    .reduce<unknown>((state, log) => protocol.apply(state, log, at), before);
  return { expected, heard, read: await readState(rpc, protocol, pool, await head()) };
}

/** A state by field name. */
type Fields = Readonly<Record<string, unknown>>;

type Source = {
  /** Whether the predicted state is complete, so that it is compared with the state read. */
  known(state: Fields): boolean;
  /** Fields that the quote does not predict. */
  readonly beyond: readonly string[];
  /** Fields that depend on when the state was read, or on the price at that time. */
  readonly window?: readonly string[];
  /** Whether no log that the indexer sees tells of a swap: the state is then read again in every block. */
  readonly isUntold?: true;
};

/** Deployments in trading order: each sells shares of the balances that the trades before have left. */
const sources: Readonly<Record<string, Source>> = {
  "balancer-v3": { known: () => true, beyond: ["onlyIn"] },
  // Whether tokens that the vault received can be redeemed is only known once the wrapper is read again.
  "balancer-v3-buffer": { known: () => true, beyond: ["readFor", "redeemable"] },
  "liquidity-book-v20": { known: () => true, beyond: [], window: ["first", "xs", "ys"] },
  "curve-crypto": { known: ({ isSettled }) => isSettled === true, beyond: [] },
  "curve-tricrypto": { known: ({ isSettled }) => isSettled === true, beyond: [] },
  "curve-llamma": { known: () => true, beyond: ["readAt"] },
  "algebra-v1": { known: () => true, beyond: ["past"], window: ["past"] },
  "algebra-v2": { known: () => true, beyond: ["past"], window: ["lowest", "highest", "past"] },
  "algebra-integral": { known: () => true, beyond: [], window: ["lowest", "highest"] },
  "algebra-adaptive": { known: () => true, beyond: ["past"], window: ["lowest", "highest", "past"] },
  "algebra-sliding": { known: () => true, beyond: [], window: ["lowest", "highest", "readAt"] },
  gyroscope: { known: () => true, beyond: [], window: ["onlyIn"] },
  // Swaps accrue protocol fees, which a pool that holds its own shares counts in its share balance.
  "balancer-v2": {
    known: ({ shareIndex = -1 }) => Number(shareIndex) < 0,
    beyond: [],
    window: ["readFor"],
  },
  maverick: { known: ({ isSettled }) => isSettled === true, beyond: [] },
  "maverick-v2": { known: ({ isSettled }) => isSettled === true, beyond: [], window: ["first", "last"] },
  "liquidity-book": { known: () => true, beyond: [], window: ["first", "xs", "ys"] },
  "uniswap-v3": { known: () => true, beyond: [], window: ["lowest", "highest"] },
  "pancakeswap-v3": { known: () => true, beyond: [], window: ["lowest", "highest"] },
  "pancake-infinity-cl": { known: () => true, beyond: [], window: ["lowest", "highest", "readAt"] },
  "pancake-infinity-bin": { known: () => true, beyond: [], window: ["first", "xs", "ys", "entered"] },
  "uniswap-v4": { known: () => true, beyond: [], window: ["lowest", "highest", "readAt"] },
  solidly: { known: () => true, beyond: [], window: ["readAt"] },
  dodo: { known: () => true, beyond: [], window: ["readFor", "readAt"] },
  erc4626: { known: () => true, beyond: [], window: ["readFor"] },
  // After a trade, reserves are not known before they are read again.
  fluid: {
    known: () => true,
    beyond: ["collateral", "debt", "oracle", "isOpen", "readAt", "readFor"],
    window: ["readAt", "readFor"],
  },
  // Within a route a pool is priced once.
  "fluid-lite": { known: () => true, beyond: ["isClosed", "readAt"], window: ["readAt"] },
  // DAI that does not pay for a whole unit of the stablecoin is sent to the module as well, and no log of the module states it.
  "lite-psm": { known: () => true, beyond: [], window: ["dai", "readAt"] },
  "spark-psm": { known: () => true, beyond: [], window: ["readAt"] },
  iziswap: { known: () => true, beyond: [], window: ["lowest", "highest"] },
  ekubo: { known: () => true, beyond: [], window: ["lowest", "highest", "readAt"], isUntold: true },
  // After a trade, a token has no price until the oracle is read again.
  woofi: { known: () => true, beyond: ["listings", "readFor"], window: ["listings", "readFor"] },
};

/** All other deployments of the devnet: their quotes predict the whole state. */
const plain = devnetProtocols
  .flatMap(({ deployments }) => deployments.map(({ id }) => id))
  .filter((id) => !Object.hasOwn(sources, id));
const WHOLE: Source = { known: () => true, beyond: [] };
/** Most pools tried per deployment. The pools of deployments that have more share one code. */
const MOST_POOLS = 6;

const without = (state: Fields, names: readonly string[]) =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)));

const all = [...Object.entries(sources), ...plain.map((id) => [id, WHOLE] as const)];

test.each(all)("%s is where its swap should leave it", async (id, source) => {
  const { known, beyond, window = [], isUntold } = source;
  const { protocol, pools } = await poolsOf(id);
  let compared = 0;
  for (const part of PARTS) {
    for (const pool of pools.slice(0, MOST_POOLS)) {
      const pairs = pool.tokens.flatMap((_, i) => pool.tokens.map((_, j) => ({ protocol, pool, i, j })));
      for (const trial of pairs.filter(({ i, j }) => i !== j)) {
        const done = await swap(trial, part);
        if (done === undefined) continue;
        const [expected, read] = [done.expected as Fields, without(done.read as Fields, window)];
        const note = `${pool.id} ${trial.i} to ${trial.j}, a ${part}th`;
        if (isUntold === undefined && done.heard !== "reload")
          expect(without(done.heard as Fields, window), note).toEqual(read);
        if (!known(expected)) continue;
        expect(without(expected, [...beyond, ...window]), note).toEqual(without(read, beyond));
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThanOrEqual(2);
});

test.each(["curve-crypto", "curve-tricrypto"])("%s moves its price scale after the market", async (id) => {
  const { protocol, pools } = await poolsOf(id);
  const pool = pools[0]!;
  const last = pool.tokens.length - 1;
  const scale = async () => ((await readState(rpc, protocol, pool, await head())) as Fields).priceScale;
  const before = await scale();
  for (let k = 0; k < 3; k++) {
    await swap({ protocol, pool, i: 0, j: last }, 4n);
    await rpc.call("anvil_mine", [quantity(2), quantity(1200)]);
  }
  expect(await scale()).not.toEqual(before);
});

test("bins of a Maverick pool follow the price, and it is priced where they have come to", async () => {
  const { protocol, pools } = await poolsOf("maverick");
  const pool = pools[0]!;
  // Where a tick has two bins, one of them is a bin that follows the price.
  const followers = async () => {
    const state = await readState(rpc, protocol, pool, await head());
    const { bins } = state as { readonly bins: readonly { readonly tick: number }[] };
    return bins.filter((bin, k) => bins[k - 1]?.tick === bin.tick).map(({ tick }) => tick);
  };
  const push = async (i: 0 | 1) => {
    for (let k = 0; k < 3; k++) {
      expect(await swap({ protocol, pool, i, j: 1 - i }, 30n)).toBeDefined();
      // Longer than the averaging period of the price.
      await rpc.call("evm_setNextBlockTimestamp", [quantity((await head()).timestamp + 700)]);
      await rpc.call("evm_mine");
    }
    return followers();
  };
  const start = await followers();
  expect(start).toHaveLength(3);
  const risen = await push(0);
  expect(Math.min(...risen)).toBeGreaterThan(Math.min(...start));
  await push(1);
  const fallen = await push(1);
  expect(Math.min(...fallen)).toBeLessThan(Math.min(...risen));
});

test("a lending market is priced at what its oracle says", async () => {
  const { protocol, pools } = await poolsOf("curve-llamma");
  const pool = pools[0]!;
  const { price } = (await readState(rpc, protocol, pool, await head())) as { readonly price: bigint };
  const abi = parseAbi(["function set_price(uint256 price)"]);
  for (const percent of [98n, 103n]) {
    const args = [(price * percent) / 100n] as const;
    const data = encodeFunctionData({ abi, functionName: "set_price", args });
    await send({ to: pool.address, data, value: 0n });
    for (const [i, j] of [
      [0, 1],
      [1, 0],
    ] as const)
      expect(await swap({ protocol, pool, i, j }, 40n)).toMatchObject({ read: { price: args[0] } });
  }
});
