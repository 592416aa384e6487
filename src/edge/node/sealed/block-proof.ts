import type { Hex } from "../../../core/types.ts";
import type { Answer } from "../endpoint.ts";
import { fields, logs as readLogs } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { ChainLog, Header } from "../types.ts";
import type { ReceiptsAhead } from "./receipts-ahead.ts";
import type { Seals, Verdict } from "./seal.ts";

/** `differs`: every endpoint showed receipts that do not hash to the root in the header. `none`: nothing can be said. */
type Proof = { readonly kind: "proven"; readonly logs: ChainLog[] } | { readonly kind: "differs" | "none" };

export type BlockProof = {
  /** The block's logs with one of `topics` first, where its receipts hash to the root in its header. */
  prove(header: Header, topics: ReadonlySet<Hex>): Promise<Proof>;
  /** Whether receipts are asked for at all: not where they failed or could not be encoded several times. */
  isOpen(): boolean;
};

type ProofRequest = {
  readonly rpc: Rpc;
  readonly seals: Seals;
  /** Receipts that were asked for before their header was there. */
  readonly ahead?: Pick<ReceiptsAhead, "take"> | undefined;
  /** Without receipts by then, the logs are asked for instead: soon where no receipts were ever proven. */
  readonly attemptMs: number;
  readonly deadlineMs: number;
  readonly now: () => number;
};

const FAILURES = 3;
const REST_MS = 60_000;
/** Where receipts were proven before, so many failures in a row are needed: whoever lies would rather show none. */
const MOST_FAILURES = 12;

export function createBlockProof(request: ProofRequest): BlockProof {
  const { rpc, seals, ahead, attemptMs, deadlineMs, now } = request;
  let failures = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  const ask = async (header: Header) => {
    let verdict: Verdict = "unknown";
    const [answer] = await rpc.batch([{ method: "eth_getBlockReceipts", params: [header.hash] }], {
      ...{ block: header.number, urgency: "head" },
      deadlineMs: seals.provesReceipts() ? deadlineMs : Math.min(attemptMs, deadlineMs),
      async doubt(result) {
        if (!isOfBlock(result, header)) throw new NodeFailure("missing", "receipts of another block");
        verdict = await seals.receipts(result as unknown[], header.receiptsRoot as Hex);
        return verdict === "differs" ? `the receipts of block ${header.number} are not its own` : undefined;
      },
    });
    return { answer: answer as Answer, verdict: verdict as Verdict };
  };
  return {
    isOpen: () => now() >= restUntil || (seals.provesReceipts() && failures < MOST_FAILURES),
    async prove(header, topics) {
      const early = await ahead?.take(header.hash);
      if (isOfBlock(early, header) && (await seals.receipts(early, header.receiptsRoot as Hex)) === "fits") {
        failures = 0;
        return { kind: "proven", logs: logsIn(early, topics) };
      }
      const { answer, verdict } = await ask(header).catch(unanswered);
      if (answer.ok && verdict === "fits") {
        failures = 0;
        return { kind: "proven", logs: logsIn(answer.result as unknown[], topics) };
      }
      if (!answer.ok && answer.failure.kind === "refused" && verdict === "differs")
        return { kind: "differs" };
      if (++failures % FAILURES === 0) restUntil = now() + REST_MS;
      return { kind: "none" };
    },
  };
}

function unanswered(error: unknown): { readonly answer: Answer; readonly verdict: Verdict } {
  if (!(error instanceof NodeFailure)) throw error;
  return { answer: { ok: false, failure: error }, verdict: "unknown" };
}

function isOfBlock(result: unknown, { hash }: Header): result is unknown[] {
  return Array.isArray(result) && result.every((receipt) => fields(receipt).blockHash === hash);
}

/** The place of a log is told by its receipt's: what a log says of its own index is not hashed. */
function logsIn(receipts: readonly unknown[], topics: ReadonlySet<Hex>): ChainLog[] {
  const all = receipts.flatMap((receipt) => fields(receipt).logs as unknown[]);
  const places = all.flatMap((log, k) => {
    const [first] = fields(log).topics as string[];
    return first !== undefined && topics.has(first.toLowerCase() as Hex) ? [k] : [];
  });
  return places.flatMap((k) => readLogs([all[k]]).map((log) => ({ ...log, logIndex: k })));
}
