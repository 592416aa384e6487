import type { Address, Head } from "../../core/types.ts";
import type { DiscoveryPort } from "../../service/ports.ts";
import type { Market } from "../market/market.ts";
import { NodeFailure } from "../node/failure.ts";
import type { Discovery } from "./discovery.ts";

/** What the services see of the discovery. @param know reads tokens that no list has */
export function discoveryPort(
  { asking, progress, counts }: Discovery,
  market: Market,
  know: (tokens: readonly Address[], head: Head) => Promise<void>,
): DiscoveryPort {
  const cover = async (tokens: readonly [Address, Address]): Promise<string | undefined> => {
    const head = market.head();
    if (head === undefined) return progress.step;
    try {
      await Promise.all([asking.cover(tokens), know(tokens, head)]);
      return undefined;
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      return `the pools of ${tokens.join(" and ")} could not be read (${error.message})`;
    }
  };
  return {
    coverage: () => ({ ...counts(), ...progress }),
    cover(tokens, timeoutMs) {
      if (asking.isCovered(tokens)) return Promise.resolve(undefined);
      return within(cover(tokens), timeoutMs, `the pools of ${tokens.join(" and ")} are being read`);
    },
  };
}

async function within<T>(work: Promise<T>, timeoutMs: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
