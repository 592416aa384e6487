import Type, { type Static } from "typebox";

/**
 * Schemas of values of more than one type, as a list of types (JSON Schema 2020-12, OpenAPI 3.1). For the `anyOf` that
 * Type.Union gives, the serializer compiles a validator at the first answer, some 40 ms of CPU, and runs it in each.
 */

/** A schema with one named type: any but a union. */
type Typed = Type.TSchema & { readonly type: string };

/** A value that is null where it is not known. */
export function OrNull<T extends Typed>(schema: T): Type.TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, "null"] });
}

export const TextOrNumber = Type.Unsafe<string | number>({ type: ["string", "number"] });
