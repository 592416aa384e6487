import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { ApiFailure, fetchPlatforms, fetchToken, fetchTokens, type Platform, type Token } from "./api.ts";
import { ADDRESS } from "./tokens/token-search.ts";

/** Something read once and kept, which is tried again until it is there. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly text: string };

const RETRY_MS = 3000;

/** Loads when `key` changes, and again every few seconds after a failure. */
function useLoaded<T>(key: number | undefined, load: (key: number) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<{ key: number | undefined; result: Loaded<T> }>();
  useEffect(() => {
    if (key === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const attempt = async () => {
      const result = await settle(load(key));
      if (over) return;
      setLoaded({ key, result });
      if (result.kind === "failed") timer = setTimeout(attempt, RETRY_MS);
    };
    void attempt();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [key, load]);
  return loaded !== undefined && loaded.key === key ? loaded.result : { kind: "loading" };
}

async function settle<T>(promise: Promise<T>): Promise<Loaded<T>> {
  try {
    return { kind: "ready", value: await promise };
  } catch (error) {
    return {
      kind: "failed",
      text: error instanceof ApiFailure ? error.message : "The answer made no sense.",
    };
  }
}

/** The chains that are served. */
export function usePlatforms(): Loaded<readonly Platform[]> {
  return useLoaded(0, fetchPlatforms);
}

export type TokenShelf = {
  readonly list: Loaded<readonly Token[]>;
  /** Every token known of, by lower-case address: the list and what was found beside it. */
  readonly known: ReadonlyMap<string, Token>;
  /** Keeps a token that is not on the list of active ones. */
  readonly learn: (token: Token) => void;
};

/**
 * The active tokens of a chain, and the rarely used ones that were picked or that a link names by address.
 *
 * @param asked addresses or symbols that must be known if anything is known of them
 */
export function useTokens(
  chainId: number | undefined,
  asked: readonly (string | undefined)[] = [],
): TokenShelf {
  const list = useLoaded(chainId, fetchTokens);
  const [extra, setExtra] = useState<readonly Token[]>([]);
  const learn = useCallback((token: Token) => setExtra((before) => [...before, token]), []);
  const known = useMemo(() => {
    const found = [...extra, ...(list.kind === "ready" ? list.value : [])];
    return new Map(found.filter((t) => t.chainId === chainId).map((token) => [token.address, token]));
  }, [list, extra, chainId]);
  const isReady = list.kind === "ready";
  const unknown = asked.filter((one) => one !== undefined && ADDRESS.test(one) && !known.has(one)).join();
  useEffect(() => {
    if (chainId === undefined || !isReady || unknown === "") return;
    for (const address of unknown.split(",")) {
      void fetchToken(chainId, address).then(learn, () => undefined);
    }
  }, [chainId, isReady, unknown, learn]);
  return { list, known, learn };
}
