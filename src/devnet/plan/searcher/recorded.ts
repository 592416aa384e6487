import type { Address } from "../../../core/types.ts";
import sushiFile from "../../data/sushi-v2.json" with { type: "json" };
import uniswapFile from "../../data/uniswap-v2.json" with { type: "json" };

/** A constant-product pair with its reserves in smallest units. */
export type PairRecord = {
  readonly address: Address;
  readonly token0: Address;
  readonly token1: Address;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
};

/** A pair with its fee, which is the same for all pairs of a file. */
export type RecordedPair = PairRecord & {
  /** In parts per million of the amount sold. */
  readonly feePpm: number;
};

type PairFile = {
  readonly feePpm: number;
  readonly pairs: readonly Readonly<
    Record<"address" | "token0" | "token1" | "reserve0" | "reserve1", string>
  >[];
};

/** Recorded pairs. They were recorded at different times, so cycles through them yield up to a third of the amount. */
export const recordedUniswap = recordsOf(uniswapFile);
export const recordedSushi = recordsOf(sushiFile);

function recordsOf({ feePpm, pairs }: PairFile): readonly RecordedPair[] {
  return pairs.map((row) => ({
    feePpm,
    address: row.address as Address,
    token0: row.token0 as Address,
    token1: row.token1 as Address,
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
  }));
}
