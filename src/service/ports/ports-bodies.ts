import type { Address, Hex } from "../../core/types.ts";

/** A block with only its transactions to one contract. */
export type BlockBody = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Transactions whose `to` is the contract, in block order; calls through another contract are not included. */
  readonly sent: readonly {
    readonly hash: Hex;
    /** Place in the block, from 0. */
    readonly index: number;
    readonly data: Hex;
  }[];
};

/** Reads block bodies. */
export interface BodiesPort {
  /**
   * The contract's transactions in a block. It sends one request to a node, at the lowest priority.
   *
   * @returns undefined where no node knows a block with this number. Rejects with STALE_STATE when no endpoint answers.
   */
  sentTo(contract: Address, blockNumber: number): Promise<BlockBody | undefined>;
}
