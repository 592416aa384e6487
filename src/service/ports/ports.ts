import type { Allowance } from "../../core/allowance.ts";
import type { RouteRequest, RouteResult } from "../../core/routing/types.ts";
import type { Address, At, Call, Chain, Head, Hex, Log, PoolId, Token, View } from "../../core/types.ts";
import type { BodiesPort } from "./ports-bodies.ts";
import type { DiscoveryPort } from "./ports-discovery.ts";
import type { EndpointReport } from "./ports-endpoints.ts";
import type { MakersPort } from "./ports-makers.ts";
import type { ChainStatus } from "./ports-status.ts";

/** The interfaces that the services need from the edge. The edge implements them; `main.ts` connects both. */

/** A request for a route; the market supplies the block and the clock. */
export type FindRequest = Omit<RouteRequest, "allows" | "at" | "now"> & { readonly allowed: Allowance };

/** Searches on the state of one block: nothing is committed to that state before the last of them ends. */
export type SearchSession = {
  readonly head: Head;
  readonly at: At;
  /** Pool states of that block, or of the one that is being built on it. */
  readonly view: View;
  /** Whether the states belong to an unsealed block; a node's answer about `head` then proves nothing about them. */
  readonly isPreconfirmed: boolean;
  /** Rejects with OVERLOADED where the search had to be stopped. */
  find(request: FindRequest): Promise<RouteResult>;
};

/** The market of one chain, in memory: pricing never waits for a node. */
export interface MarketPort {
  status(): ChainStatus;
  /** The block expected to execute. Only when live. */
  at(): At;
  /** Pool states of the newest committed block. */
  view(): View;
  /**
   * Runs searches that belong together, all at the newest block that can be searched. `work` awaits nothing but its own
   * searches. It may be run twice: first on cached results, then anew where it needs a result that is not cached.
   *
   * @param caller on whose behalf; callers take turns where searches are queued
   * @throws BraidError OVERLOADED where its turn would not come in time
   */
  session<T>(caller: string, work: (session: SearchSession) => Promise<T>): Promise<T>;
  /** Number of sessions that can search at the same time. */
  readonly parallel: number;
  /** Resolves to true once the committed head is at or past `blockNumber`, to false where `timeoutMs` passes first. */
  waitFor(blockNumber: number, timeoutMs: number): Promise<boolean>;
  /** Whether at least one pool of the token is not empty; `is_active` has a minimum depth as well. */
  isTraded(token: Address): boolean;
  /** Value of one smallest unit of `token` in wei of the native coin, by the graph's own prices. */
  nativePer(token: Address): number | undefined;
  /** Native value, in wei, of the shallowest pool on the path by which `nativePer` prices the token; 0 = unknown. */
  priceDepth(token: Address): number;
  /** The quarantined pools, for operators; O(pools). */
  quarantined(): readonly QuarantinedPool[];
  /** For health and metrics. */
  counts(): Readonly<{
    pools: number;
    /** Pools in memory by their design. */
    byProtocol: Readonly<Record<string, number>>;
    tokens: number;
    refused: Readonly<Record<string, number>>;
    quarantined: number;
  }>;
}

/** A pool that is not priced because the chain contradicted its quote or its own design threw. */
export type QuarantinedPool = {
  readonly id: PoolId;
  readonly protocol: string;
  /** For operators; contains no text from a caller or a contract. */
  readonly reason: string;
  /** The block at which its state is read again; undefined = as soon as it can be read. */
  readonly untilBlock: number | undefined;
};

/**
 * Outcome of a check. "sound": the pool behaves as its design says. "wrong": it does not, and is quarantined.
 * "inconclusive": nothing could be proved. "unvetted": one of its tokens is not vetted, so nothing was tried.
 * "dropped": too many pools were waiting.
 */
export type PoolCheckOutcome = "sound" | "wrong" | "inconclusive" | "unvetted" | "dropped";

