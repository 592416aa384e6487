import { useEffect, useState } from "preact/hooks";
import { fetchTokens, type Token } from "./api.ts";
import { ADDRESS } from "./token-search.ts";

const TYPING_PAUSE_MS = 250;
const NONE: readonly Token[] = [];

/**
 * Tokens beside the list of active ones that the service knows by exactly what was typed: a symbol or an address.
 *
 * @param typed undefined = nothing to look for
 */
export function useFound(chainId: number, typed: string | undefined): readonly Token[] {
  const [found, setFound] = useState<{ typed: string; tokens: readonly Token[] }>();
  useEffect(() => {
    if (typed === undefined || typed.length < 2) return;
    let over = false;
    const timer = setTimeout(async () => {
      const wanted = ADDRESS.test(typed) ? { addresses: [typed] } : { symbols: [typed] };
      const tokens = await fetchTokens(chainId, { ...wanted, is_active: false }).catch(() => NONE);
      if (!over) setFound({ typed, tokens });
    }, TYPING_PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [chainId, typed]);
  return found !== undefined && found.typed === typed ? found.tokens : NONE;
}
