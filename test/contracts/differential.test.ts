import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { expect, test } from "vitest";
import { encodeApprove, encodeSwap, ROUTER_ADDRESS, type SwapTerms } from "../../src/core/encoding/index.ts";
import { settle } from "../../src/core/routing/settlement/settle.ts";
import type { PlannedStep } from "../../src/core/routing/types.ts";
import { feeOf } from "../../src/core/shares/fees.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Call,
  type Deployment,
  type Hex,
  type Log,
  NATIVE,
  type Pool,
  type Route,
  type View,
} from "../../src/core/types.ts";
import { startDevnet } from "../../src/devnet/index.ts";
import { createRpc, quantity, type Rpc } from "../../src/devnet/rpc.ts";
import { protocols } from "../../src/protocols/index.ts";
import { seeded } from "../support/random.ts";

const ROUTES = 1_000;
/** Least number of routes that cross a deployment: more are drawn until all have as many. */
const CROSSINGS = 50;
/** Draws that find no route that fills, for each one that does: more is a market that cannot be tested. */
const DRAWS = 20;
const FEE_RECIPIENT: Address = "0x00000000000000000000000000000000000000fe";

/** The devnet's pools as the indexer would have them, at one block. */
type World = {
  readonly rpc: Rpc;
  readonly at: At;
  readonly user: Address;
  readonly pools: readonly Pool[];
  readonly view: View;
  /** By deployment: what a draw starts from, so that a design of few pools is crossed as often as one of many. */
  readonly sources: readonly (readonly Pool[])[];
};

function announced(logs: readonly Log[], deployment: Deployment): readonly Pool[] {
  const protocol = protocols.get(deployment.protocol)!;
  return [...protocol.seeds(deployment), ...logs.flatMap((log) => protocol.discover(log, deployment) ?? [])];
}

/** "0x" where the contract has no such function, as the reads of a block answer. */
function answer(rpc: Rpc, { to, data }: Call): Promise<Hex> {
  return rpc.call<Hex>("eth_call", [{ to, data }, "latest"]).catch((): Hex => "0x");
}

async function stateOf(rpc: Rpc, pool: Pool, at: At): Promise<unknown> {
  const protocol = protocols.get(pool.protocol)!;
  const answers: Hex[] = [];
  for (;;) {
    const calls = protocol.reads(pool, answers);
    if (calls.length === 0) return protocol.load(pool, answers, at);
    answers.push(...(await Promise.all(calls.map((call) => answer(rpc, call)))));
  }
}

async function approveAll(rpc: Rpc, user: Address, tokens: readonly Address[]): Promise<void> {
  const nonce = Number(await rpc.call<Hex>("eth_getTransactionCount", [user, "latest"]));
  const data = encodeApprove(ROUTER_ADDRESS, maxUint256);
  const sent = tokens.map((to, index) => ({
    method: "eth_sendTransaction",
    params: [{ from: user, to, data, gas: quantity(100_000), nonce: quantity(nonce + index) }],
  }));
  await rpc.batch(sent);
  await rpc.call("evm_mine");
}

