import { createRequire } from "node:module";

/** A node of the compiler's syntax tree, of Solidity or of assembly. */
export type Node = {
  readonly nodeType: string;
  /** Of the node's text: start in bytes, length in bytes, number of the file. */
  readonly src: string;
  readonly [field: string]: unknown;
};

export type Span = { readonly start: number; readonly end: number };

type Output = {
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
};

/**
 * The syntax trees of these sources by path.
 *
 * @throws Error with the compiler's text where one does not parse
 */
export function parseSources(sources: Readonly<Record<string, string>>): Readonly<Record<string, Node>> {
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: { outputSelection: { "*": { "": ["ast"] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  return Object.fromEntries(Object.entries(output.sources).map(([path, { ast }]) => [path, ast]));
}

export function spanOf(node: Node): Span {
  const [start = 0, length = 0] = node.src.split(":").map(Number);
  return { start, end: start + length };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "nodeType" in value;
}

/** Those directly below a node, in the order of its fields. */
function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value): readonly Node[] => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}

/** Visits a node and all below it, with those above it, the nearest last. */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => void,
  above: readonly Node[] = [],
): void {
  visit(node, above);
  const deeper = [...above, node];
  for (const child of childrenOf(node)) walk(child, visit, deeper);
}
