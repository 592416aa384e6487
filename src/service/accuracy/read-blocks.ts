import { keccak256 } from "viem/utils";
import { BraidError } from "../../core/errors.ts";
import type { Hex } from "../../core/types.ts";
import { noteMined } from "../accounts/note-mined.ts";
import { isMined, swapOutcome } from "../accounts/swap-outcome.ts";
import type { Deps } from "../deps.ts";
import type { ServedChain } from "../ports/ports.ts";
import type { BlockBody, BodiesPort } from "../ports/ports-bodies.ts";
import type { Ledger } from "./ledger.ts";

/** A block is read once this many blocks follow it, so that blocks removed by shorter reorgs are not counted. */
const DEPTH = 8;
/** Most blocks that wait to be read; beyond that, the oldest are skipped and counted as skipped. */
const MOST_BEHIND = 64;
/** Number of read blocks whose hashes are kept, to detect deeper reorgs. */
const MOST_KNOWN = 64;
const TURN_MS = 500;

type Reading = {
  readonly deps: Deps;
  readonly served: ServedChain;
  readonly bodies: BodiesPort;
  readonly ledger: Ledger;
  /** The block to read next. */
  next: number;
  /** The newest blocks that were read, the newest last. */
  readonly known: { readonly number: number; readonly hash: Hex }[];
};

type Counted = Pick<Reading, "served" | "ledger">;

type Running = {
  readonly isStopped: () => boolean;
  /** Called with unexpected errors. */
  readonly onBug: (error: unknown) => void;
};

/**
 * Finds executions of quotes in new blocks until it is stopped. It does nothing where the chain has no block reader.
 */
export async function readBlocks(
  deps: Deps,
  { served, ledger }: Counted,
  { isStopped, onBug }: Running,
): Promise<void> {
  const { bodies, market } = served;
  if (bodies === undefined) return;
  const reading: Reading = { deps, served, bodies, ledger, next: -1, known: [] };
  for (let seen = -1; !isStopped(); ) {
    await market.waitFor(seen + 1, TURN_MS);
    await deps.pause();
    const status = market.status();
    if (status.phase === "live") {
      seen = status.head.number;
      if (reading.next < 0) reading.next = seen + 1;
      await catchUp(reading, seen - DEPTH, isStopped).catch(onBug);
    } else await market.waitFor(Number.MAX_SAFE_INTEGER, TURN_MS);
  }
}

async function catchUp(reading: Reading, last: number, isStopped: () => boolean): Promise<void> {
  const late = last - reading.next + 1 - MOST_BEHIND;
  if (late > 0) {
    reading.next += late;
    reading.ledger.skipped(late);
  }
  while (reading.next <= last && !isStopped()) if (!(await readNext(reading))) return;
}

/** Reads the next block, or steps back by one after a reorg. @returns false where the block cannot be read now */
async function readNext(reading: Reading): Promise<boolean> {
  const { bodies, served, ledger, known } = reading;
  try {
    const body = await bodies.sentTo(served.router, reading.next);
    if (body === undefined) return false;
    const before = known.at(-1);
    if (before?.number === body.number - 1 && before.hash !== body.parentHash) {
      // A reorg replaced the previous block, so the canonical block of that number is read too. A transaction counts
      // once.
      known.pop();
      reading.next = before.number;
      return true;
    }
    for (const { hash, index, data } of body.sent)
      if (ledger.quotedAs(keccak256(data)) !== undefined) await noteSent(reading, hash, { body, index });
    known.push({ number: body.number, hash: body.hash });
    if (known.length > MOST_KNOWN) known.shift();
    reading.next++;
    ledger.read(body.number);
    return true;
  } catch (error) {
    if (error instanceof BraidError) return false;
    throw error;
  }
}

async function noteSent(
  { deps, served }: Reading,
  hash: Hex,
  found: { readonly body: BlockBody; readonly index: number },
): Promise<void> {
  const sent = await served.archive.transaction(hash);
  // The receipt names another block: the block that was read is no longer canonical.
  if (sent === undefined || !isMined(sent) || sent.receipt.blockHash !== found.body.hash) return;
  const swap = await swapOutcome(served, sent);
  if (swap !== undefined) await noteMined(deps, served, { sent, swap, found });
}
