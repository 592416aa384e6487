import type { Hex } from "../../../core/types.ts";
import type { Endpoint } from "../endpoint.ts";
import { hex, integer } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";

/**
 * Receipts of a block that an endpoint pushed, asked for in parallel with its header instead of after it. The push is
 * only a hint: the receipts count only if they hash to the root in the header; otherwise they are asked for again as
 * usual.
 */
export type ReceiptsAhead = {
  /**
   * Asks for the receipts, if the endpoint runs on this machine; remote endpoints get no requests that may be needless.
   *
   * @param pushed the header as the endpoint pushed it; one without a hash and a number is ignored
   */
  begin(endpoint: Asked, pushed: unknown): void;
  /** The answer for this block, once; undefined where receipts were not asked for or did not arrive. */
  take(block: Hex): Promise<unknown>;
};

type Asked = Pick<Endpoint, "isLocal" | "send">;

type AheadRequest = {
  /** Receipts are asked for at every `proofBlocks`-th block only. */
  readonly proofBlocks: number;
  /** Whether receipts of this chain were seen to fit their root. */
  readonly isWorthwhile: () => boolean;
  readonly signal: AbortSignal;
};

/** Most answers kept; beyond that, the oldest that was not taken is dropped. */
const MOST_KEPT = 4;
/** Limit of the early request; a local node that takes longer gains nothing from two requests in parallel. */
const TIMEOUT_MS = 1_000;

export function createReceiptsAhead({ proofBlocks, isWorthwhile, signal }: AheadRequest): ReceiptsAhead {
  const asked = new Map<Hex, Promise<unknown>>();
  return {
    begin(endpoint, pushed) {
      const block = blockIn(pushed);
      if (!endpoint.isLocal || block === undefined || block.number % proofBlocks !== 0) return;
      if (!isWorthwhile() || asked.has(block.hash)) return;
      const asking = receiptsOf(endpoint, block.hash, signal);
      // Whoever takes the answer gets the rejection; perhaps nobody does.
      asking.catch(() => undefined);
      asked.set(block.hash, asking);
      for (const hash of [...asked.keys()].slice(0, -MOST_KEPT)) asked.delete(hash);
    },
    async take(block) {
      const answer = asked.get(block);
      asked.delete(block);
      return answer;
    },
  };
}

async function receiptsOf(endpoint: Asked, block: Hex, signal: AbortSignal): Promise<unknown> {
  const request = { method: "eth_getBlockReceipts", params: [block] };
  try {
    const terms = { urgency: "head", waitMs: TIMEOUT_MS } as const;
    const [answer] = await endpoint.send([request], TIMEOUT_MS, signal, terms);
    return answer?.ok === true ? answer.result : undefined;
  } catch (error) {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  }
}

function blockIn(pushed: unknown): { readonly hash: Hex; readonly number: number } | undefined {
  if (typeof pushed !== "object" || pushed === null) return undefined;
  const { hash, number } = pushed as { hash?: unknown; number?: unknown };
  try {
    return { hash: hex(hash, 32), number: integer(number) };
  } catch {
    return undefined;
  }
}
