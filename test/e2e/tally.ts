import type { GasFacts } from "./gas/gas.ts";

/** How often each source was crossed: in routes of its own, beside others, and beside others in routes that split. */
export type Crossings = {
  readonly id: string;
  readonly name: string;
  alone: number;
  mixed: number;
  split: number;
};

export type Tally = {
  passed: number;
  failed: number;
  /** By deployment id: every source that the service lists, and no other. */
  readonly crossings: ReadonlyMap<string, Crossings>;
  readonly gas: GasFacts[];
};

type Crossed = { readonly sources: readonly string[]; readonly isSplit: boolean };

/** Wrapping is part of most routes and makes none of them mixed. */
const NEUTRAL = "wrapped-native";

export function newTally(sources: readonly { readonly id: string; readonly name: string }[]): Tally {
  const crossings = new Map(sources.map(({ id, name }) => [id, { id, name, alone: 0, mixed: 0, split: 0 }]));
  return { passed: 0, failed: 0, crossings, gas: [] };
}

/** Whether a route crosses one source only, wrapping aside. */
export function isAlone(deployments: readonly string[], id: string): boolean {
  return deployments.includes(id) && deployments.every((other) => other === id || other === NEUTRAL);
}

/** Counts an exact swap. @throws Error for a source that the service does not list */
export function countCrossings(tally: Tally, { sources, isSplit }: Crossed): void {
  for (const id of new Set(sources)) {
    if (id === NEUTRAL) continue;
    const entry = tally.crossings.get(id);
    if (entry === undefined) throw new Error(`A route crossed ${id}, which /v1/sources does not list.`);
    if (isAlone(sources, id)) entry.alone++;
    else entry.mixed++;
    if (isSplit && !isAlone(sources, id)) entry.split++;
  }
}

/** Sources that no exact swap crossed alone, or none beside others. */
export function notCrossed({ crossings }: Tally): readonly string[] {
  return [...crossings.values()].flatMap(({ name, alone, mixed }) => [
    ...(alone > 0 ? [] : [`${name} was never crossed alone`]),
    ...(mixed > 0 ? [] : [`${name} was never crossed beside another source`]),
  ]);
}

export function crossingsTable({ crossings }: Tally): string {
  const line = (name: string, ...cells: readonly (string | number)[]) =>
    `${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join("")}`;
  const rows = [...crossings.values()].map(({ name, alone, mixed, split }) =>
    line(name, alone, mixed, split),
  );
  return [line("exact swaps", "alone", "mixed", "in splits"), ...rows, ""].join("\n");
}
