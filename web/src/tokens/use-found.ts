import { useEffect, useState } from "preact/hooks";
import { fetchToken, fetchTokens, type Token } from "../api.ts";
import { ADDRESS } from "./token-search.ts";

const TYPING_PAUSE_MS = 250;
const NONE: readonly Token[] = [];

export type Found = {
  readonly tokens: readonly Token[];
  /** Whether the request for the typed text is pending. */
  readonly isAsking: boolean;
};

/**
 * Tokens outside the list of active ones that match the typed text exactly: rarely used tokens by symbol, or the token
 * at an address, which the service reads from the chain if needed.
 *
 * @param typed undefined = no search
 */
export function useFound(chainId: number, typed: string | undefined): Found {
  const [found, setFound] = useState<{ typed: string; tokens: readonly Token[] }>();
  useEffect(() => {
    if (typed === undefined || typed.length < 2) return;
    let over = false;
    const timer = setTimeout(async () => {
      const asked = ADDRESS.test(typed)
        ? fetchToken(chainId, typed.toLowerCase()).then((token) => [token])
        : fetchTokens(chainId, { symbols: [typed], is_active: false });
      const tokens = await asked.catch(() => NONE);
      if (!over) setFound({ typed, tokens });
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
  };
}
