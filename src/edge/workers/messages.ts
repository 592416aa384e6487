import type { RouteResult } from "../../core/routing/types.ts";
import type { Address, Chain } from "../../core/types.ts";
import type { FindRequest } from "../../service/ports/ports.ts";

/** `workerData` of a search thread. */
export type ThreadData = {
  readonly chain: Chain;
  /** URL of the module that exports the registry `protocols`. */
  readonly registryUrl: string;
  /** Tokens of the token lists that ship with the program, for `vetting`. */
  readonly listed: readonly Address[];
};

export type ToThread =
  /** First message: the sequence number of the last change before the first message of the bus. */
  | { readonly kind: "join"; readonly seq: number }
  /** A message of the bus, in the form of `Follower`. */
  | {
      readonly kind: "state";
      readonly bytes: Uint8Array;
      readonly isLevel: boolean;
      readonly seq: number;
    }
  | {
      readonly kind: "find";
      readonly id: number;
      /** Its timeout counts from when the thread begins the search. */
      readonly request: FindRequest;
    };

/** A message from a thread, with the CPU time that the thread has used so far, milliseconds. */
export type FromThread = { readonly cpuMs: number } & Said;

export type Said =
  /** The engine has applied everything up to this change, and the thread can search. */
  | { readonly kind: "level"; readonly seq: number }
  /** The thread worked while it was idle; sent so that its CPU time does not count towards the next search. */
  | { readonly kind: "rehearsed" }
  | {
      readonly kind: "found";
      readonly id: number;
      readonly seq: number;
      readonly result: RouteResult;
    }
  /** The search threw, which is a bug. */
  | { readonly kind: "threw"; readonly id: number; readonly message: string };
