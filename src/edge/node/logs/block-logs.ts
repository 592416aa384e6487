import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../../core/types.ts";
import { mapLimit } from "../pace/pace.ts";
import { type BlockProof, createBlockProof } from "../sealed/block-proof.ts";
import { EMPTY_ROOT } from "../sealed/list-root.ts";
import type { ReceiptsAhead } from "../sealed/receipts-ahead.ts";
import type { Seals } from "../sealed/seal.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { BlockLogs, ChainLog, Header } from "../types.ts";
import { mayHold } from "./bloom.ts";
import { createToldLogs, type Told } from "./told-logs.ts";

export type BlockLogsSettings = {
  readonly deadlineMs: number;
  readonly attemptMs: number;
  /** The logs of every `proofBlocks`-th block are proven; 1 = of every block. */
  readonly proofBlocks: number;
  /** Whether there are several endpoints, so that another one can be asked for the same logs. */
  readonly opinions: boolean;
};

type LogsRequest = {
  readonly rpc: Rpc;
  readonly seals: Seals;
  readonly ahead?: Pick<ReceiptsAhead, "take"> | undefined;
  readonly settings: BlockLogsSettings;
  readonly onDispute: (labels: readonly string[], why: string) => void;
  readonly log: Logger;
};

/** Where more than this many blocks are read together, at most every MOST_PROVEN-th block is proven. */
const MOST_PROVEN = 8;
/** Most blocks whose receipts are asked for at once where no endpoint reports logs; one block's may take megabytes. */
const PROVEN_AT_ONCE = 4;

/**
 * Reads the logs of blocks whose topic0 is one of `topics`, and says for each block how far they can be trusted:
 *
 * - A header whose fields hash to its hash proves by its bloom or receipts root that a block has no such logs.
 * - Receipts prove the logs where they hash to the root in the header. Where receipts were shown that do not, logs are
 *   doubted.
 * - Otherwise the logs that an endpoint reports are taken if they fit the header's bloom; a second endpoint is
 *   compared. Where no endpoint reports any, as where each refuses a filter without addresses, every block is proven.
 *
 * @throws NodeFailure `missing` where no node knows a block, `refused` where no node's answer fits its header
 */
export function createBlockLogs(request: LogsRequest) {
  const { rpc, seals, ahead, settings } = request;
  const proof = createBlockProof({ rpc, seals, ahead, ...settings, now: () => performance.now() });
  const told = createToldLogs(request);
  return async (headers: readonly Header[], topics: readonly Hex[]): Promise<BlockLogs[]> => {
    const results = new Map<Hex, BlockLogs>();
    const wanted = new Set(topics);
    const due = dueOf(headers, settings.proofBlocks);
    for (const header of headers) if (hasNone(header, topics)) results.set(header.hash, NONE);
    const doubted = new Set<Hex>();
    const prove = async (header: Header) => {
      const found = await proofOf(header, wanted, proof);
      if (found === "differs") doubted.add(header.hash);
      else if (found !== undefined) results.set(header.hash, { logs: found, trust: "proven", disputed: [] });
    };
    await Promise.all(due.filter(({ hash }) => !results.has(hash)).map(prove));
    const open = headers.filter(({ hash }) => !results.has(hash));
    const asked = new Set(due.map(({ hash }) => hash));
    const words = await told(open, topics, asked);
    const untold = open.filter(({ hash }, k) => words[k]?.logs === undefined && !asked.has(hash));
    await mapLimit(untold, PROVEN_AT_ONCE, prove);
    for (const [k, { hash }] of open.entries())
      if (!results.has(hash)) results.set(hash, reported(words[k] as Told, doubted.has(hash)));
    return headers.map(({ hash }) => results.get(hash) as BlockLogs);
  };
}

function reported({ logs, disputed }: Told, isDoubted: boolean): BlockLogs {
  return { logs: logs ?? [], disputed, trust: isDoubted || logs === undefined ? "doubted" : "told" };
}

const NONE: BlockLogs = { logs: [], trust: "proven", disputed: [] };

function dueOf(headers: readonly Header[], proofBlocks: number): Header[] {
  const many = headers.length > MOST_PROVEN ? MOST_PROVEN : 1;
  return headers.filter(({ number }) => number % Math.max(many, proofBlocks) === 0);
}

/**
 * Whether the header proves that the block has no such logs. The fields of a header whose hash was not verified prove
 * nothing.
 */
function hasNone({ isSealed, receiptsRoot, logsBloom }: Header, topics: readonly Hex[]): boolean {
  if (!isSealed) return false;
  return receiptsRoot === EMPTY_ROOT || (logsBloom.length === 514 && !mayHold(logsBloom, topics));
}

async function proofOf(
  header: Header,
  topics: ReadonlySet<Hex>,
  proof: BlockProof,
): Promise<ChainLog[] | "differs" | undefined> {
  if (header.receiptsRoot === undefined || !proof.isOpen()) return undefined;
  const result = await proof.prove(header, topics);
  if (result.kind === "proven") return result.logs;
  return result.kind === "differs" ? "differs" : undefined;
}
