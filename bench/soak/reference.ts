import pino from "pino";
import type { Registry } from "../../src/core/protocol.ts";
import type { Address, Call, Fill, Head, Hex, Pool, StateId, View } from "../../src/core/types.ts";
import { devnetChain } from "../../src/devnet/index.ts";
import { createDispatch } from "../../src/edge/indexer/dispatch.ts";
import { loadStates } from "../../src/edge/indexer/load.ts";
import { type Slot, stateOf } from "../../src/edge/market/book.ts";
import { nextAt } from "../../src/edge/next-at.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Offered, OfferedStep } from "../../test/chain/exact.ts";

export type Rpc = <T>(method: string, params: readonly unknown[]) => Promise<T>;

export function rpcOf(url: string): Rpc {
  return async <T>(method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = (await response.json()) as { result: T; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
}

/** What became of an offer that was compared: its block may have left the chain before it could be read. */
export type Verdict = "exact" | "gone" | { readonly wrong: string };

/** Compares offers with the chain: the states of their pools are read afresh at their block, and their steps carried out on those. */
export type Reference = { check(offer: Offered): Promise<Verdict> };

/** While anvil takes a block over, it answers reads of the block before with the state after it; a later read tells the truth. */
const READS = 3;
const AGAIN_MS = 200;

type Log = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex };
type Block = { readonly number: Hex; readonly hash: Hex; readonly parentHash: Hex; readonly timestamp: Hex };

const registry: Registry = protocols;

/** @param blockTimeMs of the devnet */
export async function createReference(rpc: Rpc, chainId: number, blockTimeMs: number): Promise<Reference> {
  const chain = devnetChain(chainId, blockTimeMs);
  const dispatch = createDispatch(chain, registry, pino({ level: "silent" }));
  const address = [...new Set(dispatch.factories.map((one) => one.address))];
  const logs = await rpc<Log[]>("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest", address }]);
  const pools = [...dispatch.seeds(), ...logs.flatMap((log) => dispatch.discover(log))];
  const byId = new Map(pools.map((pool) => [pool.id, pool]));
  const owners = new Map(pools.map((pool) => [pool.stateIds[0], pool]));
  const compare = async (offer: Offered): Promise<Verdict> => {
    const block = await rpc<Block | null>("eth_getBlockByHash", [offer.block_hash, false]);
    if (block === null) return "gone";
    const head: Head = { ...block, number: Number(block.number), timestamp: Number(block.timestamp) };
    const crossed = offer.route_graph.steps.map(({ pool }) => byId.get(pool));
    if (crossed.includes(undefined)) return { wrong: "a pool that no factory announced" };
    const read = readerAt(rpc, block.hash);
    const needed = closure(crossed as Pool[], owners);
    const slots = await loadStates(needed, head, registry, read).catch((error: unknown) => {
      if (error instanceof Gone) return undefined;
      throw error;
    });
    if (slots === undefined) return "gone";
    const view: View = { get: (id) => stateOf(slots.get(id)) };
    const wrong =
      unreadIn(crossed as Pool[], slots) ??
      faultIn(offer, view, { byId, at: nextAt(head, chain.blockTimeMs) });
    if (wrong === undefined) return "exact";
    // Reads of a block that left the chain meanwhile are of another one.
    const now = await rpc<Block | null>("eth_getBlockByNumber", [block.number, false]);
    return now?.hash === block.hash ? { wrong } : "gone";
  };
  return {
    async check(offer) {
      let verdict = await compare(offer);
      for (let tries = 1; tries < READS && typeof verdict !== "string"; tries++) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        verdict = await compare(offer);
      }
      return verdict;
    },
  };
}

class Gone extends Error {}

function readerAt(rpc: Rpc, blockHash: Hex) {
  const one = ({ to, data }: Call) =>
    rpc<Hex>("eth_call", [{ to, data }, { blockHash }]).catch((error: Error) => {
      if (/revert|execution|invalid opcode|out of gas/i.test(error.message)) return "0x" as const;
      throw new Gone(error.message);
    });
  return async (calls: readonly Call[]) => {
    const answers: Hex[] = [];
    for (let start = 0; start < calls.length; start += 40)
      answers.push(...(await Promise.all(calls.slice(start, start + 40).map(one))));
    return answers;
  };
}

/** Pools, and those whose own states they read. */
function closure(pools: readonly Pool[], owners: ReadonlyMap<StateId, Pool>): Pool[] {
  const all = new Set<Pool>();
  const add = (pool: Pool) => {
    if (all.has(pool)) return;
    all.add(pool);
    for (const id of pool.stateIds) {
      const owner = owners.get(id);
      if (owner !== undefined) add(owner);
    }
  };
  for (const pool of pools) add(pool);
  return [...all];
}

/** Why a pool has no state that it could be priced by, of the first that has none. */
function unreadIn(pools: readonly Pool[], slots: ReadonlyMap<StateId, Slot>): string | undefined {
  for (const { protocol, id, stateIds } of pools) {
    const slot = slots.get(stateIds[0])!;
    if ("state" in slot) continue;
    return `${protocol} ${id} has no state: ${"refusal" in slot ? slot.refusal : slot.broken}`;
  }
  return undefined;
}

type Facts = {
  readonly byId: ReadonlyMap<string, Pool>;
  readonly at: { readonly blockNumber: number; readonly timestamp: number };
};

function faultIn(offer: Offered, view: View, facts: Facts): string | undefined {
  const written = new Map<StateId, unknown>();
  const overlay: View = { get: (id) => (written.has(id) ? written.get(id) : view.get(id)) };
  const held = new Map<Address, bigint>([
    [offer.token_in, BigInt(offer.amount_in) - BigInt(offer.sell_fee_amount)],
  ]);
  const add = (token: Address, amount: bigint) => held.set(token, (held.get(token) ?? 0n) + amount);
  for (const step of offer.route_graph.steps) {
    const fault = carryOut(step, overlay, written, facts);
    if (fault !== undefined) return fault;
    add(step.token_in, -BigInt(step.amount_in));
    add(step.token_out, BigInt(step.amount_out));
    if ((held.get(step.token_in) ?? 0n) < 0n) return `a step sells more ${step.token_in} than there is`;
  }
  const total = BigInt(offer.amount_out_total) + BigInt(offer.fee_recipient_amount);
  const got = held.get(offer.token_out) ?? 0n;
  return got === total ? undefined : `the steps pay ${got}, the offer says ${total}`;
}

function carryOut(
  { pool: id, token_in, token_out, amount_in, amount_out }: OfferedStep,
  overlay: View,
  written: Map<StateId, unknown>,
  { byId, at }: Facts,
): string | undefined {
  const pool = byId.get(id)!;
  const [i, j] = [pool.tokens.indexOf(token_in), pool.tokens.indexOf(token_out)];
  let fill: Fill | undefined;
  try {
    fill = registry.get(pool.protocol)!.quote(overlay, pool, i, j, BigInt(amount_in), "in", at);
  } catch (error) {
    // A state that it shares could not be read: the same as a pool that has none of its own.
    return `${pool.protocol} ${id} cannot be asked: ${error}`;
  }
  if (fill?.amountOut !== BigInt(amount_out))
    return `${pool.protocol} ${id} pays ${fill?.amountOut ?? "nothing"} of ${token_out}, not ${amount_out}`;
  for (const [state, value] of fill.writes) written.set(state, value);
  return undefined;
}
