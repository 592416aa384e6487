import type { GraphStep, RouteEntry } from "../api.ts";
import { hueOf, isWrapping, sourceName, stepName } from "./labels.ts";

/** How many colours there are; style classes paint-0 … */
const PAINTS = 12;

export type Paint = (source: string) => string;

/**
 * Style classes of sources by their shown names: a function of the name, and distinct within one picture as long as there
 * are colours. Sources of one colour are told apart by moving the later one, in the order of the names, to the next free.
 */
export function paintOf(routes: readonly RouteEntry[]): Paint {
  const given = new Map<string, number>();
  const names = [...new Set(routes.map((entry) => sourceName(entry.protocol_name)))].sort();
  for (const name of names) given.set(name, freeColour(hueOf(name, PAINTS), new Set(given.values())));
  return (source) => `paint-${given.get(source) ?? hueOf(source, PAINTS)}`;
}

function freeColour(first: number, taken: ReadonlySet<number>): number {
  for (let step = 0; step < PAINTS; step += 1) {
    const colour = (first + step) % PAINTS;
    if (!taken.has(colour)) return colour;
  }
  return first;
}

/** Wrapping is no exchange and has a colour of its own. */
export function paintOfStep(paint: Paint, step: GraphStep): string {
  return isWrapping(step) ? "paint-wrap" : paint(stepName(step));
}