async function readWorld(
  rpc: Rpc,
  { deployments, user }: { deployments: readonly Deployment[]; user: Address },
): Promise<World> {
  const lists = await Promise.all(
    deployments.map(async (deployment) => {
      const filter = { fromBlock: "0x0", toBlock: "latest", address: deployment.factory };
      return announced(await rpc.call<Log[]>("eth_getLogs", [filter]), deployment);
    }),
  );
  const tokens = new Set(lists.flat().flatMap((pool) => pool.tokens));
  await approveAll(
    rpc,
    user,
    [...tokens].filter((token) => token !== NATIVE),
  );
  const head = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  const at = { blockNumber: Number(head.number), timestamp: Number(head.timestamp) };
  const states = new Map<string, unknown>();
  for (const pool of lists.flat()) states.set(pool.stateIds[0], await stateOf(rpc, pool, at));
  const works = (pool: Pool) => !Object.hasOwn(states.get(pool.stateIds[0]) as object, "refusal");
  const sources = lists.map((list) => list.filter(works));
  return { rpc, at, user, pools: sources.flat(), view: { get: (id) => states.get(id) }, sources };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function without(tokens: readonly Address[], taken: ReadonlySet<Address>): readonly Address[] {
  return tokens.filter((token) => !taken.has(token));
}

/** One to four hops along pools that exist, through a pool of any deployment with the same chance. */
function orderOf(random: () => number, { pools, sources }: World): readonly Address[] {
  const first = pick(
    random,
    pick(
      random,
      sources.filter((list) => list.length > 0),
    ),
  );
  const start = pick(random, first.tokens);
  const order = [start, pick(random, without(first.tokens, new Set([start])))];
  const hops = 1 + Math.floor(random() * 4);
  while (order.length <= hops) {
    const ahead = random() < 0.5;
    const end = ahead ? order.at(-1)! : order[0]!;
    const exits = pools.filter((pool) => pool.tokens.includes(end));
    const further = without(pick(random, exits).tokens, new Set(order));
    if (further.length === 0) break;
    if (ahead) order.push(pick(random, further));
    else order.unshift(pick(random, further));
  }
  return order;
}

/** Every token that got something spends all of it on tokens behind it, by one to three legs. */
function planOf(random: () => number, { pools }: World, order: readonly Address[]): readonly PlannedStep[] {
  const plan: PlannedStep[] = [];
  const filled = new Set<Address>([order[0]!]);
  for (const [index, token] of order.slice(0, -1).entries()) {
    if (!filled.has(token)) continue;
    const rest = new Set(order.slice(index + 1));
    const exits = pools.filter(
      (pool) =>
        pool.tokens.includes(token) && pool.tokens.some((other) => other !== token && rest.has(other)),
    );
    if (exits.length === 0) return [];
    const legs = 1 + Math.floor(random() ** 2 * 3);
    for (let leg = 1; leg <= legs; leg += 1) {
      const protocol = pick(random, [...new Set(exits.map((pool) => pool.deployment))]);
      const pool = pick(
        random,
        exits.filter((exit) => exit.deployment === protocol),
      );
      const bought = pick(
        random,
        pool.tokens.filter((other) => other !== token && rest.has(other)),
      );
      const shareQ32 = leg === legs ? ALL_Q32 : 1 + Math.floor(random() * (2 ** 32 - 1));
      plan.push({ pool, i: pool.tokens.indexOf(token), j: pool.tokens.indexOf(bought), shareQ32 });
      filled.add(bought);
    }
  }
  return plan;
}

function feesOf(random: () => number): Omit<SwapTerms, "minimumOut"> {
  const fees = random() < 0.3;
  const some = () => (fees && random() < 0.7 ? Math.floor(random() * 100) : 0);
  return {
    ...{ recipient: undefined, deadline: 2 ** 40, feeRecipient: fees ? FEE_RECIPIENT : undefined },
    ...{ sellFeePermille: some(), buyFeePermille: some() },
  };
}

type Case = { readonly call: object; readonly wanted: bigint; readonly deployments: readonly string[] };

async function holdingOf({ rpc, user }: World, token: Address): Promise<bigint> {
  if (token === NATIVE) return 10n ** 20n;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [user] });
  return BigInt(await rpc.call<Hex>("eth_call", [{ to: token, data }, "latest"]));
}

/** One random swap, with what the core says that it pays; undefined where the core cannot fill it. */
async function caseOf(random: () => number, world: World): Promise<Case | undefined> {
  const { view, at } = world;
  const order = orderOf(random, world);
  const plan = planOf(random, world, order);
  const [tokenIn, tokenOut] = [order[0]!, order.at(-1)!];
  const part = BigInt(Math.floor(1e9 * 10 ** (-8 * random())));
  const amount = ((await holdingOf(world, tokenIn)) * part) / 10n ** 9n;
  const fees = feesOf(random);
  const amountIn = amount - feeOf(amount, fees.sellFeePermille);
  if (plan.length === 0 || amountIn === 0n) return undefined;
  const settled = settle(plan, amountIn, { registry: protocols, view, at, tokenIn, tokenOut });
  if (settled.kind === "failed") return undefined;
  const net = settled.amountOut - feeOf(settled.amountOut, fees.buyFeePermille);
  if (net < 1n) return undefined;
  const route: Route = { tokenIn, tokenOut, amountIn, amountOut: settled.amountOut, steps: settled.steps };
  const trusts = random() < 0.7;
  const context = { registry: protocols, view, trusts: () => trusts, vets: () => true };
  const { to, data, value } = encodeSwap(amount, route, { ...fees, minimumOut: net }, context);
  const call = { from: world.user, to, data, value: quantity(value) };
  return { call, wanted: net, deployments: settled.steps.map(({ pool }) => pool.deployment) };
}

test("what the core settles is what the router pays, to the wei", { timeout: 300_000 }, async () => {
  const quiet = { dataDir: undefined, traffic: false, blockTimeMs: 0, log: () => undefined };
  const devnet = await startDevnet({ chainId: 31_337, port: 0, ...quiet });
  try {
    const user = devnet.accounts[0]!;
    const { deployments } = devnet.chain;
    const world = await readWorld(createRpc(devnet.url), { deployments, user });
    const random = seeded(7);
    const crossed = new Map<string, number>();
    const rare = () => deployments.filter(({ id }) => (crossed.get(id) ?? 0) < CROSSINGS);
    let done = 0;
    for (let drawn = 0; done < ROUTES || rare().length > 0; drawn += 1) {
      expect(drawn, `draws; crossed by few routes: ${rare().map(({ id }) => id)}`).toBeLessThan(
        ROUTES * DRAWS,
      );
      const found = await caseOf(random, world);
      if (found === undefined) continue;
      const note = found.deployments.join(" ");
      const paid = await world.rpc.call<Hex>("eth_call", [found.call, "latest"]).catch((error: unknown) => {
        throw new Error(`${note}: ${String(error)}`);
      });
      expect(BigInt(paid), note).toBe(found.wanted);
      for (const id of found.deployments) crossed.set(id, (crossed.get(id) ?? 0) + 1);
      done += 1;
    }
  } finally {
    await devnet.stop();
  }
});
