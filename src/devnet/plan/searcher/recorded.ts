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

/** A pair with what its file says of all of them. */
export type RecordedPair = PairRecord & {
  /** In parts per million of what is sold. */
  readonly feePpm: number;
};

type PairFile = {
  readonly feePpm: number;
  readonly pairs: readonly Readonly<
    Record<"address" | "token0" | "token1" | "reserve0" | "reserve1", string>
  >[];
};

/** Pairs as they were recorded: one by one, so that cycles through them pay up to a third of the amount. */
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
