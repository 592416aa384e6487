import { decodeFunctionData, encodeFunctionResult, keccak256, multicall3Abi, toHex } from "viem";
import type { Address, Hex, Log } from "../../src/core/types.ts";
import { bloomOf } from "../../src/edge/node/logs/bloom.ts";
import { CHANGED, CREATED, FACTORY, MOVED, MULTICALL, SET, word } from "./counter.ts";

/** What a block does to the counters. */
export type Act =
  | { readonly kind: "create"; readonly pool: Address; readonly factory?: Address }
  | { readonly kind: "set" | "move" | "change"; readonly pool: Address; readonly value: bigint };

export type Block = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly logs: readonly Log[];
  readonly bloom: Hex;
  /** Every counter after this block. */
  readonly values: ReadonlyMap<Address, bigint>;
};

/** A chain of counters that can be reorganised, and answers as a node would. */
export type FakeChain = {
  readonly tip: () => Block;
  /** Mines one block on the tip. */
  mine(acts?: readonly Act[]): Block;
  /** Takes the newest blocks back; what is mined next is another fork. */
  rewind(depth: number): void;
  /** The answer to a JSON-RPC request; throws what should become the error object. */
  answer(method: string, params: readonly unknown[], head?: Block): unknown;
  /** The canonical block of this number. */
  at(number: number): Block | undefined;
};

export type ChainOptions = {
  readonly chainId?: number;
  /** Whether Multicall3 is deployed. */
  readonly multicall?: boolean;
  /** Whether calls may be pinned by hash. */
  readonly takesHash?: boolean;
  readonly startTime?: number;
};

const TYPICAL_BASE_FEE = 1_000_000_000n;

export function poolAddress(k: number): Address {
  return `0x${(k + 1).toString(16).padStart(40, "0")}`;
}

export function createFakeChain(options: ChainOptions = {}): FakeChain {
  const { startTime = 1_700_000_000 } = options;
  const known = new Map<Hex, Block>();
  let salt = 0;
  const genesis = seal(
    { number: -1, hash: `0x${"00".repeat(32)}`, timestamp: startTime - 1, values: new Map() },
    [],
    0,
  );
  let canonical: Block[] = [genesis];
  known.set(genesis.hash, genesis);
  const tip = () => canonical.at(-1) as Block;
  return {
    tip,
    mine(acts = []) {
      const block = seal(tip(), acts, salt);
      canonical.push(block);
      known.set(block.hash, block);
      return block;
    },
    rewind(depth) {
      salt++;
      canonical = canonical.slice(0, Math.max(1, canonical.length - depth));
    },
    at: (number) => canonical[number],
    answer: (method, params, head = tip()) => answer({ known, canonical, head, options }, method, params),
  };
}

type Parent = Pick<Block, "number" | "hash" | "timestamp" | "values">;

function seal(parent: Parent, acts: readonly Act[], salt: number): Block {
  const values = new Map(parent.values);
  const logs = acts.map((act) => perform(values, act));
  const number = parent.number + 1;
  const hash = keccak256(
    toHex(`${parent.hash} ${parent.timestamp} ${number} ${salt} ${JSON.stringify(logs)}`),
  );
  return {
    number,
    hash,
    parentHash: parent.hash,
    timestamp: parent.timestamp + 1,
    logs,
    bloom: bloomOf(logs),
    values,
  };
}

function perform(values: Map<Address, bigint>, act: Act): Log {
  if (act.kind === "create") {
    const { pool, factory = FACTORY } = act;
    if (!values.has(pool)) values.set(pool, 0n);
    return { address: factory, topics: [CREATED], data: word(BigInt(pool)) };
  }
  const { kind, pool, value } = act;
  values.set(pool, kind === "move" ? (values.get(pool) ?? 0n) + value : value);
  const topic = { set: SET, move: MOVED, change: CHANGED }[kind];
  return { address: pool, topics: [topic], data: kind === "change" ? "0x" : word(value) };
}

type Node = {
  readonly known: ReadonlyMap<Hex, Block>;
  readonly canonical: readonly Block[];
  /** What this node takes for the newest block. */
  readonly head: Block;
  readonly options: ChainOptions;
};