/** Checks pools with exchanges that no request controls. */
export interface PoolCheckPort {
  /**
   * Reports that a caller's simulation disagreed with the quotes of these pools. The report itself changes nothing: the
   * check runs in the background, and only its own proof quarantines a pool.
   */
  report(pools: readonly PoolId[]): void;
  /** Checks since the start, by outcome. */
  counts(): Readonly<Record<PoolCheckOutcome, number>>;
}

export type Transaction = {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
};

export type TrialTransaction = Transaction & { readonly gasPriceWei?: bigint | undefined };

export type SimulationResult = {
  readonly ok: boolean;
  readonly gasUsed: bigint;
  /** Return data, or revert data where not ok. */
  readonly data: Hex;
  /** The block whose state it ran on, where the node reports it; without it, a difference proves nothing. */
  readonly blockHash?: Hex | undefined;
  readonly method?: Exclude<ProofMethod, "eth_call with overrides"> | undefined;
};

/** Reads from a node. Every method rejects with STALE_STATE when no endpoint answers within its deadline. */
export interface NodePort {
  call(to: Address, data: Hex): Promise<Hex>;
  getBalance(account: Address): Promise<bigint>;
  /**
   * Runs a transaction without sending it, in the block after `on`, or on the newest state where the node does not know
   * `on` or none is given; at a gas price of 0 where no other can be used. The result's `blockHash` names the block.
   */
  simulate(transaction: TrialTransaction, on?: Head): Promise<SimulationResult>;
}

/** A transaction as it was sent, with its receipt once it is mined. */
export type SentTransaction = Transaction & {
  readonly hash: Hex;
  readonly gasLimit: bigint;
  /** undefined while it is pending. */
  readonly receipt: Receipt | undefined;
};

export type Receipt = {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly gasUsed: bigint;
  /** Effective gas price, in wei per gas. */
  readonly gasPriceWei: bigint;
  /** In chain order. */
  readonly logs: readonly Log[];
};

/** Metadata that a token's contract reports. */
export type TokenMetadata = Pick<Token, "address" | "name" | "symbol" | "decimals">;

/**
 * Batched reads of one block, and reads of past blocks. Every method rejects with STALE_STATE when no endpoint answers
 * within its deadline.
 */
export interface ArchivePort {
  /** Answers of calls on the state of a block, in order; "0x" where a call reverts. */
  read(calls: readonly Call[], on: Head): Promise<Hex[]>;
  /** @returns undefined where the contract does not respond like an ERC-20 token */
  tokenMetadata(token: Address, on: Head): Promise<TokenMetadata | undefined>;
  /** @returns undefined where no node knows the transaction */
  transaction(hash: Hex): Promise<SentTransaction | undefined>;
  /** Balance in wei and nonce of an account at the end of a block; undefined where no node kept that state. */
  account(address: Address, blockNumber: number): Promise<{ balance: bigint; nonce: number } | undefined>;
  /** The time of a block, Unix seconds; undefined where no node knows it. */
  timeOf(blockHash: Hex): Promise<number | undefined>;
  /** Return data of a mined transaction's top-level call; undefined where no node traces it, or it reverted. */
  answer(hash: Hex): Promise<Hex | undefined>;
  /** Runs a call on the state at the end of a block, at that block's time; undefined where no node kept that state. */
  run(
    transaction: Transaction,
    block: number | "newest",
  ): Promise<Pick<SimulationResult, "ok" | "data"> | undefined>;
}

/**
 * How calldata was run: after preparatory calls in one simulation, as one call with the sender's balance and allowance
 * overridden, or as a plain call.
 */
export type ProofMethod = "eth_simulateV1" | "eth_call with overrides" | "eth_call";

export type ProofRequest = {
  readonly swap: { readonly to: Address; readonly data: Hex; readonly value: bigint };
  readonly from: Address;
  /** Token and amount that the sender must hold and must allow the swap's contract to spend. */
  readonly token: Address;
  readonly amountIn: bigint;
  /** Whether a signature in the calldata replaces the approval. */
  readonly isSigned: boolean;
  /** Whether the sender is a real wallet, which may be able to pay even where nothing can be overridden. */
  readonly isAble: boolean;
  readonly head: Head;
};

