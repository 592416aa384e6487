import { keccak256 } from "viem";
import { BraidError } from "../../core/errors.ts";
import type { Hex } from "../../core/types.ts";
import { noteMined } from "../accounts/note-mined.ts";
import { isMined, swapOutcome } from "../accounts/swap-outcome.ts";
import type { Deps } from "../deps.ts";
import type { ServedChain } from "../ports/ports.ts";
import type { BlockBody, BodiesPort } from "../ports/ports-bodies.ts";
import type { Ledger } from "./ledger.ts";

/** A block is read once so many are on top of it: one that leaves the chain before that was never counted. */
const DEPTH = 8;
/** Blocks that may wait to be read; where there are more the oldest are left out, and counted. */
const MOST_BEHIND = 64;
/** Blocks whose hashes are remembered, to notice that deeper ones were replaced. */
const MOST_KNOWN = 64;
const TURN_MS = 500;

type Reading = {
  readonly deps: Deps;
  readonly served: ServedChain;
  readonly bodies: BodiesPort;
  readonly ledger: Ledger;
  /** The block to read next. */
  next: number;
  /** Blocks that were read, the newest last. */
  readonly known: { readonly number: number; readonly hash: Hex }[];
};

type Counted = Pick<Reading, "served" | "ledger">;

type Running = {
  readonly isStopped: () => boolean;
  /** Told of what nobody foresaw. */
  readonly onBug: (error: unknown) => void;
};

/** Finds the executions of quotes in the blocks from now on, until it is stopped; nothing where blocks may not be read. */
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

/** @returns false where the block cannot be read now */
async function readNext(reading: Reading): Promise<boolean> {
  const { bodies, served, ledger, known } = reading;
  try {
    const body = await bodies.sentTo(served.router, reading.next);
    if (body === undefined) return false;
    const before = known.at(-1);
    if (before?.number === body.number - 1 && before.hash !== body.parentHash) {
      // The block before was replaced: its successor on the chain is read as well. A transaction counts once.
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
  // A receipt of another block: the one that was read has left the chain since.
  if (sent === undefined || !isMined(sent) || sent.receipt.blockHash !== found.body.hash) return;
  const swap = await swapOutcome(served, sent);
  if (swap !== undefined) await noteMined(deps, served, { sent, swap, found });
}
