/** One block of a fee history: tips in wei per gas at rising percentiles of the gas used. */
export type BlockTips = { readonly low: bigint; readonly medium: bigint; readonly high: bigint };

export type FeeHistory = {
  /** Base fee of the next block. */
  readonly nextBaseFeeWei: bigint;
  /** Blocks that held transactions, in any order; may be empty. */
  readonly tips: readonly BlockTips[];
  /** The node's suggested tip; used if no block held transactions. */
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

/** Number of blocks within which a level promises inclusion; a transaction stays valid through all of them. */
export const PROMISED_BLOCKS = { low: 6, medium: 3, high: 1 } as const;

/**
 * Number of full blocks whose rise of the base fee a legacy gas price covers. Such a price is paid in full, so room
 * costs money.
 */
const LEGACY_ROOM = { low: 0, medium: 1, high: 2 } as const;

/**
 * Gas prices from recent fees: low ≤ medium ≤ high in every field.
 *
 *   maxFeePerGas = grown(base, blocks promised - 1) + tip,   at least that of the level below
 *
 * The transaction stays valid, with its full tip, through the promised blocks even if every block is full. Growth of
 * the base fee is rounded up.
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

/** Prices on a chain without EIP-1559, from the node's suggested price. The higher levels exceed it by 10 and 25 %. */
export function legacyLevels(gasPriceWei: bigint): Levels {
  const level = (permille: bigint): Level => {
    const price = max((gasPriceWei * permille + 999n) / 1000n, 1n);
    return { priceWei: price, maxPriorityFeePerGasWei: price, maxFeePerGasWei: price };
  };
  return { baseFeeWei: 0n, low: level(1000n), medium: level(1100n), high: level(1250n) };
}

/**
 * The base fee in wei after `blocks` full blocks: each adds an eighth, at least 1 wei.
 *
 * @source EIP-1559: base_fee_per_gas_delta with a denominator of 8 and an elasticity of 2
 */
export function grown(baseFeeWei: bigint, blocks: number): bigint {
  let fee = baseFeeWei;
  for (let k = 0; k < blocks; k++) fee += max(fee / 8n, 1n);
  return fee;
}

/**
 * Base fee in wei of the block after one with this base fee, gas used and gas limit, rounded towards the given base
 * fee.
 *
 * @returns undefined if the gas limit gives a target of zero
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

/** The median; of two middle values the lower one. undefined if there are no values. */
function median(values: readonly bigint[]): bigint | undefined {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
