import type { RouteResult } from "../../core/routing/types.ts";
import type { Address, Chain } from "../../core/types.ts";
import type { FindRequest } from "../../service/ports/ports.ts";

/** What a search thread is started with. */
export type ThreadData = {
  readonly chain: Chain;
  /** URL of the module that exports the registry `protocols`. */
  readonly registryUrl: string;
  /** Tokens of the lists that ship with the program, for `vetting`. */
  readonly listed: readonly Address[];
};

export type ToThread =
  /** The number of the last change before the first message of the bus. */
  | { readonly kind: "join"; readonly seq: number }
  | {
      readonly kind: "state";
      readonly bytes: Uint8Array;
      readonly isLevel: boolean;
      readonly seq: number;
    }
  | {
      readonly kind: "find";
      readonly id: number;
      /** Its time counts from when the thread begins it. */
      readonly request: FindRequest;
    };

/** What a thread says, and how much CPU time it had used by then, in milliseconds. */
export type FromThread = { readonly cpuMs: number } & Said;

export type Said =
  /** All that there was up to this change is in the engine. */
  | { readonly kind: "level"; readonly seq: number }
  /** It made a search that nobody asked for, and used time for it. */
  | { readonly kind: "rehearsed" }
  | {
      readonly kind: "found";
      readonly id: number;
      readonly seq: number;
      readonly result: RouteResult;
    }
  /** The search threw: a bug. */
  | { readonly kind: "threw"; readonly id: number; readonly message: string };
