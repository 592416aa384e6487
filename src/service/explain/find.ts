import { BraidError } from "../../core/errors.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { KeptQuote } from "../ports/ports-quotes.ts";

/**
 * The record of how an answer came about. A record made with an API key is readable with that key only; one of the
 * anonymous tier is readable by anyone who has its id.
 *
 * @param owner id of the reader's key; undefined = the anonymous tier
 * @throws BraidError UNSUPPORTED_CHAIN; NOT_FOUND, with one message for an id that is unknown, evicted, or of another
 *   key
 */
export function keptQuote(deps: Deps, chainId: number, id: string, owner: string | undefined): KeptQuote {
  servedChain(deps, chainId);
  const kept = deps.quotes?.find(id.toLowerCase());
  const isReadable = kept !== undefined && (kept.owner === null || kept.owner === owner);
  if (isReadable && kept.record.request.chainId === chainId) return kept;
  const reason = "names no answer that is kept for this caller: records make room for newer ones";
  throw new BraidError("NOT_FOUND", `The quote id ${id} ${reason}.`, {
    details: [{ field: "id", reason, value: id }],
  });
}
