import type { GraphStep, RouteEntry } from "./api.ts";
import { isWrapping, sourceName, stepName } from "./labels.ts";

const PAINTS = 8;

export type Paint = (source: string) => string;

/** Colours stay with their sources for as long as the page is open, whatever order the next answer lists them in. */
const given = new Map<string, number>();

/** Style classes of sources by their shown names. */
export function paintOf(routes: readonly RouteEntry[]): Paint {
  for (const entry of routes) colourOf(sourceName(entry.protocol_name));
  return (source) => `paint-${colourOf(source)}`;
}

function colourOf(source: string): number {
  const colour = given.get(source) ?? given.size % PAINTS;
  given.set(source, colour);
  return colour;
}

/** Wrapping is no exchange and has a colour of its own. */
export function paintOfStep(paint: Paint, step: GraphStep): string {
  return isWrapping(step) ? "paint-wrap" : paint(stepName(step));
}
