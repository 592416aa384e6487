/** Why the tests cannot notice a mutant. */
export type Reason = "equivalent" | "gas only" | "unreachable";

/** Generated mutants that survive, by name: each with its kind and the argument for it. */
export const survivors: Readonly<Record<string, readonly [reason: Reason, why: string]>> = {};
