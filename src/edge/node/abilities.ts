import type { Address, Hex } from "../../core/types.ts";
import type { EndpointAbilities } from "../../service/ports/ports-endpoints.ts";
import type { Answer, Endpoint } from "./endpoint.ts";
import { suggestedWindow } from "./logs/range-logs.ts";
import { quantity } from "./parse.ts";
import type { Seals } from "./sealed/seal.ts";
import type { Header, Request } from "./types.ts";

/** Blocks of the range by which it is tried how far logs can be asked for at once. */
const RANGE_BLOCKS = 10_000;
const NOBODY: Address = "0x00000000000000000000000000000000000b4a1d";
/** Runs GAS, and returns what it said. */
const GAS_CODE: Hex = "0x5a60005260206000f3";
/** The precompile that gives back what it is given. */
const IDENTITY = { to: "0x0000000000000000000000000000000000000004", data: "0x01" };

/**
 * Asks an endpoint once for everything that may be missing. Nothing depends on the answers but what operators are told, and
 * that a form of receipts which was seen to fit is known from the start: each ability is found missing where it is used.
 *
 * @throws NodeFailure where no answer came
 */
export async function readAbilities(
  { send }: Pick<Endpoint, "send">,
  head: Header,
  { seals, attemptMs, signal }: AbilityTerms,
): Promise<EndpointAbilities> {
  const requests = requestsFor(head);
  const terms = { urgency: "head", waitMs: attemptMs } as const;
  const answers = await send(requests, attemptMs, signal, terms);
  for (const answer of answers) if (!answer.ok && SILENT.has(answer.failure.kind)) throw answer.failure;
  const [byHash, byNumber, range, receipts, plain, override] = answers as Six;
  return {
    logs: byHash.ok ? "by hash" : byNumber.ok ? "by number" : "none",
    logRangeBlocks: byNumber.ok ? rangeOf(range, head) : null,
    receipts: await receiptsOf(receipts, head, seals),
    callsByHash: plain.ok,
    overrides: gasOf(override) !== null,
    callGas: gasOf(override),
  };
}

type Six = [Answer, Answer, Answer, Answer, Answer, Answer];

/** Failures that say nothing of what an endpoint can do. */
const SILENT: ReadonlySet<string> = new Set(["rate-limit", "transport"]);

type AbilityTerms = { readonly seals: Seals; readonly attemptMs: number; readonly signal: AbortSignal };

function requestsFor({ number, hash }: Header): Request[] {
  const name = (block: number) => `0x${Math.max(0, block).toString(16)}`;
  const logs = (where: object): Request => ({
    method: "eth_getLogs",
    params: [{ ...where, address: NOBODY }],
  });
  return [
    logs({ blockHash: hash }),
    logs({ fromBlock: name(number), toBlock: name(number) }),
    logs({ fromBlock: name(number - RANGE_BLOCKS + 1), toBlock: name(number) }),
    { method: "eth_getBlockReceipts", params: [hash] },
    { method: "eth_call", params: [IDENTITY, { blockHash: hash }] },
    {
      method: "eth_call",
      params: [{ to: NOBODY, data: "0x" }, name(number), { [NOBODY]: { code: GAS_CODE } }],
    },
  ];
}

/** @returns `RANGE_BLOCKS` where at least these are taken; null where the limit is not told */
function rangeOf(answer: Answer, head: Header): number | null {
  if (answer.ok) return RANGE_BLOCKS;
  return suggestedWindow(answer.failure.message, Math.max(0, head.number - RANGE_BLOCKS + 1))?.blocks ?? null;
}

async function receiptsOf(
  answer: Answer,
  { receiptsRoot }: Header,
  seals: Seals,
): Promise<EndpointAbilities["receipts"]> {
  if (!answer.ok || !Array.isArray(answer.result)) return "none";
  if (receiptsRoot === undefined) return "unproven";
  return (await seals.receipts(answer.result, receiptsRoot)) === "fits" ? "proven" : "unproven";
}

function gasOf(answer: Answer): number | null {
  if (!answer.ok) return null;
  try {
    return Number(quantity(answer.result)) || null;
  } catch {
    return null;
  }
}
