import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import type { Address, Chain, Head, Pool, StateId } from "../../src/core/types.ts";
import type { Published } from "../../src/edge/workers/state-bus.ts";
import type { FindRequest } from "../../src/service/ports/ports.ts";

export const chain: Chain = ethereum;

export const tokenOf = (n: number): Address => `0x${(0xaa000 + n).toString(16).padStart(40, "0")}`;

/** A pool of two of a few tokens, by number. */
export function poolOf(n: number, tokens = 5): Pool {
  const id: Address = `0x${(0xbb0000 + n).toString(16).padStart(40, "0")}`;
  const [a, b] = [n % tokens, (n + 1 + (n % (tokens - 1))) % tokens];
  return {
    id,
    address: id,
    protocol: "uniswap-v2",
    deployment: "uniswap-v2",
    tokens: [tokenOf(Math.min(a, b)), tokenOf(Math.max(a, b))],
    stateIds: [id],
    facts: {},
  };
}

const E18 = 10n ** 18n;
/** Reserves that differ from pool to pool and from version to version. */
export const stateOf = (n: number, version: number) => ({
  reserves: [E18 * BigInt(1000 + n), E18 * BigInt(1000 + ((version * 37 + n * 11) % 300))],
  feePpm: 3000,
});

export function headOf(number: number): Head {
  const hash = (of: number) => `0x${of.toString(16).padStart(64, "0")}` as const;
  return { number, hash: hash(number), parentHash: hash(number - 1), timestamp: 1_700_000_000 + 12 * number };
}

/** Pools as a change of a block; the states are those of the block's number. */
export function changeOf(block: number, pools: readonly number[], more: Partial<Published> = {}): Published {
  const states = new Map<StateId, unknown>(pools.map((n) => [poolOf(n).id, stateOf(n, block)]));
  return {
    head: headOf(block),
    reset: false,
    pools: pools.map((n) => poolOf(n)),
    removed: [],
    stateOf: (id) => states.get(id),
    ...more,
  };
}

export function ask(amount: bigint, more: Partial<FindRequest> = {}): FindRequest {
  return {
    tokenIn: tokenOf(0),
    tokenOut: tokenOf(1),
    amount,
    side: "in",
    gasPriceWei: undefined,
    allowed: { deployments: "all", avoided: [], vetted: "none" },
    maxHops: 4,
    maxLegs: 8,
    timeoutMs: 2_000,
    ...more,
  };
}
