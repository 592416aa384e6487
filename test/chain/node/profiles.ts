import { quantity } from "../model/hash.ts";
import type { RpcError } from "./errors.ts";

/** What endpoints allow, as their answers and pages say; each is what a free plan had when it was written down. */
export type Profile = {
  readonly name: string;
  /** Items a second, batches counted by their items, and how many may come at once. 0: no limit. */
  readonly perSecond: number;
  readonly burst: number;
  /** How a request over the limit is answered. */
  readonly limitStyle: "text" | "json" | "retry-after" | "item";
  readonly limitMessage: string;
  readonly latencyMs: number;
  /** Items in one body; more are refused with one error object. */
  readonly maxBatch: number;
  readonly batchError: RpcError;
  /** Gas of an `eth_call`. */
  readonly callGas: number;
  /** Whether `eth_call` takes state overrides. */
  readonly overrides: boolean;
  /** Whether calls and logs may be pinned by block hash. */
  readonly blockHash: boolean;
  /** Whether the receipts of a block are shown. */
  readonly receipts: boolean;
  /** Blocks whose state is kept. */
  readonly stateBlocks: number;
  readonly logs: LogLimits;
};

export type LogLimits = {
  readonly off?: RpcError;
  /** How a filter without addresses is refused. */
  readonly unfiltered?: RpcError;
  readonly maxBlocks: number;
  readonly maxResults: number;
  tooWide(first: number, last: number): RpcError;
  tooMany(first: number, last: number): RpcError;
};

const ARCHIVE = Number.MAX_SAFE_INTEGER;

const between = (first: number, last: number) => `[${quantity(first)}, ${quantity(last)}]`;

const plainLogs: LogLimits = {
  maxBlocks: ARCHIVE,
  maxResults: 10_000,
  tooWide: () => ({ code: -32000, message: "block range is too wide" }),
  tooMany: () => ({ code: -32005, message: "query returned more than 10000 results" }),
};

/** A node of one's own: nothing is limited but the gas of a call. */
const local: Profile = {
  name: "local",
  perSecond: 0,
  burst: 0,
  limitStyle: "json",
  limitMessage: "too many requests",
  latencyMs: 0,
  maxBatch: 1000,
  batchError: { code: -32600, message: "batch too large" },
  callGas: 50_000_000,
  overrides: true,
  blockHash: true,
  receipts: true,
  stateBlocks: ARCHIVE,
  logs: { ...plainLogs, maxResults: ARCHIVE },
};

const list: readonly Profile[] = [
  local,
  {
    ...local,
    name: "public",
    perSecond: 25,
    burst: 50,
    latencyMs: 150,
    maxBatch: 100,
    limitStyle: "retry-after",
    logs: {
      ...plainLogs,
      maxBlocks: 10_000,
      tooWide: () => ({ code: -32602, message: "eth_getLogs is limited to a 10,000 blocks range" }),
    },
  },
  {
    ...local,
    name: "slow",
    perSecond: 5,
    burst: 10,
    latencyMs: 300,
    maxBatch: 1,
    logs: { ...plainLogs, maxBlocks: 10_000 },
  },
  {
    ...local,
    name: "alchemy-free",
    perSecond: 19,
    burst: 190,
    latencyMs: 60,
    limitMessage: "Your app has exceeded its compute units per second capacity.",
    callGas: 550_000_000,
    logs: {
      ...plainLogs,
      maxBlocks: 10,
      tooWide: (first) => ({
        code: -32600,
        message: `Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: ${between(first, first + 9)}.`,
      }),
    },
  },
  {
    ...local,
    name: "quicknode",
    perSecond: 15,
    burst: 30,
    latencyMs: 80,
    limitStyle: "item",
    limitMessage: "15/second request limit reached - reduce calls per second",
    logs: {
      ...plainLogs,
      maxBlocks: 10_000,
      tooWide: () => ({ code: -32614, message: "eth_getLogs is limited to a 10,000 range" }),
    },
  },
  {
    ...local,
    name: "drpc",
    perSecond: 40,
    burst: 80,
    latencyMs: 120,
    limitStyle: "text",
    maxBatch: 3,
    batchError: { code: 31, message: "Batch of more than 3 requests are not allowed on free tier" },
    logs: {
      ...plainLogs,
      maxBlocks: 10_000,
      tooWide: () => ({ code: 35, message: "ranges over 10000 blocks are not supported on freetier" }),
    },
  },
  {
    ...local,
    name: "bsc-dataseed",
    perSecond: 33,
    burst: 100,
    latencyMs: 100,
    limitStyle: "text",
    stateBlocks: 128,
    logs: { ...plainLogs, off: { code: -32005, message: "limit exceeded" } },
  },
  {
    ...local,
    name: "infura",
    perSecond: 20,
    burst: 40,
    latencyMs: 100,
    limitStyle: "json",
    limitMessage: "project ID request rate exceeded",
    logs: {
      ...plainLogs,
      tooMany: (first, last) => ({
        code: -32005,
        message: `query exceeds limit of 10000 results. Try with this block range ${between(first, Math.max(first, Math.floor((first + last) / 2)))}.`,
      }),
    },
  },
  {
    ...local,
    name: "publicnode",
    latencyMs: 80,
    logs: {
      ...plainLogs,
      unfiltered: {
        code: -32701,
        message:
          "Please specify an address in your request or, to remove restrictions, order a dedicated full node here: https://www.allnodes.com/eth/host",
      },
      maxBlocks: 50_000,
      tooWide: () => ({ code: -32701, message: "exceed maximum block range: 50000" }),
    },
  },
  { ...local, name: "pruned", stateBlocks: 128 },
  { ...local, name: "no-overrides", overrides: false },
  { ...local, name: "no-block-hash", blockHash: false },
  { ...local, name: "no-receipts", receipts: false },
  {
    ...local,
    name: "no-logs",
    receipts: false,
    logs: { ...plainLogs, off: { code: -32601, message: "the method eth_getLogs does not exist" } },
  },
  { ...local, name: "small-gas", callGas: 16_700_000 },
];

export const profiles: ReadonlyMap<string, Profile> = new Map(list.map((profile) => [profile.name, profile]));

/** @throws Error that names the profiles there are */
export function profileOf(name: string): Profile {
  const profile = profiles.get(name);
  if (profile === undefined) throw new Error(`--profile ${name}: one of ${[...profiles.keys()].join(", ")}`);
  return profile;
}
