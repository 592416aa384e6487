import type { Logger } from "pino";
import type { Head } from "../../../core/types.ts";
import { latestOnly } from "../../latest-only.ts";

/**
 * Turns that are joined into one comparison, with fewer and larger requests, where the logs of the newest block are
 * proven.
 */
const PROVEN_AT_ONCE = 8;

type Turns = {
  /** Number of turns within which each of the deepest pools is compared; 0 = no comparisons. */
  readonly selfCheckBlocks: number;
  /** Blocks per turn: the distance of two comparisons where the newest logs are not proven. */
  readonly turn: number;
  readonly isProven: () => boolean;
  readonly log: Logger;
};

/**
 * Starts comparisons at intervals of blocks. An interval may be exceeded, since one commit may hold several blocks.
 *
 * @param audit compares the share of the given number of blocks
 * @returns a function to be called with the head of each commit
 */
export function takeTurns(
  { selfCheckBlocks, turn, isProven, log }: Turns,
  audit: (blocks: number) => Promise<unknown>,
): (head: Pick<Head, "number">) => void {
  const most = turn * Math.min(PROVEN_AT_ONCE, selfCheckBlocks);
  let last: number | undefined;
  const compare = latestOnly<number>(async (blocks) => void (await audit(blocks)), log);
  return ({ number }) => {
    // The states of the first commit were read just now, and the first prices wait for the same node.
    last ??= number;
    // The number may stay the same, where a commit only adds pools, and falls after a reorg.
    const blocks = Math.abs(number - last);
    if (selfCheckBlocks === 0 || blocks < (isProven() ? most : turn)) return;
    last = number;
    compare(Math.min(blocks, most));
  };
}
