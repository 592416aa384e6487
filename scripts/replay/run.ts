import pino from "pino";
import { keccak256 } from "viem";
import { ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import { RFQ } from "../../src/core/rfq.ts";
import type { Address, Chain, Hex } from "../../src/core/types.ts";
import { stateDigests } from "../../src/edge/quotes/digest.ts";
import { serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Deps, defaultServiceSettings } from "../../src/service/deps.ts";
import { tokensOf } from "../../src/service/pricing/flow.ts";
import { type Priced, type PriceRequest, price } from "../../src/service/pricing/price.ts";
import { swapCall } from "../../src/service/quoting/swap-call.ts";
import { freezeNode } from "./frozen-node.ts";

/** A record as GET /v1/{chainID}/quotes/{id} answers it, as far as a replay needs it. */
export type Recorded = {
  readonly kind: string;
  readonly request: {
    readonly from_token: Address;
    readonly to_token: Address;
    readonly amount: string;
    readonly side: string;
    readonly slippage: number;
    readonly fee_recipient: Address | null;
    readonly buy_token_fee: number;
    readonly sell_token_fee: number;
    readonly sources: {
      readonly list: "include" | "exclude";
      readonly names: string[];
      readonly rfq_only: boolean;
    };
    readonly with_gas: boolean;
  };
  readonly redacted: readonly string[];
  readonly block_number: number;
  readonly block_hash: Hex;
  readonly states: readonly { readonly id: string; readonly digest: string }[];
  readonly limits: { readonly max_hops: number; readonly max_legs: number };
  readonly gas_price: string;
  readonly amount_in: string;
  readonly amount_out_total: string;
  readonly complete: boolean;
  readonly steps: readonly (RecordedStep & { readonly protocol: string })[];
  readonly refused: readonly {
    readonly kind: "pool" | "maker" | "token";
    readonly id: string;
    readonly reason: string;
  }[];
  readonly transaction: { readonly valid_until: number; readonly unsigned_hash: Hex } | null;
};

type RecordedStep = {
  readonly pool: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly share_q32: number;
  readonly amount_in: string;
  readonly amount_out: string;
};

/** What a replay came to, part by part; null where there was nothing to compare. */
export type Replayed = {
  readonly block: boolean;
  readonly states: boolean;
  /** Whether the steps are those of the record; their shares and amounts may differ by `DIVISION`. */
  readonly route: boolean;
  readonly amounts: boolean;
  /** Whether the steps, with the shares of the record, have its calldata. */
  readonly calldata: boolean | null;
  /** Ids of states that were not what they are on the chain. */
  readonly otherStates: readonly string[];
  readonly offer: {
    readonly amount_in: string;
    readonly amount_out_total: string;
    readonly steps: readonly RecordedStep[];
  };
};

export type ReplayRequest = {
  readonly recorded: Recorded;
  readonly chain: Chain;
  /** A node that has the state of the record's block. */
  readonly rpc: string;
  /** Who was paid, where the record redacts it. */
  readonly recipient: Address | undefined;
};

/** The search has as long as it likes: a complete one does not depend on the time. */
const SEARCH_MS = 60_000;
/** For one answer of the node. */
const ASK_MS = 30_000;

/**
 * Builds the market of the record's block anew, from the node alone, makes the same request of it, and compares what comes out.
 *
 * @throws Error where the route has makers' orders, or the block cannot be read
 */
export async function replay({ recorded, chain, rpc, recipient }: ReplayRequest): Promise<Replayed> {
  if (recorded.steps.some(({ protocol }) => protocol === RFQ))
    throw new Error(
      "The route has a maker's order, which is nowhere but with its maker: it cannot be replayed.",
    );
  await requireBlock(rpc, recorded);
  const frozen = await freezeNode(rpc, recorded.block_number);
  const log = pino({ level: "silent" });
  const tokens = openTokenRegistry(undefined, log);
  const served = serveChain({
    ...{ chain, registry: protocols, router: ROUTER_ADDRESS, tokens, log },
    endpoints: [frozen.url],
    settings: { ...defaultEdgeSettings, selfCheckBlocks: 0 },
  });
  const deps: Deps = {
    chains: new Map([[chain.id, served]]),
    tokens: tokens.port,
    registry: protocols,
    unixSeconds: () => Math.floor(Date.now() / 1000),
    monotonicMs: () => performance.now(),
    pause: async () => {},
    settings: {
      ...defaultServiceSettings,
      maxStateAgeMs: SEARCH_MS,
      maxHops: recorded.limits.max_hops,
      maxLegs: recorded.limits.max_legs,
      searchTimeoutMs: SEARCH_MS,
    },
  };
  try {
    void served.start();
    await served.ready;
    const priced = await price(deps, requestOf(recorded, chain.id), recorded.refused.filter(isPool));
    return compared(deps, recorded, priced, recipient);
  } finally {
    await served.stop();
    tokens.close();
    await frozen.close();
  }
}

/** The service waits for a node as long as it takes; a replay that can never begin says so instead. */
async function requireBlock(rpc: string, { block_number, block_hash }: Recorded): Promise<void> {
  const block = `0x${block_number.toString(16)}`;
  const found = await askNode<{ readonly hash: Hex } | null>(rpc, "eth_getBlockByNumber", [block, false]);
  if (found?.hash !== block_hash)
    throw new Error(`The node's block ${block_number} is ${found?.hash ?? "unknown"}, not ${block_hash}.`);
  // A node that keeps the states of its newest blocks only has the block, and not what it left behind.
  await askNode(rpc, "eth_getBalance", [ROUTER_ADDRESS, block]);
}

async function askNode<T>(rpc: string, method: string, params: readonly unknown[]): Promise<T> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(rpc, { method: "POST", headers, body, signal: AbortSignal.timeout(ASK_MS) });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`The node refuses ${method}: ${error.message}`);
  return result;
}

