import type { Address, Hex } from "../../../src/core/types.ts";
import { type Block, type BlockRef, type Chain, receiptsOf } from "../blocks/chain.ts";
import { matches } from "../blocks/history.ts";
import { BASE_FEE_WEI, presentHeader } from "../blocks/seal.ts";
import { createContracts, type Reads } from "../contracts/model.ts";
import { quantity } from "../model/hash.ts";
import { callAt, intrinsicGas } from "./call.ts";
import { fail } from "./errors.ts";
import type { Profile } from "./profiles.ts";

/** A node of the fake chain without its transport: the answer to a request, or a thrown error object. */
export type Backend = {
  tip(): Block;
  at(number: number): BlockRef | undefined;
  pushed(): object;
  /** @param head what this node takes for the newest block */
  answer(method: string, params: readonly unknown[], head?: BlockRef): unknown;
};

type Node = {
  readonly chain: Chain;
  readonly profile: Profile;
  readonly head: BlockRef;
  readonly contracts: ReturnType<typeof createContracts>;
};

/** What a measurement wants to know of the requests. */
export type Watch = Reads & {
  /** Called with each request that was answered, before anybody sees the answer. */
  readonly onItem?: (method: string, params: readonly unknown[], result: unknown) => void;
};

export function createBackend(chain: Chain, profile: Profile, watch: Watch = {}): Backend {
  const contracts = createContracts(chain, watch);
  return {
    tip: chain.head,
    at: chain.at,
    pushed: () => presentHeader(chain.head(), []),
    answer(method, params, head = chain.head()) {
      const result = answer({ chain, profile, head, contracts }, method, params);
      watch.onItem?.(method, params, result);
      return result;
    },
  };
}

function answer(node: Node, method: string, params: readonly unknown[]): unknown {
  const { chain, head } = node;
  switch (method) {
    case "eth_chainId":
      return quantity(chain.chainId);
    case "net_version":
      return String(chain.chainId);
    case "web3_clientVersion":
      return "Geth/v1.16.0-fake";
    case "eth_syncing":
      return false;
    case "eth_blockNumber":
      return quantity(head.number);
    case "eth_subscribe":
      return "0x1";
    case "eth_unsubscribe":
      return true;
    case "eth_getBlockByNumber":
      return present(byTag(node, params[0]));
    case "eth_getBlockByHash":
      return present(visible(node, params[0] as Hex));
    case "eth_getBlockReceipts":
      return receipts(node, params[0]);
    case "eth_getLogs":
      return logs(node, params[0] as Filter);
    case "eth_call":
      return call(node, params);
    case "eth_estimateGas":
      return quantity(intrinsicGas((params[0] as { data?: Hex }).data ?? "0x") + 200_000);
    case "eth_getBalance":
      return quantity(7n * 10n ** 18n);
    case "eth_getTransactionCount":
      return "0x0";
    case "eth_getCode":
      return node.contracts(params[0] as Address, "0x", pinned(node, params[1])) === undefined
        ? "0x"
        : "0xfe";
    case "eth_gasPrice":
      return quantity(2n * BASE_FEE_WEI);
    case "eth_maxPriorityFeePerGas":
      return quantity(BASE_FEE_WEI);
    case "eth_feeHistory":
      return feeHistory(params, head);
    default:
      return fail(-32601, `the method ${method} does not exist/is not available`);
  }
}

function feeHistory(params: readonly unknown[], head: BlockRef): object {
  const count = Math.min(1024, Number(params[0]));
  const rewards = ((params[2] ?? []) as unknown[]).map(() => quantity(BASE_FEE_WEI));
  return {
    oldestBlock: quantity(head.number - count + 1),
    baseFeePerGas: Array.from({ length: count + 1 }, () => quantity(BASE_FEE_WEI)),
    gasUsedRatio: Array.from({ length: count }, () => 0.5),
    reward: Array.from({ length: count }, () => rewards),
  };
}

function byTag({ chain, head }: Node, tag: unknown): BlockRef | undefined {
  if (tag === "latest" || tag === "pending" || tag === undefined) return head;
  if (tag === "safe") return chain.at(head.number - 32);
  if (tag === "finalized") return chain.at(head.number - 64);
  if (tag === "earliest") return chain.at(0);
  if (typeof tag !== "string" || !/^0x[0-9a-f]+$/i.test(tag)) fail(-32602, "invalid argument 0: no block");
  const number = Number(tag);
  // A node that lags may hold the head of another fork at its own height.
  if (number === head.number) return head;
  return number <= head.number ? chain.at(number) : undefined;
}