export type ProofRun = {
  readonly method: ProofMethod;
  readonly ok: boolean;
  /** Return data, or revert data where not ok. */
  readonly data: Hex;
  /** undefined where the method does not report it. */
  readonly gasUsed: bigint | undefined;
};

/** A test transfer: an amount of a token, and an account that holds it. */
export type TransferProbe = {
  readonly token: Address;
  readonly holder: Address;
  readonly amount: bigint;
  readonly head: Head;
};

/** Simulates swaps in the block after a head, as a sender that can pay. */
export interface ProofPort {
  /** Whether an account has its own code at the head; undefined where no node answers. */
  isContract(account: Address, head: Head): Promise<boolean | undefined>;
  /** Fee that a token takes from a transfer, in basis points rounded down; undefined where no node can simulate it. */
  transferFeeBps(probe: TransferProbe): Promise<number | undefined>;
  /** @returns undefined where no method works. Rejects with STALE_STATE when no endpoint answers. */
  run(request: ProofRequest): Promise<ProofRun | undefined>;
}

/** Gas prices of one urgency level, in wei per gas. */
export type GasLevel = {
  /** For transactions without EIP-1559 fields. */
  readonly priceWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
  readonly maxFeePerGasWei: bigint;
};

export type GasLevels = {
  /** Base fee of the next block. */
  readonly baseFeeWei: bigint;
  readonly low: GasLevel;
  readonly medium: GasLevel;
  readonly high: GasLevel;
};

export interface GasPort {
  /** From the newest block's fee history; undefined before the first. Never waits. */
  levels(): GasLevels | undefined;
}

/** One served chain with its ports. */
export type ServedChain = {
  readonly chain: Chain;
  readonly router: Address;
  /** Why nothing can be swapped through the router now; undefined where the router's code was found on the chain. */
  readonly routerTrouble: () => string | undefined;
  readonly market: MarketPort;
  readonly node: NodePort;
  readonly archive: ArchivePort;
  readonly proof: ProofPort;
  readonly gas: GasPort;
  readonly checks: PoolCheckPort;
  /** Whether a token's contract is trusted to be a plain token. The data ships with the program, none is downloaded. */
  readonly isVetted: (token: Address) => boolean;
  /** In the order of the configuration. */
  readonly endpoints?: (() => readonly EndpointReport[]) | undefined;
  /** Absent where all pools are known before the first price. */
  readonly discovery?: DiscoveryPort | undefined;
  /** Absent where the operator does not permit the reading of blocks. */
  readonly bodies?: BodiesPort | undefined;
  /** Absent where no makers are configured. */
  readonly makers?: MakersPort | undefined;
};

/** A token with what the service knows of it beyond the token lists. */
export type ListedToken = Token & {
  readonly isActive: boolean;
  /** Sort key; 1 = show first. */
  readonly priority: number;
  readonly isRfq: boolean;
  /** Whether a public token list contains it, which means that people reviewed its name and symbol. */
  readonly isListed: boolean;
};

/** Tokens of every served chain, in memory. */
export interface TokenPort {
  get(chainId: number, address: Address): ListedToken | undefined;
  /** In the list's stable order: priority, symbol, address. */
  all(chainId: number): readonly ListedToken[];
}

/** A node's JSON-RPC response to one call. */
export type JsonRpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** A test wallet: the unlocked accounts of the embedded devnet. It exists only where this program runs the devnet. */
export interface TestWalletPort {
  readonly chainId: number;
  /** URL at which the user's own wallet reaches the devnet: a loopback address. */
  readonly rpcUrl: string;
  /** @throws Error where the node does not answer */
  request(method: string, params: readonly unknown[]): Promise<JsonRpcAnswer>;
}
