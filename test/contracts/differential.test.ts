import { expect, test } from "vitest";
import { type Bench, withBench } from "../../bench/gas/chain.ts";
import { FEES, type Market, makeMarket, sort } from "../../bench/gas/market.ts";
import { encodeSwap, type SwapTerms } from "../../src/core/encoding/index.ts";
import { feeOf } from "../../src/core/fees.ts";
import { settle } from "../../src/core/routing/settle.ts";
import type { PlannedStep } from "../../src/core/routing/types.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Hex,
  NATIVE,
  type Pool,
  type Route,
  type View,
} from "../../src/core/types.ts";
import { quantity } from "../../src/devnet/rpc.ts";
import { protocols } from "../../src/protocols/index.ts";

const ROUTES = 2_000;
const FEE_RECIPIENT: Address = "0x00000000000000000000000000000000000000fe";
const at: At = { blockNumber: 0, timestamp: 0 };

/** mulberry32: the same routes in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function poolsOf(market: Market): readonly Pool[] {
  const tokens = [market.a, market.b, market.c, market.d, market.w];
  const made: Pool[] = [];
  const add = (protocol: string, address: Address, pair: readonly Address[], facts: Pool["facts"]) =>
    made.push({
      ...{ id: address, address, protocol, deployment: "bench", tokens: pair, facts },
      stateIds: [address],
    });
  for (const [index, x] of tokens.entries()) {
    for (const y of tokens.slice(index + 1)) {
      const pair = sort(x, y);
      add("uniswap-v2", market.pair(x, y), pair, { feePpm: 3000 });
      for (const feePpm of FEES)
        add("uniswap-v3", market.pool(x, y, feePpm), pair, {
          feePpm,
          tickSpacing: feePpm === 500 ? 10 : 60,
        });
    }
  }
  add("wrapped-native", market.w, [NATIVE, market.w], {});
  return made;
}

/** States as the indexer would load them: what each protocol asks for, read from the chain. */
async function statesOf(bench: Bench, pools: readonly Pool[]): Promise<View> {
  const states = new Map<string, unknown>();
  for (const pool of pools) {
    const protocol = protocols.get(pool.protocol)!;
    let answers: Hex[] = [];
    for (;;) {
      const calls = protocol.reads(pool, answers);
      if (calls.length === 0) break;
      answers = [...answers, ...(await Promise.all(calls.map(({ to, data }) => bench.read(to, data))))];
    }
    const state = protocol.load(pool, answers, at);
    expect(state, pool.protocol).not.toHaveProperty("refusal");
    states.set(pool.id, state);
  }
  return { get: (id) => states.get(id) };
}

/** A plan over tokens in a random order: every token that got something spends all of it on tokens behind it. */
function planOf(
  random: () => number,
  pools: readonly Pool[],
  order: readonly Address[],
): readonly PlannedStep[] {
  const plan: PlannedStep[] = [];
  const filled = new Set<Address>([order[0]!]);
  for (const [index, token] of order.slice(0, -1).entries()) {
    if (!filled.has(token)) continue;
    const rest = new Set(order.slice(index + 1));
    const exits = pools.filter(
      (pool) => pool.tokens.includes(token) && pool.tokens.some((other) => rest.has(other)),
    );
    const legs = 1 + Math.floor(random() ** 2 * 3);
    for (let leg = 1; leg <= legs; leg += 1) {
      const pool = exits[Math.floor(random() * exits.length)]!;
      const i = pool.tokens.indexOf(token);
      const shareQ32 = leg === legs ? ALL_Q32 : 1 + Math.floor(random() * (2 ** 32 - 1));
      plan.push({ pool, i, j: 1 - i, shareQ32 });
      filled.add(pool.tokens[1 - i]!);
    }
  }
  return plan;
}

function orderOf(random: () => number, { a, b, c, d, w }: Market): readonly Address[] {
  const shuffled = [a, b, c, d].map((token) => [random(), token] as const).sort(([x], [y]) => x - y);
  const tokens = shuffled.slice(0, 1 + Math.floor(random() * 4)).map(([, token]) => token);
  const kind = random();
  if (kind < 0.15) return [NATIVE, w, ...tokens];
  if (kind < 0.3) return [...tokens, w, NATIVE];
  return [...tokens, w];
}

function feesOf(random: () => number): Omit<SwapTerms, "minimumOut"> {
  const fees = random() < 0.3;
  const some = () => (fees && random() < 0.7 ? Math.floor(random() * 100) : 0);
  return {
    ...{ recipient: undefined, deadline: 2_000_000_000, feeRecipient: fees ? FEE_RECIPIENT : undefined },
    ...{ sellFeePermille: some(), buyFeePermille: some() },
  };
}

type Case = { readonly call: object; readonly wanted: bigint; readonly note: string };

/** One random swap, with what the core says that it pays; undefined where the core cannot fill it. */
function caseOf(
  random: () => number,
  { bench, market, pools, view }: { bench: Bench; market: Market; pools: readonly Pool[]; view: View },
): Case | undefined {
  const order = orderOf(random, market);
  const plan = planOf(random, pools, order);
  const [tokenIn, tokenOut] = [order[0]!, order.at(-1)!];
  const amount = BigInt(Math.floor(10 ** (6 + random() * 16)));
  const fees = feesOf(random);
  const amountIn = amount - feeOf(amount, fees.sellFeePermille);
  const settled = settle(plan, amountIn, { registry: protocols, view, at, tokenIn, tokenOut });
  if (settled.kind === "failed" || settled.amountOut === 0n) return undefined;
  const net = settled.amountOut - feeOf(settled.amountOut, fees.buyFeePermille);
  if (net < 1n) return undefined;
  const route: Route = { tokenIn, tokenOut, amountIn, amountOut: settled.amountOut, steps: settled.steps };
  const terms = { ...fees, minimumOut: net };
  const trusts = random() < 0.7;
  const { to, data, value } = encodeSwap(amount, route, terms, {
    registry: protocols,
    view,
    trusts: () => trusts,
  });
  const call = { from: bench.user, to, data, value: quantity(value) };
  return { call, wanted: net, note: settled.steps.map(({ pool }) => pool.protocol).join(" ") };
}

test("what the core settles is what the router pays, to the wei", { timeout: 300_000 }, async () => {
  await withBench(async (bench) => {
    const market = await makeMarket(bench);
    const pools = poolsOf(market);
    const view = await statesOf(bench, pools);
    const random = randomFrom(7);
    const kinds = new Set<string>();
    let steps = 0;
    for (let done = 0; done < ROUTES; ) {
      const found = caseOf(random, { bench, market, pools, view });
      if (found === undefined) continue;
      const answer = await bench.rpc.call<Hex>("eth_call", [found.call, "latest"]).catch((error: unknown) => {
        throw new Error(`${found.note}: ${String(error)}`);
      });
      expect(BigInt(answer), found.note).toBe(found.wanted);
      for (const kind of found.note.split(" ")) kinds.add(kind);
      steps += found.note.split(" ").length;
      done += 1;
    }
    expect([...kinds].sort()).toEqual(["uniswap-v2", "uniswap-v3", "wrapped-native"]);
    expect(steps).toBeGreaterThan(ROUTES * 2);
  });
});
