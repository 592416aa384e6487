import { concat, encodeAbiParameters, getContractAddress, keccak256, toHex, zeroAddress } from "viem";
import { addressAt, callData, hasWords, uintAt } from "../../src/core/abi.ts";
import type { PairSource, Protocol, Registry } from "../../src/core/protocol.ts";
import {
  type Address,
  type At,
  type Call,
  type Chain,
  type Deployment,
  type Hex,
  NATIVE,
  type Pool,
} from "../../src/core/types.ts";
import { hashOfKey } from "../../src/edge/lens/pairs.ts";
import { decodeAggregate, encodeAggregate } from "../../src/edge/node/multicall.ts";
import { chunks } from "../../src/edge/node/pace/pace.ts";

/** What a node says about one record; "-" where there is nothing to ask. */
export type RecordCheck = {
  readonly id: string;
  /**
   * `code` at the factory, `first` block from which logs are read, `answers` of it to its design's question, `address` of the pool that it named, as the record's init
   * code makes it, `sample` pool's own factory, `state` of that pool.
   */
  readonly findings: Readonly<Record<"code" | "first" | "answers" | "address" | "sample" | "state", Finding>>;
};

/** `text` is shown; a difference makes the record wrong. */
type Finding = { readonly kind: "same" | "different" | "unknown"; readonly text: string };

/** The node's methods that are used: `eth_call` on the newest block gives "0x" where the contract reverts. */
export type Node = {
  readonly codeAt: (address: Address) => Promise<Hex>;
  readonly call: (call: Call) => Promise<Hex>;
  readonly at: At;
};

const same = (text: string): Finding => ({ kind: "same", text });
const different = (text: string): Finding => ({ kind: "different", text });
const unknown = (text = "-"): Finding => ({ kind: "unknown", text });

/** `factory()` of pairs and pools of most designs. */
const FACTORY: Hex = "0xc45a0155";

/** Compares every record of a chain with a node, one after the other. */
export async function checkRecords(chain: Chain, registry: Registry, node: Node): Promise<RecordCheck[]> {
  const checks: RecordCheck[] = [];
  for (const deployment of chain.deployments) {
    const protocol = registry.get(deployment.protocol);
    if (protocol === undefined) throw new Error(`record ${deployment.id}: no design ${deployment.protocol}`);
    checks.push({ id: deployment.id, findings: await findingsOf({ chain, deployment, protocol, node }) });
  }
  return checks;
}

type Subject = {
  readonly chain: Chain;
  readonly deployment: Deployment;
  readonly protocol: Protocol;
  readonly node: Node;
};

async function findingsOf(subject: Subject): Promise<RecordCheck["findings"]> {
  const { deployment, protocol, node } = subject;
  const first = firstBlock(deployment, node.at.blockNumber);
  const length = ((await node.codeAt(deployment.factory)).length - 2) / 2;
  if (length === 0) {
    return {
      code: different(`none at ${deployment.factory}`),
      first,
      answers: unknown(),
      address: unknown(),
      sample: unknown(),
      state: unknown(),
    };
  }
  const code = same(`${length} bytes`);
  const source = protocol.byPair(deployment);
  const {
    answers,
    pool,
    address = unknown(),
  } = source === undefined ? seeded(subject) : await asked(subject, source);
  if (pool === undefined) return { code, first, answers, address, sample: unknown(), state: unknown() };
  const sample = source === undefined || source.hashed ? unknown() : await ownFactory(subject, pool);
  return { code, first, answers, address, sample, state: await stateOf(subject, pool) };
}

/** A record whose first block is above the newest one has no pool of this chain: its logs are never read. */
function firstBlock({ fromBlock }: Deployment, newest: number): Finding {
  if (fromBlock === undefined) return unknown();
  const text = `block ${fromBlock}`;
  return fromBlock <= newest ? same(text) : different(`${text}, the newest is ${newest}`);
}

type Pair = readonly [Address, Address];
type Answered = { readonly answers: Finding; readonly pool: Pool | undefined; readonly address?: Finding };

const ADDRESSES = [{ type: "address" }, { type: "address" }];

/** What the salt of a design's pools is the hash of: the sorted tokens, and the key of the pool among those of a pair. */
const saltOf: Readonly<Record<string, (pair: Pair, key: number) => Hex>> = {
  "uniswap-v2": (pair) => concat(pair),
  "uniswap-v3": (pair, fee) => encodeAbiParameters([...ADDRESSES, { type: "uint24" }], [...pair, fee]),
  algebra: (pair) => encodeAbiParameters(ADDRESSES, pair),
  solidly: (pair, stable) => concat([...pair, stable === 0 ? "0x00" : "0x01"]),
};

/** Where a record's pool of two sorted tokens lies; undefined where the record has no hash or its design another way. */
export function predictPool(
  deployment: Deployment,
  pair: Pair,
  key: number | undefined,
): Address | undefined {
  const { initCodeHash, poolDeployer = deployment.factory, protocol } = deployment;
  const salt = saltOf[protocol]?.(pair, key ?? 0);
  if (initCodeHash === undefined || salt === undefined) return undefined;
  const made = {
    opcode: "CREATE2",
    from: poolDeployer,
    bytecodeHash: initCodeHash,
    salt: keccak256(salt),
  } as const;
  return getContractAddress(made).toLowerCase() as Address;
}

