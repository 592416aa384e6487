import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { ApiFailure, fetchPlatforms, fetchToken, fetchTokens, type Platform, type Token } from "./api.ts";
import { requestFailure } from "./request-failure.ts";
import { ADDRESS } from "./tokens/token-search.ts";

/** A value that is loaded once, with retries until it succeeds. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly text: string };

const RETRY_MS = 3000;

/** Loads a value when `key` changes, and retries every few seconds after a failure. */
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
      text: requestFailure(error).message,
    };
  }
}

/** The chains that are served. */
export function usePlatforms(): Loaded<readonly Platform[]> {
  return useLoaded(0, fetchPlatforms);
}

export type TokenShelf = {
  readonly list: Loaded<readonly Token[]>;
  /** All known tokens by lower-case address: the list of active tokens, and others that were found. */
  readonly known: ReadonlyMap<string, Token>;
  /** Addresses in use at which the chain has no token. One that is still being asked for is not among them. */
  readonly absent: ReadonlySet<string>;
  /** Adds a token that is not in the list of active ones. */
  readonly learn: (token: Token) => void;
};

/**
 * The active tokens of a chain, and other tokens that were picked or that a link names by address.
 *
 * @param asked tokens in use; those that are unknown addresses are loaded
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
  const [absent, setAbsent] = useState<ReadonlySet<string>>(NOWHERE);
  useEffect(() => {
    setAbsent(NOWHERE);
    if (chainId === undefined || !isReady || unknown === "") return;
    const gone = new AbortController();
    for (const address of unknown.split(",")) {
      void findToken(chainId, address, gone.signal).then((token) => {
        if (gone.signal.aborted) return;
        if (token === undefined) setAbsent((before) => new Set([...before, address]));
        else learn(token);
      });
    }
    return () => gone.abort();
  }, [chainId, isReady, unknown, learn]);
  return { list, known, absent, learn };
}

const NOWHERE: ReadonlySet<string> = new Set();

/** The token at an address, asked for until there is an answer. @returns undefined where there is none */
async function findToken(chainId: number, address: string, gone: AbortSignal): Promise<Token | undefined> {
  while (!gone.aborted) {
    try {
      return await fetchToken(chainId, address);
    } catch (error) {
      if (!(error instanceof ApiFailure && error.passing)) return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return undefined;
}
