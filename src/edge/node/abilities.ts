import type { Address, Hex } from "../../core/types.ts";
import type { EndpointAbilities } from "../../service/ports/ports-endpoints.ts";
import type { Answer, Endpoint } from "./endpoint.ts";
import { suggestedWindow } from "./logs/range-logs.ts";
import { quantity } from "./parse.ts";
import type { Seals } from "./sealed/seal.ts";
import type { Header, Request } from "./types.ts";

/** Number of blocks in the range that tests how wide a request for logs may be. */
const RANGE_BLOCKS = 10_000;
const NOBODY: Address = "0x00000000000000000000000000000000000b4a1d";
/** Code that returns the result of the opcode GAS. */
const GAS_CODE: Hex = "0x5a60005260206000f3";
/** A call of the identity precompile, which returns its input. */
const IDENTITY = { to: "0x0000000000000000000000000000000000000004", data: "0x01" };

/**
 * Tries once every ability that an endpoint may lack. The result is for operators only, since the code that uses an
 * ability finds out by itself where it is missing. One side effect: receipts that hash to their root make their form
 * known to `seals` from the start.
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

/** Failures that say nothing about an endpoint's abilities. */
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

/**
 * @returns blocks of the widest accepted range: `RANGE_BLOCKS` where that is accepted; null where the refusal names no
 * limit
 */
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
