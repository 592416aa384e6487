import type { Hex } from "../../../core/types.ts";
import type { Answer } from "../endpoint.ts";
import { fields, logs as readLogs } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import type { ChainLog, Header } from "../types.ts";
import type { ReceiptsAhead } from "./receipts-ahead.ts";
import type { Seals, Verdict } from "./seal.ts";

/** `differs`: receipts were answered, and none hash to the root in the header. `none`: neither proven nor refuted. */
type Proof = { readonly kind: "proven"; readonly logs: ChainLog[] } | { readonly kind: "differs" | "none" };

export type BlockProof = {
  /** The block's logs whose topic0 is one of `topics`, where its receipts hash to the root in its header. */
  prove(header: Header, topics: ReadonlySet<Hex>): Promise<Proof>;
  /**
   * Whether receipts should be asked for now; false for a while after they failed or could not be encoded several
   * times.
   */
  isOpen(): boolean;
};

type ProofRequest = {
  readonly rpc: Rpc;
  readonly seals: Seals;
  /** Receipts that were asked for before their header arrived. */
  readonly ahead?: Pick<ReceiptsAhead, "take"> | undefined;
  /**
   * Milliseconds after which a request for receipts is given up and the logs are asked for instead: the shorter of the
   * two where no receipts of this chain were proven yet, else `deadlineMs`.
   */
  readonly attemptMs: number;
  readonly deadlineMs: number;
  readonly now: () => number;
};

/** After every FAILURES failures in a row no receipts are asked for during REST_MS. */
const FAILURES = 3;
const REST_MS = 60_000;
/**
 * Failures in a row before that rest applies on a chain whose receipts were proven before: a dishonest node would
 * rather give no receipts than false ones.
 */
const MOST_FAILURES = 12;

export function createBlockProof(request: ProofRequest): BlockProof {
  const { rpc, seals, ahead, attemptMs, deadlineMs, now } = request;
  let failures = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  /**
   * Asks one endpoint after another for the receipts; adds to `verdicts` the verdict of each answer that is of the
   * block.
   */
  const ask = async (header: Header, verdicts: Set<Verdict>): Promise<Answer> => {
    const [answer] = await rpc.batch([{ method: "eth_getBlockReceipts", params: [header.hash] }], {
      ...{ block: header.number, urgency: "head" },
      deadlineMs: seals.provesReceipts() ? deadlineMs : Math.min(attemptMs, deadlineMs),
      async doubt(result) {
        if (!isOfBlock(result, header)) throw new NodeFailure("missing", "receipts of another block");
        const verdict = await seals.receipts(result as unknown[], header.receiptsRoot as Hex);
        verdicts.add(verdict);
        return verdict === "differs" ? `the receipts of block ${header.number} are not its own` : undefined;
      },
    });
    return answer as Answer;
  };
  return {
    isOpen: () => now() >= restUntil || (seals.provesReceipts() && failures < MOST_FAILURES),
    async prove(header, topics) {
      const early = await ahead?.take(header.hash);
      const verdicts = new Set<Verdict>();
      if (isOfBlock(early, header)) verdicts.add(await seals.receipts(early, header.receiptsRoot as Hex));
      if (verdicts.has("fits")) {
        failures = 0;
        return { kind: "proven", logs: logsIn(early as unknown[], topics) };
      }
      const answer = await ask(header, verdicts).catch(unanswered);
      if (answer.ok && verdicts.has("fits")) {
        failures = 0;
        return { kind: "proven", logs: logsIn(answer.result as unknown[], topics) };
      }
      // Whatever the last attempt ended with: where false receipts were shown, reported logs are not trusted either.
      if (verdicts.has("differs")) return { kind: "differs" };
      if (++failures % FAILURES === 0) restUntil = now() + REST_MS;
      return { kind: "none" };
    },
  };
}

function unanswered(error: unknown): Answer {
  if (!(error instanceof NodeFailure)) throw error;
  return { ok: false, failure: error };
}

function isOfBlock(result: unknown, { hash }: Header): result is unknown[] {
  return Array.isArray(result) && result.every((receipt) => fields(receipt).blockHash === hash);
}

/** Counts the index of a log from the order of the receipts, since the `logIndex` that a log states is not hashed. */
function logsIn(receipts: readonly unknown[], topics: ReadonlySet<Hex>): ChainLog[] {
  const all = receipts.flatMap((receipt) => fields(receipt).logs as unknown[]);
  const places = all.flatMap((log, k) => {
    const [first] = fields(log).topics as string[];
    return first !== undefined && topics.has(first.toLowerCase() as Hex) ? [k] : [];
  });
  return places.flatMap((k) => readLogs([all[k]]).map((log) => ({ ...log, logIndex: k })));
}
