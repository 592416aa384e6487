import type { TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { BraidError, type Detail, shortened } from "../../core/errors.ts";
import { type FirstFaults, firstFaultsOf } from "./first-faults.ts";
import { type FormatName, fault } from "./formats.ts";

/** A check of several query parameters together. It also runs where single parameters are invalid. */
export type Rule = (texts: Readonly<Record<string, unknown>>) => readonly Detail[];

/** Schemas of the inputs of an endpoint. */
export type Parts = {
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly body?: TSchema;
};

/** The inputs of a request. The check replaces them by objects that only have the fields of the schemas. */
type Incoming = { params: unknown; query: unknown; body: unknown };

/** A bad value, shortened, as it is repeated in the error. */
function shown(value: unknown): string | number {
  if (typeof value === "number") return value;
  return shortened(typeof value === "string" ? value : jsonOf(value));
}

/** Serialises a value. JSON.parse accepts deeper nesting than JSON.stringify, so a request can make this fail. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value that is nested too deeply to be shown";
  }
}

/**
 * Creates the validation of an endpoint. It converts lists to arrays, drops unknown path and query parameters, and
 * reports all faults together, in the order of the schemas.
 *
 * @returns a function that throws BraidError VALIDATION
 */
export function checker(parts: Parts, rules: readonly Rule[] = []): (request: Incoming) => void {
  const body = parts.body === undefined ? undefined : bodyChecker(parts.body);
  return (request) => {
    const details: Detail[] = [];
    if (parts.params !== undefined) request.params = texts(parts.params, request.params, details);
    if (parts.querystring !== undefined) {
      const query = texts(parts.querystring, request.query, details);
      request.query = query;
      for (const rule of rules) details.push(...rule(query));
    }
    if (body !== undefined) request.body = body(request.body, details);
    if (details.length > 0) throw invalid(details);
  };
}

/** A VALIDATION failure with all faults in its message and details. */
export function invalid(details: readonly Detail[]): BraidError {
  const text = details.map(({ field, reason, value }) =>
    value === undefined ? `${field} ${reason}` : `${field} ${reason}, not ${JSON.stringify(value)}`,
  );
  return new BraidError("VALIDATION", `Bad request: ${text.join("; ")}.`, { details });
}

/** The known parameters of an object in a body, converted to text as in a query. Calls `note` with every fault. */
export function textsOf(
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
  note: (detail: Detail) => void,
): Record<string, unknown> {
  const details: Detail[] = [];
  const asTexts = Object.entries(given).map(([field, value]) => [field, plainText(value)] as const);
  const known = texts(schema, Object.fromEntries(asTexts), details);
  for (const detail of details) note(detail);
  return known;
}

/**
 * The parameters of a schema that an object in a body has; null counts as absent. Other fields are not read: an object
 * whose parameters apply to many entries costs each of them only what the schema has.
 */
export function parametersIn(
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = fieldsOf(schema).flatMap(({ name }) => [name, `${name}[]`]);
  return Object.fromEntries(names.map((name) => [name, given[name]]).filter(([, value]) => value != null));
}

/**
 * Converts JSON numbers and booleans to text. Integers outside the safe range stay numbers, which are refused later.
 */
function plainText(value: unknown): unknown {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return value ?? undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
}

type TextSchema = {
  type: string;
  format?: FormatName;
  /** Of a list: most values, and the longest of them in UTF-16 code units. */
  maxItems?: number;
  items?: { maxLength?: number };
};

/** A parameter of a schema. */
type Field = { readonly name: string; readonly property: TextSchema; readonly isRequired: boolean };

/** Parameters by schema, cached because every request needs them. */
const fieldsOfSchema = new WeakMap<TObject, readonly Field[]>();

function fieldsOf(schema: TObject): readonly Field[] {
  const known = fieldsOfSchema.get(schema);
  if (known !== undefined) return known;
  const required = new Set<string>((schema as { required?: string[] }).required ?? []);
  const properties = Object.entries(schema.properties as Record<string, TextSchema>);
  const fields = properties.map(([name, property]) => ({ name, property, isRequired: required.has(name) }));
  fieldsOfSchema.set(schema, fields);
  return fields;
}

/** The known parameters of a path or query. Faults are appended to `details`. */
function texts(schema: TObject, given: unknown, details: Detail[]): Record<string, unknown> {
  const source = (given ?? {}) as Record<string, unknown>;
  const known: Record<string, unknown> = {};
  for (const { name, property, isRequired } of fieldsOf(schema)) {
    const isList = property.type === "array";
    const pieces = isList ? piecesOf(source, name, property.maxItems! + 1) : [];
    const value = isList ? namesOf(pieces) : presentIn(source, name);
    if (value !== undefined) known[name] = value;
    const reason = isList ? listFaultOf(pieces, property) : faultOf(property, value, isRequired);
    if (reason !== undefined) details.push(detailOf(name, reason, value));
  }
  return known;
}

/** A parameter's value. An empty string counts as absent, because HTML forms send every field. */
function presentIn(source: Record<string, unknown>, field: string): unknown {
  return source[field] === "" ? undefined : source[field];
}

function detailOf(field: string, reason: string, value: unknown): Detail {
  return value === undefined ? { field, reason } : { field, reason, value: shown(value) };
}

function faultOf(property: TextSchema, value: unknown, required: boolean): string | undefined {
  if (value === undefined) return required ? "is missing" : undefined;
  if (typeof value !== "string")
    return typeof value === "number" ? "must be text, as a number it loses digits" : "must be given once";
  return property.format === undefined ? undefined : fault(property.format, value);
}

/**
 * The values of a list parameter, at most `most`, before blanks are dropped. What follows is not read, because a body can
 * hold a list of a hundred thousand values that applies to each of its entries.
 */
function piecesOf(source: Record<string, unknown>, field: string, most: number): unknown[] {
  const values = [source[field], source[`${field}[]`]]
    .flatMap((value) => (Array.isArray(value) ? value.slice(0, most) : [value]))
    .filter((value) => value !== undefined);
  const pieces: unknown[] = [];
  for (const value of values) {
    const left = most - pieces.length;
    if (left === 0) break;
    pieces.push(...(typeof value === "string" ? value.split(",", left) : [value]));
  }
  return pieces;
}

/** The names of a list without blanks. Values that are not text are kept for `listFaultOf` to refuse. */
function namesOf(pieces: readonly unknown[]): unknown[] | undefined {
  const names = pieces
    .map((name) => (typeof name === "string" ? name.trim() : name))
    .filter((name) => name !== "");
  return names.length > 0 ? names : undefined;
}

/** Refuses lists with values that are not text: ignoring them would silently drop part of the request. */
function listFaultOf(pieces: readonly unknown[], { maxItems, items }: TextSchema): string | undefined {
  const longest = items?.maxLength ?? Number.POSITIVE_INFINITY;
  const names = pieces.filter((name) => typeof name === "string");
  if (names.length < pieces.length) return "must be a text or a list of texts";
  if (names.length > maxItems!) return `must have at most ${maxItems} values`;
  return names.some((name) => name.length > longest)
    ? `must have values of at most ${longest} characters`
    : undefined;
}

/** Most values of a list in a body: as many addresses as a body can hold. Naming the faults of more takes too long. */
export const MOST_VALUES = 6_000;

function bodyChecker(schema: TSchema): (body: unknown, details: Detail[]) => unknown {
  const compiled = Compile(schema);
  const firstFaults = firstFaultsOf(schema);
  return (given, details) => {
    const body = withoutNulls(given ?? {}, details);
    if (details.length > 0 || compiled.Check(body)) return body;
    const first = firstFaults(body);
    details.push(...faultsOf(compiled.Errors(first.body), first));
    return body;
  };
}

type SchemaError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: unknown;
};

