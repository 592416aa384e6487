import type { PoolId } from "../../core/types.ts";
import type { ChainKey } from "./token-store.ts";

/** A record of the checkpoint and its place; places are numbered from 1 on without a gap. */
export type PoolRow = { readonly n: number; readonly body: Uint8Array };

/** A pool that was in the market: its record, and its state where one was kept. */
export type AwakeRow = {
  readonly n: number;
  readonly pool: Uint8Array;
  readonly state: Uint8Array | null;
  /** It was there because somebody asked for it, not for its depth. */
  readonly isAsked: boolean;
};

/** What one transaction writes. */
export type Saved = {
  readonly pools: readonly { readonly id: PoolId; readonly body: Uint8Array }[];
  readonly awake: readonly {
    readonly id: PoolId;
    readonly state: Uint8Array | null;
    readonly isAsked: boolean;
  }[];
  readonly asleep: readonly PoolId[];
  readonly note: Uint8Array;
  /** Lines of the imported snapshot that were dealt with, from the first one on. */
  readonly hintsDone: number;
};

/** A line of an imported snapshot: not checked yet. */
export type HintRow = { readonly n: number; readonly line: string };

/** What an earlier run left, and why what it left was dropped. */
export type Opened = {
  readonly note: Uint8Array | undefined;
  readonly dropped: string | undefined;
  /** Lines of an imported snapshot that wait. */
  readonly hints: number;
};

/** The questions to the thread, and what answers them. */
export type Questions = {
  open: { readonly give: { readonly path: string; readonly key: ChainKey }; readonly take: Opened };
  awake: { readonly give: Range; readonly take: readonly AwakeRow[] };
  pools: { readonly give: Range; readonly take: readonly PoolRow[] };
  hints: { readonly give: Range; readonly take: readonly HintRow[] };
  save: { readonly give: Saved; readonly take: undefined };
  close: { readonly give: undefined; readonly take: undefined };
};

/** Records after the one with this place, this many at most. */
export type Range = { readonly after: number; readonly count: number };

export type ToPoolThread = {
  [K in keyof Questions]: { readonly id: number; readonly ask: K; readonly give: Questions[K]["give"] };
}[keyof Questions];

export type FromPoolThread =
  | { readonly id: number; readonly value: Questions[keyof Questions]["take"] }
  /** `isDropped`: the checkpoint was found damaged, and a new one was begun. */
  | { readonly id: number; readonly error: string; readonly isDropped: boolean };
