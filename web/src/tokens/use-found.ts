import { useEffect, useState } from "preact/hooks";
import { ApiFailure, fetchToken, fetchTokens, type Token } from "../api.ts";
import { ADDRESS } from "./token-search.ts";

const TYPING_PAUSE_MS = 250;
const NONE: readonly Token[] = [];

export type Found = {
  readonly tokens: readonly Token[];
  /** Whether the request for the typed text is pending. */
  readonly isAsking: boolean;
  /** Error message where the service could not say; a token that does not exist is no error. */
  readonly trouble: string | undefined;
};

/**
 * Tokens outside the list of active ones that match the typed text exactly: rarely used tokens by symbol, or the token
 * at an address, which the service reads from the chain if needed.
 *
 * @param typed undefined = no search
 */
export function useFound(chainId: number, typed: string | undefined): Found {
  const [found, setFound] = useState<Omit<Found, "isAsking"> & { typed: string }>();
  useEffect(() => {
    if (typed === undefined || typed.length < 2) return;
    let over = false;
    const timer = setTimeout(async () => {
      const asked = ADDRESS.test(typed)
        ? fetchToken(chainId, typed.toLowerCase()).then((token) => [token])
        : fetchTokens(chainId, { symbols: [typed], is_active: false });
      const answer = await asked.then(
        (tokens) => ({ tokens, trouble: undefined }),
        (error: unknown) => ({ tokens: NONE, trouble: troubleOf(error) }),
      );
      if (!over) setFound({ typed, ...answer });
    }, TYPING_PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [chainId, typed]);
  const isAnswered = found !== undefined && found.typed === typed;
  return {
    tokens: isAnswered ? found.tokens : NONE,
    isAsking: typed !== undefined && typed.length > 1 && !isAnswered,
    trouble: isAnswered ? found.trouble : undefined,
  };
}

function troubleOf(error: unknown): string | undefined {
  return error instanceof ApiFailure && error.passing ? error.message : undefined;
}
