import type { Hex } from "viem";
import { concatHex, keccak256, numberToHex } from "viem/utils";
import type { Address } from "../../core/types.ts";
import type { Answer, Endpoint } from "../node/endpoint.ts";
import { hex } from "../node/parse.ts";
import type { BlockRef, Request } from "../node/types.ts";

/** The router as it must be deployed: its address and the keccak256 of its runtime code. */
export type ExpectedRouter = { readonly address: Address; readonly codeHash: Hex };

/**
 * Result of a probe of one endpoint at one block. "unusable": the chain lacks the router or a feature that it needs.
 * "unknown": the endpoint supports none of the methods by which this can be found out, or did not answer.
 */
export type RouterFinding =
  | { readonly kind: "usable" }
  | { readonly kind: "unusable"; readonly why: string }
  | { readonly kind: "unknown"; readonly why: string };

/** A capability of an endpoint, kept between two probes of it. */
export type Learnt = {
  /** Whether it runs the code of an `eth_call` without a recipient; true until a probe shows otherwise. */
  runsCode: boolean;
};

type Ask = (request: (block: unknown) => Request) => Promise<Answer>;

type ProbeTerms = {
  readonly block: BlockRef;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly learnt?: Learnt;
};

/**
 * Checks at one endpoint that the router's code is at its address, and that the chain has transient storage, which the
 * router's reentrancy lock needs. Both checks run code in an `eth_call` without a recipient, which returns 64 bytes;
 * where the node does not run such code, they use `eth_getCode` and code that a state override puts at an address.
 *
 * @throws NodeFailure where the endpoint does not answer
 */
export async function probeRouter(
  { send }: Pick<Endpoint, "send">,
  { address, codeHash }: ExpectedRouter,
  { block, timeoutMs, signal, learnt = { runsCode: true } }: ProbeTerms,
): Promise<RouterFinding> {
  const one = async (request: Request) => (await send([request], timeoutMs, signal))[0] as Answer;
  const ask: Ask = async (request) => {
    const answer = await one(request({ blockHash: block.hash }));
    const isOld = !answer.ok && answer.failure.kind === "unsupported";
    return isOld ? one(request(numberToHex(block.number))) : answer;
  };
  const code = await codeFinding(ask, { address, codeHash }, learnt);
  if (code.kind === "unusable") return code;
  const lock = await lockFinding(ask);
  return lock.kind === "unusable" || code.kind === "usable" ? lock : code;
}

const USABLE: RouterFinding = { kind: "usable" };
const unusable = (why: string): RouterFinding => ({ kind: "unusable", why });
const unknown = (why: string): RouterFinding => ({ kind: "unknown", why });

/**
 * PUSH1 32 MSTORE PUSH1 64 PUSH1 0 RETURN: returns a zero word and the word on the stack. The call counts as a
 * creation, whose result must not begin with 0xef (EIP-3541), so the zero word comes first.
 */
const ANSWER_WORD: Hex = "0x60205260406000f3";

const call =
  (data: Hex) =>
  (block: unknown): Request => ({ method: "eth_call", params: [{ data }, block] });

/** Code hashes of an account that does not exist and of one without code. */
const EMPTY: ReadonlySet<Hex> = new Set([numberToHex(0, { size: 32 }), keccak256("0x")]);

async function codeFinding(
  ask: Ask,
  { address, codeHash: expected }: ExpectedRouter,
  learnt: Learnt,
): Promise<RouterFinding> {
  const asking = call(concatHex(["0x73", address, "0x3f", ANSWER_WORD]));
  const hash = learnt.runsCode ? wordIn(await ask(asking)) : undefined;
  const found = hash ?? (await codeHash(ask, address));
  if (hash === undefined && found !== undefined) learnt.runsCode = false;
  if (found === undefined) return unknown("its node tells no code, by a call or by eth_getCode");
  if (found === expected) return USABLE;
  return unusable(EMPTY.has(found) ? `no code lies at ${address}` : `other code lies at ${address}`);
}

async function codeHash(ask: Ask, address: Address): Promise<Hex | undefined> {
  const answer = await ask((block) => ({ method: "eth_getCode", params: [address, block] }));
  const code = answer.ok ? bytesIn(answer.result) : undefined;
  return code === undefined ? undefined : keccak256(code);
}

/** PUSH1 1 PUSH1 0 TSTORE PUSH1 0 TLOAD */
const STORE_AND_LOAD: Hex = "0x600160005d60005c";
const ONE: Hex = numberToHex(1, { size: 32 });

/** Unused address at which a state override puts code for the duration of a call. */
const SCRATCH: Address = "0x00000000000000000000000000000000000b4a1d";

async function lockFinding(ask: Ask): Promise<RouterFinding> {
  const data = concatHex([STORE_AND_LOAD, ANSWER_WORD]);
  const first = await ask(call(data));
  if (wordIn(first) === ONE) return USABLE;
  const overrides = { [SCRATCH]: { code: data } };
  const second = await ask((block) => ({ method: "eth_call", params: [{ to: SCRATCH }, block, overrides] }));
  if (wordIn(second) === ONE) return USABLE;
  const refused = [first, second].some((answer) => !answer.ok && answer.failure.kind === "reverted");
  if (refused) return unusable("the chain has no transient storage (EIP-1153), which the router needs");
  return unknown("its node cannot say whether the chain has transient storage (EIP-1153)");
}

/** The second word of an answer of 64 bytes; undefined for every other answer. */
function wordIn(answer: Answer): Hex | undefined {
  const bytes = answer.ok ? bytesIn(answer.result) : undefined;
  return bytes?.length === 130 ? `0x${bytes.slice(66)}` : undefined;
}

function bytesIn(result: unknown): Hex | undefined {
  try {
    return hex(result);
  } catch {
    return undefined;
  }
}