/** Makers are not asked at all here. */
const isPool = ({ kind }: Recorded["refused"][number]): boolean => kind === "pool";

function requestOf({ request, gas_price }: Recorded, chainId: number): PriceRequest {
  const { sources } = request;
  return {
    chainId,
    tokenIn: request.from_token,
    tokenOut: request.to_token,
    amount: BigInt(request.amount),
    side: request.side === "BUY" ? "out" : "in",
    slippagePpm: Math.round(request.slippage * 1_000),
    gasPriceWei: BigInt(gas_price),
    fees: {
      recipient: request.fee_recipient ?? undefined,
      buyPermille: request.buy_token_fee,
      sellPermille: request.sell_token_fee,
    },
    sources: { list: sources.list, names: sources.names, rfqOnly: sources.rfq_only },
    withGas: request.with_gas,
    minBlock: undefined,
    maxImpactPpm: undefined,
  };
}

function compared(deps: Deps, recorded: Recorded, priced: Priced, recipient: Address | undefined): Replayed {
  const { offer, view } = priced;
  const ids = recorded.states.map(({ id }) => id);
  const here = new Map(stateDigests(view, ids).map(({ id, digest }) => [id, digest]));
  const otherStates = recorded.states.filter(({ id, digest }) => here.get(id) !== digest).map(({ id }) => id);
  const steps = offer.route.steps.map((step): RecordedStep => {
    const [sold, bought] = tokensOf(step);
    return {
      pool: step.pool.id,
      token_in: sold,
      token_out: bought,
      share_q32: step.shareQ32,
      amount_in: step.amountIn.toString(),
      amount_out: step.amountOut.toString(),
    };
  });
  const [amount_in, amount_out_total] = [offer.amountIn.toString(), offer.amountOut.toString()];
  const route =
    steps.length === recorded.steps.length && steps.every((step, k) => isSame(step, recorded.steps[k]!));
  return {
    block: offer.head.hash === recorded.block_hash,
    states: otherStates.length === 0,
    otherStates,
    route,
    amounts: amount_in === recorded.amount_in && amount_out_total === recorded.amount_out_total,
    calldata: sameCalldata(deps, recorded, route ? asRecorded(priced, recorded) : priced, recipient),
    offer: { amount_in, amount_out_total, steps },
  };
}

/**
 * Largest share by which a step may differ. A search begins at prices that the blocks before have left, and ends within its tolerance
 * of the optimum: pools of nearly the same price may divide an order otherwise, and pay the same in sum.
 */
const DIVISION = 1e-4;

function isSame(one: RecordedStep, other: RecordedStep): boolean {
  const isNear = (key: "share_q32" | "amount_in" | "amount_out") =>
    Math.abs(Number(one[key]) - Number(other[key])) <= DIVISION * Number(one[key]) + 1;
  return (
    one.pool === other.pool &&
    one.token_in === other.token_in &&
    one.token_out === other.token_out &&
    isNear("share_q32") &&
    isNear("amount_in") &&
    isNear("amount_out")
  );
}

/** What was found, with the shares of the record. */
function asRecorded(priced: Priced, { steps }: Recorded): Priced {
  const { offer } = priced;
  const divided = offer.route.steps.map((step, k) => ({ ...step, shareQ32: steps[k]!.share_q32 }));
  return { ...priced, offer: { ...offer, route: { ...offer.route, steps: divided } } };
}

function sameCalldata(
  deps: Deps,
  { transaction, redacted }: Recorded,
  { offer, served, view, prepared }: Priced,
  recipient: Address | undefined,
): boolean | null {
  if (transaction === null || (recipient === undefined && redacted.includes("recipientAddress"))) return null;
  const call = swapCall(
    offer.route,
    {
      amountIn: offer.amountIn,
      minimumOut: offer.minimumOut,
      recipient,
      deadline: transaction.valid_until,
      fees: prepared.request.fees,
    },
    { served, registry: deps.registry, view },
  );
  return keccak256(call.data) === transaction.unsigned_hash;
}
