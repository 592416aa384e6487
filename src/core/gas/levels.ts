/** One block of a fee history: tips in wei per gas at rising percentiles of the gas used. */
export type BlockTips = { readonly low: bigint; readonly medium: bigint; readonly high: bigint };

export type FeeHistory = {
  /** Base fee of the block after the newest. */
  readonly nextBaseFeeWei: bigint;
  /** Blocks that held transactions, in any order; may be empty. */
  readonly tips: readonly BlockTips[];
  /** What the node suggests as a tip: used where no block held any. */
  readonly suggestedTipWei: bigint;
};

/** Prices of one level, in wei per gas. */
export type Level = {
  readonly priceWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
  readonly maxFeePerGasWei: bigint;
};

export type Levels = {
  readonly baseFeeWei: bigint;
  readonly low: Level;
  readonly medium: Level;
  readonly high: Level;
};

/** Blocks that a transaction of each level may wait for and must then still be valid in: the last one that it promises. */
export const PROMISED_BLOCKS = { low: 6, medium: 3, high: 1 } as const;

/** Blocks of rise that a legacy price, which is paid in full, leaves room for. */
const LEGACY_ROOM = { low: 0, medium: 1, high: 2 } as const;

/**
 * Gas prices from recent fees: low ≤ medium ≤ high in every field.
 *
 *   maxFeePerGas = grown(base, blocks promised - 1) + tip,   at least that of the level below
 *
 * so that the transaction stays valid, tip included, through the blocks that its level promises, though every block is full.
 * Base fees are rounded up as they grow.
 */
export function levels({ nextBaseFeeWei, tips, suggestedTipWei }: FeeHistory): Levels {
  const tip = {
    low: median(tips.map((block) => block.low)) ?? suggestedTipWei,
    medium: median(tips.map((block) => block.medium)) ?? suggestedTipWei,
    high: median(tips.map((block) => block.high)) ?? suggestedTipWei,
  };
  const level = (name: "low" | "medium" | "high", below: Level | undefined): Level => {
    const tipWei = max(tip[name], below?.maxPriorityFeePerGasWei ?? 0n);
    const legacy = grown(nextBaseFeeWei, LEGACY_ROOM[name]) + tipWei;
    const maxFee = grown(nextBaseFeeWei, PROMISED_BLOCKS[name] - 1) + tipWei;
    return {
      priceWei: max(legacy, 1n),
      maxPriorityFeePerGasWei: tipWei,
      maxFeePerGasWei: max(
        max(maxFee, 1n),
        (below?.maxFeePerGasWei ?? 0n) + tipWei - (below?.maxPriorityFeePerGasWei ?? 0n),
      ),
    };
  };
  const low = level("low", undefined);
  const medium = level("medium", low);
  return { baseFeeWei: nextBaseFeeWei, low, medium, high: level("high", medium) };
}

/** Prices of a chain without EIP-1559, from the one price that its node suggests. The higher levels outbid it by 10 and 25 %. */
export function legacyLevels(gasPriceWei: bigint): Levels {
  const level = (permille: bigint): Level => {
    const price = max((gasPriceWei * permille + 999n) / 1000n, 1n);
    return { priceWei: price, maxPriorityFeePerGasWei: price, maxFeePerGasWei: price };
  };
  return { baseFeeWei: 0n, low: level(1000n), medium: level(1100n), high: level(1250n) };
}

/**
 * The highest base fee that `blocks` full blocks in a row lead to: each adds an eighth, at least 1 wei.
 *
 * @source EIP-1559: base_fee_per_gas_delta with a denominator of 8 and an elasticity of 2
 */
export function grown(baseFeeWei: bigint, blocks: number): bigint {
  let fee = baseFeeWei;
  for (let k = 0; k < blocks; k++) fee += max(fee / 8n, 1n);
  return fee;
}

/**
 * Base fee of the block after one that used so much of its gas limit, in wei, rounded towards the fee of that block.
 *
 * @returns undefined where the limit leaves no target
 * @source EIP-1559: calculation of base_fee_per_gas from the parent, with a denominator of 8 and an elasticity of 2
 */
export function nextBaseFeeWei(baseFeeWei: bigint, gasUsed: bigint, gasLimit: bigint): bigint | undefined {
  const target = gasLimit / 2n;
  if (target === 0n) return undefined;
  if (gasUsed > target) return baseFeeWei + max((baseFeeWei * (gasUsed - target)) / target / 8n, 1n);
  return baseFeeWei - (baseFeeWei * (target - gasUsed)) / target / 8n;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The lower of the two middle values where there are two. */
function median(values: readonly bigint[]): bigint | undefined {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
