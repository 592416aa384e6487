import { BraidError } from "../../core/errors.ts";
import type { Chain } from "../../core/types.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import type { Logo, LogoPort } from "../../service/ports/ports-logos.ts";
import { type FetchLimits, fetchBytes } from "./fetch-bytes.ts";
import { imageTypeOf } from "./image-type.ts";
import { readShippedLogos, shippedKey } from "./shipped.ts";

type LogosRequest = {
  readonly chains: readonly Chain[];
  /** Chain id of the built-in devnet, whose tokens have Ethereum's addresses, and for which nothing is fetched. */
  readonly devnetId: number | undefined;
  /** Whether logos are fetched from the URLs in public token lists. */
  readonly fetches: boolean;
  readonly monotonicMs: () => number;
  /** Overrides of the default limits. */
  readonly limits?: Partial<FetchLimits>;
};

const LIMITS: FetchLimits = { maxBytes: 100_000, timeoutMs: 5_000 };
const AT_ONCE = 8;
const WAITING = 200;
const KEPT_BYTES = 32 * 1024 * 1024;
/** Milliseconds until a URL that gave no logo is fetched again. */
const RETRY_MS = 3_600_000;

/** Logos of the listed tokens: from the shipped files, or fetched from the URLs in token lists and cached in memory. */
export function createLogos(request: LogosRequest): LogoPort {
  const { chains, devnetId, fetches, monotonicMs } = request;
  const shipped = readShippedLogos();
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  const store = createStore(KEPT_BYTES);
  const failedAt = new Map<string, number>();
  const load = queued((url) => fetchLogo(url, { ...LIMITS, ...request.limits }));

  const shippedOf = ({ chainId, address }: ListedToken): Logo | undefined => {
    const chain = byId.get(chainId);
    const key = chain && shippedKey(chain, address, chainId === devnetId);
    return key && shipped.get(key);
  };
  const isFetched = ({ chainId, isListed, logoUri }: ListedToken): boolean => {
    if (!fetches || chainId === devnetId || !isListed || !logoUri.startsWith("https://")) return false;
    return monotonicMs() - (failedAt.get(logoUri) ?? Number.NEGATIVE_INFINITY) > RETRY_MS;
  };
  return {
    has: (token) => shippedOf(token) !== undefined || isFetched(token),
    async of(token) {
      const url = token.logoUri;
      const known = shippedOf(token) ?? store.get(url);
      if (known !== undefined || !isFetched(token)) return known;
      const logo = await load(url);
      if (logo === undefined) failedAt.set(url, monotonicMs());
      else store.put(url, logo);
      return logo;
    },
  };
}

async function fetchLogo(url: string, limits: FetchLimits): Promise<Logo | undefined> {
  try {
    const bytes = await fetchBytes(url, limits);
    const type = imageTypeOf(bytes);
    return type && { type, bytes };
  } catch {
    // An unreachable host, a URL that is not allowed and a file that is too large all mean that there is no logo.
    return undefined;
  }
}

type Load = (url: string) => Promise<Logo | undefined>;

/**
 * Limits `load` to AT_ONCE URLs at a time and WAITING in the queue; callers with the same URL share one load.
 *
 * @throws BraidError OVERLOADED where the queue is full
 */
function queued(load: Load): Load {
  const running = new Map<string, Promise<Logo | undefined>>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE;
  const turn = async (url: string) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await load(url);
    } finally {
      running.delete(url);
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
  return (url) => {
    const known = running.get(url);
    if (known !== undefined) return known;
    if (waiting.length >= WAITING)
      throw new BraidError("OVERLOADED", "Too many logos are being fetched.", { retryAfterSeconds: 1 });
    const asked = turn(url);
    running.set(url, asked);
    return asked;
  };
}

/** An LRU cache of logos by URL, with a limit on their total size. */
function createStore(maxBytes: number) {
  const logos = new Map<string, Logo>();
  let bytes = 0;
  const drop = (url: string) => {
    bytes -= logos.get(url)?.bytes.byteLength ?? 0;
    logos.delete(url);
  };
  return {
    get(url: string): Logo | undefined {
      const logo = logos.get(url);
      if (logo !== undefined) {
        logos.delete(url);
        logos.set(url, logo);
      }
      return logo;
    },
    put(url: string, logo: Logo): void {
      drop(url);
      logos.set(url, logo);
      bytes += logo.bytes.byteLength;
      while (bytes > maxBytes) drop(logos.keys().next().value!);
    },
  };
}
