import type { Logger } from "pino";
import type { Head } from "../../../core/types.ts";
import { latestOnly } from "../../latest-only.ts";

/** Where the logs of the newest block are proven, so many comparisons are made as one, by fewer and larger requests. */
const PROVEN_AT_ONCE = 8;

type Turns = {
  /** The deepest pools are compared within so many turns; 0: none ever is. */
  readonly selfCheckBlocks: number;
  /** Blocks of a turn: so many are between two comparisons where the newest logs are not proven. */
  readonly turn: number;
  readonly isProven: () => boolean;
  readonly log: Logger;
};

/** Has states compared every so many blocks, of which a fast chain skips some: its commits may hold several. */
export function takeTurns(
  { selfCheckBlocks, turn, isProven, log }: Turns,
  audit: (blocks: number) => Promise<unknown>,
): (head: Pick<Head, "number">) => void {
  const most = turn * Math.min(PROVEN_AT_ONCE, selfCheckBlocks);
  let last = Number.NEGATIVE_INFINITY;
  const compare = latestOnly<number>(async (blocks) => void (await audit(blocks)), log);
  return ({ number }) => {
    // A commit of the block before holds pools that came in; after a reorg the number is a lower one.
    const blocks = Math.abs(number - last);
    if (selfCheckBlocks === 0 || blocks < (isProven() ? most : turn)) return;
    last = number;
    compare(Math.min(blocks, most));
  };
}
