import type { Hex, Log } from "../../../src/core/types.ts";
import { families } from "../model/families.ts";
import { quantity, word, words } from "../model/hash.ts";
import type { Universe } from "../model/universe.ts";

/** Logs as the contracts write them. */

export const PAIR_CREATED: Hex = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
export const POOL_CREATED: Hex = "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118";
export const INITIALIZED_V4: Hex = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438";
export const SYNC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
export const SWAP_V2: Hex = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";
export const SWAP_V3: Hex = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
export const SWAP_PANCAKE: Hex = "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83";
export const MINT_V3: Hex = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
export const BURN_V3: Hex = "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c";
export const SWAP_V4: Hex = "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f";
export const MODIFY_V4: Hex = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec";
export const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
export const SWAP_BALANCER: Hex = "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b";

export const TRADER: Hex = `0x${"00".repeat(12)}${"7a".repeat(20)}`;

const topic = (hex: Hex): Hex => `0x${hex.slice(2).padStart(64, "0")}`;

/** topic0 of the creation logs of a kind. */
export const CREATION = { v2: PAIR_CREATED, v3: POOL_CREATED, v4: INITIALIZED_V4 } as const;

/**
 * The log by which the pool was announced.
 *
 * @param numbered of v2: pairs of the factory, this one included
 * @param first of v4: price and tick with which the pool began
 */
export function creationLog(
  universe: Universe,
  pool: number,
  { numbered, first }: { readonly numbered: number; readonly first: readonly [bigint, number] },
): Log {
  const range = universe.rangeOf(pool);
  const [a, b] = universe.pairAddresses(pool);
  const [fee, spacing] = universe.tier(pool);
  const key = universe.key(pool);
  const { factory: address } = range;
  switch (range.kind) {
    case "v2":
      return { address, topics: [PAIR_CREATED, topic(a), topic(b)], data: words(key, numbered) };
    case "v3":
      return { address, topics: [POOL_CREATED, topic(a), topic(b), words(fee)], data: words(spacing, key) };
    case "v4":
      return {
        address,
        topics: [INITIALIZED_V4, key, topic(a), topic(b)],
        data: words(fee, spacing, 0n, first[0], first[1]),
      };
  }
}

export function syncLog(pair: Hex, [reserve0, reserve1]: readonly [bigint, bigint]): Log {
  return { address: pair, topics: [SYNC], data: words(reserve0, reserve1) };
}

export function swapLogV2(pair: Hex, zeroForOne: boolean, amountIn: bigint, amountOut: bigint): Log {
  const amounts = zeroForOne ? [amountIn, 0n, 0n, amountOut] : [0n, amountIn, amountOut, 0n];
  return { address: pair, topics: [SWAP_V2, TRADER, TRADER], data: words(...amounts) };
}

export type TickSwap = {
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly sqrtPriceX96: bigint;
  readonly liquidity: bigint;
  readonly tick: number;
};

const PANCAKE = families.find(({ id }) => id === "pancakeswap-v3")!.factory;

/** Swap of a v3 pool, in PancakeSwap's wider form where it is one of theirs, or of the manager of v4. */
export function swapLogTicks(universe: Universe, pool: number, swap: TickSwap): Log {
  const { kind, factory } = universe.rangeOf(pool);
  const key = universe.key(pool);
  const { amount0, amount1, sqrtPriceX96, liquidity, tick } = swap;
  if (kind === "v4") {
    const data = words(-amount0, -amount1, sqrtPriceX96, liquidity, tick, universe.tier(pool)[0]);
    return { address: factory, topics: [SWAP_V4, key, TRADER], data };
  }
  const data = words(amount0, amount1, sqrtPriceX96, liquidity, tick);
  if (factory !== PANCAKE) return { address: key, topics: [SWAP_V3, TRADER, TRADER], data };
  return { address: key, topics: [SWAP_PANCAKE, TRADER, TRADER], data: `${data}${word(0)}${word(0)}` };
}

export type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

/** Mint, or Burn where the liquidity is below zero, of a v3 pool; ModifyLiquidity of the manager of v4. */
export function positionLog(universe: Universe, pool: number, position: Position): Log {
  const { kind, factory } = universe.rangeOf(pool);
  const key = universe.key(pool);
  const { lower, upper, liquidity } = position;
  if (kind === "v4") {
    return { address: factory, topics: [MODIFY_V4, key, TRADER], data: words(lower, upper, liquidity, 0n) };
  }
  const ends = [TRADER, words(lower), words(upper)] as const;
  return liquidity > 0n
    ? { address: key, topics: [MINT_V3, ...ends], data: words(TRADER, liquidity, 0n, 0n) }
    : { address: key, topics: [BURN_V3, ...ends], data: words(-liquidity, 0n, 0n) };
}

/** A transfer of a token, which no pool's state hangs on. */
export function transferLog(token: Hex, amount: bigint): Log {
  return { address: token, topics: [TRANSFER, TRADER, TRADER], data: words(amount) };
}

/** A log as a node shows it. */
export type Placed = Log & {
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly removed: boolean;
};

export function place(
  log: Log,
  block: { readonly number: number; readonly hash: Hex },
  at: { readonly log: number; readonly transaction: number; readonly hash: Hex },
): Placed {
  return {
    ...log,
    blockNumber: quantity(block.number),
    blockHash: block.hash,
    logIndex: quantity(at.log),
    transactionHash: at.hash,
    transactionIndex: quantity(at.transaction),
    removed: false,
  };
}