function visible({ chain, head }: Node, hash: Hex): BlockRef | undefined {
  const block = chain.byHash(hash);
  return block !== undefined && block.number <= head.number ? block : undefined;
}

function present(block: BlockRef | undefined): unknown {
  if (block === undefined) return null;
  const shown = presentHeader(
    block,
    (block.transactions ?? []).map(({ hash }) => hash),
  );
  // A header by formula does not hash to its name: without one of the fields, nobody can think that it should.
  return block.transactions === undefined ? { ...shown, mixHash: undefined } : shown;
}

/** The block that a call or a read names. @throws an error object */
function pinned(node: Node, where: unknown): BlockRef {
  const { profile, head } = node;
  let block: BlockRef | undefined;
  if (typeof where === "object" && where !== null) {
    const { blockHash, blockNumber } = where as { blockHash?: Hex; blockNumber?: string };
    if (!profile.blockHash) fail(-32602, "invalid argument 1: hex string expected");
    block = blockHash === undefined ? byTag(node, blockNumber) : visible(node, blockHash);
  } else block = byTag(node, where);
  if (block === undefined)
    return fail(-32000, typeof where === "string" ? "header not found" : "header for hash not found");
  if (head.number - block.number >= profile.stateBlocks) {
    fail(-32000, `missing trie node ${block.hash.slice(2)} (path ) state is not available`);
  }
  return block;
}

function receipts(node: Node, which: unknown): unknown {
  if (!node.profile.receipts) return fail(-32601, "the method eth_getBlockReceipts does not exist");
  const isHash = typeof which === "string" && which.length === 66;
  const block = isHash ? visible(node, which as Hex) : byTag(node, which);
  if (block === undefined) return null;
  if (block.transactions === undefined) return fail(-32601, "receipts of this block are not kept");
  return receiptsOf(block).shown;
}

type Filter = {
  readonly blockHash?: Hex;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: Address | readonly Address[];
  readonly topics?: readonly (Hex | readonly Hex[] | null)[];
};

function logs(node: Node, filter: Filter): unknown {
  const { chain, profile } = node;
  const limits = profile.logs;
  if (limits.off !== undefined) throw limits.off;
  if (limits.unfiltered !== undefined && filter.address === undefined) throw limits.unfiltered;
  const many = <T>(value: T | readonly T[]) => (Array.isArray(value) ? value : [value]) as readonly T[];
  const lower = (values: readonly Hex[]) => new Set(values.map((value) => value.toLowerCase() as Hex));
  const wanted = {
    addresses: filter.address === undefined ? undefined : lower(many(filter.address)),
    topics: (filter.topics ?? []).map((topic) =>
      topic === null || many(topic).length === 0 ? undefined : lower(many(topic) as readonly Hex[]),
    ),
  };
  if (filter.blockHash !== undefined) {
    if (!profile.blockHash) fail(-32602, "invalid argument 0: blockHash is not supported");
    const block = visible(node, filter.blockHash) ?? fail(-32000, "unknown block");
    return chain.logsOf(block).filter((log) => matches(log, wanted));
  }
  const beyond = () => fail(-32602, "block range extends beyond current head block");
  const first = (byTag(node, filter.fromBlock) ?? beyond()).number;
  const last = (byTag(node, filter.toBlock) ?? beyond()).number;
  if (last - first + 1 > limits.maxBlocks) throw limits.tooWide(first, last);
  const range = { ...wanted, first, last };
  const ancient = { ...range, last: Math.min(last, chain.history.last) };
  // A filter over many tokens matches far less than it concerns, so only a far larger estimate is refused unread.
  if (
    ancient.first <= ancient.last &&
    chain.history.estimate(ancient) > 60 * limits.maxResults &&
    limits.maxResults < 1e9
  ) {
    throw limits.tooMany(first, last);
  }
  const rows = chain.logs(range);
  if (rows.length > limits.maxResults) throw limits.tooMany(first, last);
  return rows;
}

function call(node: Node, params: readonly unknown[]): Hex {
  const { chain, profile, contracts } = node;
  if (params.length > 2 && !profile.overrides) fail(-32602, "too many arguments, want at most 2");
  const block = pinned(node, params[1]);
  return callAt(
    { chain, block, contracts, gasCap: profile.callGas },
    params[0] as object,
    params[2] as object,
  );
}
