import type { Address, At, Chain, PoolId } from "../../../core/types.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";

export type MemoryData = { readonly chain: Pick<Chain, "wrappedNative">; readonly registryUrl: string };

/** Requests to the thread of the remembered market: the arguments (`give`) and the result (`take`) of each. */
export type MemoryQuestions = {
  add: { readonly give: readonly AwakeRow[]; readonly take: undefined };
  between: { readonly give: readonly [Address, Address]; readonly take: readonly PoolId[] };
};

/** `at` is the block expected to execute. */
export type ToMemory = {
  [K in keyof MemoryQuestions]: {
    readonly id: number;
    readonly at: At;
    readonly ask: K;
    readonly give: MemoryQuestions[K]["give"];
  };
}[keyof MemoryQuestions];

export type FromMemory = {
  readonly id: number;
  readonly value: MemoryQuestions[keyof MemoryQuestions]["take"];
};
