import type { Hex } from "../../src/core/types.ts";
import type { Chain } from "../../test/chain/blocks/chain.ts";
import type { Watch } from "../../test/chain/node/backend.ts";

/** What an endpoint was asked for while the head was followed: items by what they serve. */

const BY_METHOD: Readonly<Record<string, string>> = {
  eth_getBlockByHash: "headers",
  eth_getBlockReceipts: "logs",
  eth_getLogs: "logs",
  eth_feeHistory: "gas prices",
  eth_gasPrice: "gas prices",
  eth_maxPriorityFeePerGas: "gas prices",
  eth_getCode: "router",
  eth_chainId: "chain",
};

/** Counts answered items by purpose. A call serves the comparisons where most of the pools that it read are in the market. */
export function countPurposes({ universe }: Chain) {
  const counts = new Map<string, number>();
  let market: ReadonlySet<string> = new Set();
  let read: Hex[] = [];
  const ofCall = () => {
    if (read.length === 0) return "pairs and tokens";
    const known = read.filter((key) => market.has(key)).length;
    return 2 * known > read.length ? "states of the market" : "other states";
  };
  const purposeOf = (method: string, [first]: readonly unknown[]) => {
    if (method === "eth_call") return ofCall();
    if (method === "eth_getBlockByNumber") return first === "latest" ? "head" : "headers";
    return BY_METHOD[method] ?? method;
  };
  const watch: Watch = {
    onState: (pool) => void read.push(universe.key(pool)),
    onItem(method, params) {
      const purpose = purposeOf(method, params);
      counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
      read = [];
    },
  };
  return {
    watch,
    counts: () => new Map(counts),
    /** Ids of the pools that are in the market from now on. */
    inMarket(ids: Iterable<string>) {
      market = new Set(ids);
    },
  };
}

/**
 * Items by purpose, the most first, as numbers a unit. What was asked and not answered has no purpose, and is told beside them:
 * nothing that the endpoint counts is missing.
 */
export function saidOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  { items, units }: { readonly items: number; readonly units: number },
): string {
  const grown = [...after].map(([purpose, count]) => [purpose, count - (before.get(purpose) ?? 0)] as const);
  const answered = grown.reduce((sum, [, count]) => sum + count, 0);
  return [...grown, ["not answered", items - answered] as const]
    .filter(([, count]) => count !== 0)
    .sort(([, a], [, b]) => b - a)
    .map(([purpose, count]) => `${purpose} ${(count / units).toFixed(2)}`)
    .join(", ");
}