function faultsOf(errors: readonly SchemaError[], { body, positions }: FirstFaults): Detail[] {
  return errors.flatMap((error): Detail[] => {
    const path = error.instancePath.split("/").slice(1);
    if (error.keyword === "required") {
      const { requiredProperties } = error.params as { requiredProperties: string[] };
      return requiredProperties.map((name) => ({ field: [...path, name].join("."), reason: "is missing" }));
    }
    const position = error.instancePath.endsWith("/0")
      ? positions.get(error.instancePath.slice(0, -"/0".length))
      : undefined;
    const named = position === undefined ? path : [...path.slice(0, -1), String(position)];
    const field = path.length === 0 ? "body" : named.join(".");
    return [{ field, reason: error.message, value: shown(at(body, path)) }];
  });
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/**
 * The body without fields that are null, which clients in typed languages send for absent values. Nested objects are
 * entered up to two levels below the body, as deep as the bodies of this API are. A field `__proto__` and a list that is
 * too long are faults.
 */
function withoutNulls(value: unknown, details: Detail[], path: readonly string[] = []): unknown {
  if (typeof value !== "object" || value === null || path.length > 2) return value;
  if (Array.isArray(value)) {
    if (value.length > MOST_VALUES) details.push(tooManyValues(path));
    return value;
  }
  const entries: [string, unknown][] = [];
  for (const [field, inner] of Object.entries(value)) {
    if (field === "__proto__") details.push({ field, reason: "is no field of any body" });
    else if (inner !== null) entries.push([field, withoutNulls(inner, details, [...path, field])]);
  }
  return Object.fromEntries(entries);
}

const tooManyValues = (path: readonly string[]): Detail => ({
  field: path.join(".") || "body",
  reason: `must have at most ${MOST_VALUES} values`,
});