export type RpcError = { readonly code: number; readonly message: string; readonly data?: Hex };

function fail(code: number, message: string): never {
  throw { code, message } satisfies RpcError;
}

function answer(node: Node, method: string, params: readonly unknown[]): unknown {
  const { chainId = 31337 } = node.options;
  switch (method) {
    case "eth_chainId":
      return toHex(chainId);
    case "eth_subscribe":
      return "0x1";
    case "eth_getBlockByNumber":
      return present(byNumber(node, params[0] as string));
    case "eth_getBlockByHash":
      return present(visible(node, params[0] as Hex));
    case "eth_getLogs":
      return logsFor(node, params[0] as Filter);
    case "eth_call":
      return call(node, params[0] as { to: Address; data: Hex }, params[1]);
    case "eth_getBalance":
      return toHex(7n * 10n ** 18n);
    case "eth_gasPrice":
      return toHex(2n * TYPICAL_BASE_FEE);
    case "eth_maxPriorityFeePerGas":
      return toHex(TYPICAL_BASE_FEE);
    case "eth_feeHistory":
      return { baseFeePerGas: [toHex(TYPICAL_BASE_FEE)], gasUsedRatio: [], reward: [] };
    default:
      return fail(-32601, `the method ${method} does not exist`);
  }
}

function byNumber(node: Node, tag: string): Block | undefined {
  if (tag === "latest") return node.head;
  const number = Number(tag);
  return number <= node.head.number ? node.canonical[number] : undefined;
}

function visible({ known, head }: Node, hash: Hex): Block | undefined {
  const block = known.get(hash);
  return block !== undefined && block.number <= head.number ? block : undefined;
}

function present(block: Block | undefined): unknown {
  if (block === undefined) return null;
  return {
    number: toHex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toHex(block.timestamp),
    logsBloom: block.bloom,
    baseFeePerGas: toHex(TYPICAL_BASE_FEE),
  };
}

type Filter = {
  readonly blockHash?: Hex;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: readonly Address[];
  readonly topics?: readonly (readonly Hex[])[];
};

function logsFor(node: Node, filter: Filter): unknown {
  if (Number(filter.toBlock) > node.head.number)
    fail(-32602, "block range extends beyond current head block");
  const blocks =
    filter.blockHash !== undefined
      ? [visible(node, filter.blockHash) ?? fail(-32000, "unknown block")]
      : node.canonical.slice(
          Number(filter.fromBlock),
          Math.min(Number(filter.toBlock), node.head.number) + 1,
        );
  const wanted = filter.topics?.[0];
  return blocks.flatMap((block) =>
    block.logs.flatMap((log, index) => {
      if (filter.address !== undefined && !filter.address.includes(log.address)) return [];
      if (wanted !== undefined && !wanted.includes(log.topics[0] as Hex)) return [];
      const place = { blockNumber: toHex(block.number), blockHash: block.hash, logIndex: toHex(index) };
      return [{ ...log, ...place, removed: false }];
    }),
  );
}

function call(node: Node, { to, data }: { to: Address; data: Hex }, where: unknown): Hex {
  const block = pinned(node, where);
  if (to !== MULTICALL) return callCounter(block, to) ?? fail(3, "execution reverted");
  if (node.options.multicall === false) return "0x";
  const { args } = decodeFunctionData({ abi: multicall3Abi, data });
  const inner = (args as unknown as [readonly { target: Address }[]])[0];
  const result = inner.map(({ target }) => {
    const value = callCounter(block, target.toLowerCase() as Address);
    return { success: value !== undefined, returnData: value ?? "0x" };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
}

function pinned(node: Node, where: unknown): Block {
  if (typeof where === "string") return byNumber(node, where) ?? fail(-32000, "header not found");
  if (node.options.takesHash === false) return fail(-32602, "invalid argument 1: hex string expected");
  return visible(node, (where as { blockHash: Hex }).blockHash) ?? fail(-32000, "header for hash not found");
}

/** A counter that does not exist has no code: the call answers nothing. */
function callCounter({ values }: Block, to: Address): Hex | undefined {
  const value = values.get(to);
  return value === undefined ? "0x" : word(value);
}
