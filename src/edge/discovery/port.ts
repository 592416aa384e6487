import type { Address, Head } from "../../core/types.ts";
import type { DiscoveryPort } from "../../service/ports/ports-discovery.ts";
import type { Market } from "../market/market.ts";
import type { ChainNode } from "../node/node.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Discovery } from "./discovery.ts";

type PortRequest = {
  readonly market: Market;
  readonly node: Pick<ChainNode, "pace">;
  /** Reads the metadata of tokens that are on no list. */
  readonly know: (tokens: readonly Address[], head: Head) => Promise<void>;
};

/** The discovery as the services use it. */
export function discoveryPort(
  { asking, progress, counts }: Discovery,
  { market, node, know }: PortRequest,
): DiscoveryPort {
  const cover = async (tokens: readonly [Address, Address], caller: string): Promise<string | undefined> => {
    const head = market.head();
    if (head === undefined) return progress.step;
    try {
      await Promise.all([asking.cover(tokens, caller), know(tokens, head)]);
      return undefined;
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      return `the pools of ${tokens.join(" and ")} could not be read (${error.words})`;
    }
  };
  return {
    coverage: () => ({ ...counts(), ...progress, ...node.pace() }),
    cover(tokens, timeoutMs, caller) {
      if (asking.isCovered(tokens, caller)) return Promise.resolve(undefined);
      return within(cover(tokens, caller), timeoutMs, `the pools of ${tokens.join(" and ")} are being read`);
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
