import { BraidError } from "../../core/errors.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { KeptQuote } from "../ports/ports-quotes.ts";

/**
 * How an answer came about. What a key asked is for that key; an id of the anonymous tier is for whoever has it.
 *
 * @param owner the key of the reader; undefined = the anonymous tier
 * @throws BraidError UNSUPPORTED_CHAIN; NOT_FOUND, the same for an id that is unknown, forgotten, or another key's
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
