import type { Mutant } from "./mutant.ts";
import { rules } from "./rules.ts";
import { type Node, parseSources, spanOf, walk } from "./tree.ts";

/** Declares errors and nothing that runs. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(["Errors.sol"]);

const LONGEST = 100;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The function that a node lies in, or the contract's own name. */
function scopeOf(above: readonly Node[]): string {
  const scope = above.findLast(({ nodeType }) => nodeType === "FunctionDefinition");
  return scope === undefined ? "" : String(scope.name || scope.kind);
}

function mutantsOf(file: string, source: string, tree: Node): readonly Mutant[] {
  // The compiler counts bytes; in latin1 a character is a byte.
  const text = Buffer.from(source).toString("latin1");
  const textOf = (node: Node): string => {
    const { start, end } = spanOf(node);
    return text.slice(start, end);
  };
  const seen = new Map<string, number>();
  const found: Mutant[] = [];
  walk(tree, (node, above) => {
    for (const { rule, span, to } of rules.flatMap((apply) => apply({ node, above, textOf }))) {
      const from = text.slice(span.start, span.end);
      const inside = scopeOf(above);
      const what = `${file} ${inside}: ${rule}: ${oneLine(from)} -> ${oneLine(to) || "nothing"}`;
      const times = (seen.get(what) ?? 0) + 1;
      seen.set(what, times);
      const name = times === 1 ? what : `${what} #${times}`;
      const changed = Buffer.from(text.slice(0, span.start) + to + text.slice(span.end), "latin1").toString();
      const line = text.slice(0, span.start).split("\n").length;
      found.push({ name, file, line, change: `${from} -> ${to}`, changed: { [file]: changed } });
    }
  });
  return found;
}

/**
 * Defects by rule, in every statement of these sources: a statement or a check less, a comparison flipped, an operation
 * swapped for its opposite, one party in the place of another.
 *
 * @param sources texts by path
 */
export function generate(sources: Readonly<Record<string, string>>): readonly Mutant[] {
  const trees = parseSources(sources);
  return Object.entries(sources)
    .filter(([path]) => !WITHOUT_CODE.has(path))
    .flatMap(([path, source]) => mutantsOf(path, source, trees[path]!));
}