function asPredicted({ deployment }: Subject, pair: Pair, key: number | undefined, pool: Pool): Finding {
  const predicted = predictPool(deployment, pair, key);
  if (predicted === undefined) return unknown();
  return pool.address === predicted
    ? same("predicted")
    : different(`${pool.address}, predicted ${predicted}`);
}

function seeded({ deployment, protocol }: Subject): Answered {
  const pool = protocol.seeds(deployment)[0];
  return { answers: unknown(pool === undefined ? "by logs only" : "-"), pool };
}

/** Asks for the pools of the wrapped coin and the chain's dollars. */
async function asked(subject: Subject, source: PairSource): Promise<Answered> {
  const { chain, node } = subject;
  const tokens = [chain.wrappedNative, ...(chain.dollarTokens ?? [])].slice(0, 4);
  const pairs = tokens.flatMap((a, k) => tokens.slice(k + 1).map((b): Pair => (a < b ? [a, b] : [b, a])));
  let replies = 0;
  for (const pair of pairs) {
    const named: Pair = source.hashed ? withNative(chain, pair) : pair;
    for (const key of source.keys.length === 0 ? [undefined] : source.keys) {
      const { call, hash } = question(source, named, key);
      const answer = await node.call(call);
      if (!hasWords(answer, source.word + 1)) continue;
      replies += 1;
      const value = uintAt(answer, source.word);
      if (value === 0n) continue;
      const sorted = [...named].sort() as unknown as Pair;
      const name = hash ?? toHex(value, { size: 32 });
      const details: Hex[] = [];
      for (const detail of source.details(name)) details.push(await node.call(detail));
      const pool = source.poolOf(sorted, name, key, details);
      if (pool === undefined) return { answers: different("a pool that is not told"), pool };
      return { answers: same("a pool"), pool, address: asPredicted(subject, sorted, key, pool) };
    }
  }
  const answers =
    replies > 0 ? unknown("no pool of the main tokens") : different("does not answer its design's question");
  return { answers, pool: undefined };
}

/** A singleton's pools hold the native coin itself. */
function withNative({ wrappedNative }: Chain, [a, b]: Pair): Pair {
  return [a === wrappedNative ? NATIVE : a, b === wrappedNative ? NATIVE : b];
}

function question(
  { target, selector, hashed }: PairSource,
  pair: Pair,
  key: number | undefined,
): { readonly call: Call; readonly hash: Hex | undefined } {
  const spelt = pair.map((token) => (token === NATIVE ? zeroAddress : token)).sort();
  if (!hashed || key === undefined) {
    const words = [...spelt.map(BigInt), ...(key === undefined ? [] : [key])];
    return { call: { to: target, data: callData(selector, ...words) }, hash: undefined };
  }
  const hash = hashOfKey(target, spelt as [Address, Address], key);
  return { call: { to: target, data: callData(selector, BigInt(hash)) }, hash };
}

/** A pool that names another factory is of another DEX. */
async function ownFactory({ deployment, node }: Subject, pool: Pool): Promise<Finding> {
  const answer = await node.call({ to: pool.address, data: FACTORY });
  if (!hasWords(answer, 1)) return unknown("names no factory");
  const factory = addressAt(answer, 0);
  return factory === deployment.factory ? same(pool.address) : different(`${pool.address} is of ${factory}`);
}

/** Calls in one request. A pool with ticks takes up to a thousand, of 3,000 gas each. */
const CALLS_AT_ONCE = 200;

/** Whether the design understands what the sample pool answers. */
async function stateOf({ chain, protocol, node }: Subject, pool: Pool): Promise<Finding> {
  const answers: Hex[] = [];
  for (let calls = protocol.reads(pool, answers); calls.length > 0; calls = protocol.reads(pool, answers)) {
    for (const part of chunks(calls, CALLS_AT_ONCE))
      answers.push(...(await answersOf(node, chain.multicall, part)));
  }
  const state = protocol.load(pool, answers, node.at);
  const refusal = Object.hasOwn(state as object, "refusal")
    ? (state as { refusal: string }).refusal
    : undefined;
  return refusal === undefined ? same("read") : different(`refused: ${refusal}`);
}

/** By one request; call by call where Multicall3 is not there, or takes more gas than the node gives. */
async function answersOf(node: Node, multicall: Address, calls: readonly Call[]): Promise<Hex[]> {
  const together = await node.call({ to: multicall, data: encodeAggregate(calls) });
  const results = decodeAggregate(together, calls.length);
  if (results !== undefined) return results.map(({ success, data }) => (success ? data : "0x"));
  const answers: Hex[] = [];
  for (const call of calls) answers.push(await node.call(call));
  return answers;
}

/** Whether a node differs from a record. */
export function isWrong({ findings }: RecordCheck): boolean {
  return Object.values(findings).some(({ kind }) => kind === "different");
}
