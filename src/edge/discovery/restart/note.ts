import type { Address, Deployment } from "../../../core/types.ts";
import type { Cursor } from "../backfill.ts";

/** What the discovery notes of its own progress, as plain data. */
export type Note = {
  /** Every creation log from this block on was read; null before the first page. */
  readonly block: number | null;
  /** Blocks of the last page of logs; null before the first page, absent in notes of older versions. */
  readonly width?: number | null;
  /** Newest block that was followed. */
  readonly newest: number;
  readonly listed: number;
  readonly isDone: boolean;
  /** By factory: its pairs from this number on were read. */
  readonly numbered: Readonly<Record<Address, number>>;
  /** The records of the chain's file that the pools were found by. */
  readonly records: Readonly<Record<string, string>>;
};

/** What decides which pools a record stands for, and what they are like. */
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
    // The blocks of the time when nobody followed are still to be read.
    newest: cursor.since === undefined ? newest : cursor.since - 1,
    // Pools whose depth was not asked for are asked for again after a restart.
    listed: cursor.found.length === 0 ? cursor.listed : 0,
    isDone: cursor.isDone,
    numbered: Object.fromEntries(cursor.numbered),
    records,
  };
}

/**
 * Puts the cursor where the note says. A record that is new, or says something else now, has pools that nobody has looked
 * for: the backfill begins again, and pools of records that are as they were are kept.
 *
 * @returns ids of the records whose pools are still what the note's pools are
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
