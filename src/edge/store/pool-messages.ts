import type { PoolId } from "../../core/types.ts";
import type { ChainKey } from "./token-store.ts";

/** A discovered pool: its row number, counted from 1 without gaps, and its encoded record. */
export type PoolRow = { readonly n: number; readonly body: Uint8Array };

/** A pool that was in the market: its row number, its encoded record, and its encoded state where one was saved. */
export type AwakeRow = {
  readonly n: number;
  readonly pool: Uint8Array;
  readonly state: Uint8Array | null;
  /** Whether it was in the market because a request needed it, and not because of its depth. */
  readonly isAsked: boolean;
};

/** The content of one transaction. */
export type Saved = {
  /** Pools that are new or have a changed record. */
  readonly pools: readonly { readonly id: PoolId; readonly body: Uint8Array }[];
  /** Pools in the market that are new there or have a changed state. */
  readonly awake: readonly {
    readonly id: PoolId;
    readonly state: Uint8Array | null;
    readonly isAsked: boolean;
  }[];
  /** Pools that have left the market. */
  readonly asleep: readonly PoolId[];
  /** Replaces the note that `Opened` returns. */
  readonly note: Uint8Array;
  /** Lines of the imported snapshot up to this row number are done and are deleted. */
  readonly hintsDone: number;
};

/** A line of an imported snapshot that is not checked yet, and its row number. */
export type HintRow = { readonly n: number; readonly line: string };

/** Result of opening a checkpoint. */
export type Opened = {
  /** The note of the last save; undefined in a new checkpoint. */
  readonly note: Uint8Array | undefined;
  /** Why an earlier file was dropped; undefined where none was. */
  readonly dropped: string | undefined;
  /** Number of unchecked lines of an imported snapshot. */
  readonly hints: number;
};

/** The requests to the thread, with the type of their argument (`give`) and of their result (`take`). */
export type Questions = {
  open: { readonly give: { readonly path: string; readonly key: ChainKey }; readonly take: Opened };
  awake: { readonly give: Range; readonly take: readonly AwakeRow[] };
  pools: { readonly give: Range; readonly take: readonly PoolRow[] };
  hints: { readonly give: Range; readonly take: readonly HintRow[] };
  save: { readonly give: Saved; readonly take: undefined };
  close: { readonly give: undefined; readonly take: undefined };
};

/** At most `count` rows, from the first with a row number above `after`. */
export type Range = { readonly after: number; readonly count: number };

export type ToPoolThread = {
  [K in keyof Questions]: { readonly id: number; readonly ask: K; readonly give: Questions[K]["give"] };
}[keyof Questions];

export type FromPoolThread =
  | { readonly id: number; readonly value: Questions[keyof Questions]["take"] }
  /** `isDropped`: the checkpoint was damaged and has been replaced by a new one. */
  | { readonly id: number; readonly error: string; readonly isDropped: boolean };
