import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** A body whose lists hold only the first of their values that the schema refuses, if there is one. */
export type FirstFaults = {
  readonly body: unknown;
  /** Position of that value in the whole list, by the path of the list. */
  readonly positions: ReadonlyMap<string, number>;
};

/** A part of a schema that has lists: an object with its fields, or a list of plain values with the check of one. */
type Part =
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Part>> }
  | { readonly kind: "list"; readonly accepts: (value: unknown) => boolean };

/**
 * Reduces a body that a schema refuses to what is worth naming. The validator lists eight faults at most, so that a list
 * of bad values would hide the faults of all other fields, and takes tens of milliseconds for thousands of them.
 */
export function firstFaultsOf(schema: TSchema): (body: unknown) => FirstFaults {
  const part = partOf(schema);
  return (given) => {
    const positions = new Map<string, number>();
    return { body: reduced(given, part, "", positions), positions };
  };
}

type Shape = {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
};

function partOf(schema: TSchema): Part | undefined {
  const { type, items, properties } = schema as Shape;
  if (type === "array" && items !== undefined && isPlain(items)) {
    const compiled = Compile(items);
    return { kind: "list", accepts: (value) => compiled.Check(value) };
  }
  if (properties === undefined) return undefined;
  const fields = Object.entries(properties).flatMap(([name, inner]) => {
    const part = partOf(inner);
    return part === undefined ? [] : [[name, part] as const];
  });
  return { kind: "object", fields: Object.fromEntries(fields) };
}

const isPlain = (schema: TSchema): boolean => {
  const { items, properties } = schema as Shape;
  return items === undefined && properties === undefined;
};

function reduced(
  value: unknown,
  part: Part | undefined,
  path: string,
  positions: Map<string, number>,
): unknown {
  if (part?.kind === "list" && Array.isArray(value)) {
    const position = value.findIndex((one) => !part.accepts(one));
    positions.set(path, position);
    return position < 0 ? [] : [value[position]];
  }
  if (part?.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      reduced(inner, part.fields[name], `${path}/${name}`, positions),
    ]),
  );
}
