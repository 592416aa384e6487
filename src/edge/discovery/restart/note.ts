import type { Address, Deployment } from "../../../core/types.ts";
import type { Cursor } from "../backfill.ts";

/** Progress of the discovery as plain data, stored in the checkpoint. */
export type Note = {
  /** Every creation log from this block on was read; null before the first page. */
  readonly block: number | null;
  /** Number of blocks in the last page of logs; null before the first page, absent in notes of older versions. */
  readonly width?: number | null;
  /** Newest block up to which all blocks were followed. */
  readonly newest: number;
  readonly listed: number;
  readonly isDone: boolean;
  /** By factory: the index from which on its pairs were read. */
  readonly numbered: Readonly<Record<Address, number>>;
  /** The chain's deployment records by which the pools were found, as `recordsOf` writes them. */
  readonly records: Readonly<Record<string, string>>;
};

/**
 * By deployment id: the fields of its record that decide which pools it has and what their facts are, as a text to
 * compare.
 */
export function recordsOf(deployments: readonly Deployment[]): Record<string, string> {
  return Object.fromEntries(
    deployments.map(({ id, protocol, factory, fromBlock, facts }) => {
      const plain = Object.entries(facts)
        .map(([name, value]) => `${name}=${value}`)
        .sort();
      return [id, [protocol, factory, fromBlock, ...plain].join(" ")];
    }),
  );
}

export function noteOf(cursor: Cursor, newest: number, records: Note["records"]): Note {
  return {
    block: cursor.block ?? null,
    width: cursor.width ?? null,
    // Blocks that were missed while no process ran are still to be read.
    newest: cursor.since === undefined ? newest : cursor.since - 1,
    // Found pools whose depth was not checked are not stored, so that after a restart all listed pairs are asked for
    // again.
    listed: cursor.found.length === 0 ? cursor.listed : 0,
    isDone: cursor.isDone,
    numbered: Object.fromEntries(cursor.numbered),
    records,
  };
}

/**
 * Sets the cursor to the position in the note. If a record is new or has changed, its pools were never searched: the
 * backfill then starts again, and only the pools of unchanged records are kept.
 *
 * @returns ids of the unchanged records
 */
export function resumeAt(cursor: Cursor, note: Note, records: Note["records"]): ReadonlySet<string> {
  const kept = Object.keys(records).filter((id) => records[id] === note.records[id]);
  cursor.since = note.newest + 1;
  if (kept.length < Object.keys(records).length) return new Set(kept);
  cursor.block = note.block ?? undefined;
  cursor.width = note.width ?? undefined;
  cursor.listed = note.listed;
  cursor.isDone = note.isDone;
  for (const [factory, number] of Object.entries(note.numbered))
    cursor.numbered.set(factory as Address, number);
  return new Set(kept);
}
