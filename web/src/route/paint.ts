import type { GraphStep, RouteEntry } from "../api.ts";
import { hueOf, isWrapping, sourceName, stepName } from "./labels.ts";

/** Number of colours, which have the style classes paint-0, paint-1, … */
const PAINTS = 12;

export type Paint = (source: string) => string;

/**
 * Assigns style classes to sources by a hash of their display names. Where two sources of a route have the same colour,
 * the later one by name gets the next free colour.
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

/** Style class of a step. Wrapping has a colour of its own. */
export function paintOfStep(paint: Paint, step: GraphStep): string {
  return isWrapping(step) ? "paint-wrap" : paint(stepName(step));
}
