import type { Address, Hex } from "../../core/types.ts";

/** A block as far as its transactions to one contract were read. */
export type BlockBody = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Transactions sent to the contract itself, in their order; those that reach it through another contract are not among them. */
  readonly sent: readonly {
    readonly hash: Hex;
    /** Place in the block, from 0. */
    readonly index: number;
    readonly data: Hex;
  }[];
};

/** Bodies of blocks. */
export interface BodiesPort {
  /**
   * One request to a node, after all else that is asked of it.
   *
   * @returns undefined where no node knows a block of this number. Rejects with STALE_STATE when no endpoint answers.
   */
  sentTo(contract: Address, blockNumber: number): Promise<BlockBody | undefined>;
}
