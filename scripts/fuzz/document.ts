import { Compile } from "typebox/schema";

/** What the OpenAPI document promises, as the fuzzer reads it. */

export type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type Parameter = {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required?: boolean;
  readonly schema: Schema;
};

type Response = { readonly content?: Readonly<Record<string, { readonly schema?: object }>> };

type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, Response>>;
};

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
};

/** One method of one path. */
export type Endpoint = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** @returns what is wrong with an answer, by the document; undefined where nothing is */
  fault(status: number, contentType: string, text: string): string | undefined;
};

export function endpointsOf(document: Document): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Endpoint["method"],
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content["application/json"].schema,
      fault: checkerOf(document, operation.responses),
    })),
  );
}

const REF = "#/components/schemas/";

/** A schema with what it refers to in its place. */
function inlined(value: unknown, document: Document): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, document));
  if (typeof value !== "object" || value === null) return value;
  const ref = (value as { $ref?: unknown }).$ref;
  if (typeof ref === "string")
    return inlined(document.components?.schemas?.[ref.slice(REF.length)], document);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, document)]));
}

/** Failures that say by their reason why the service cannot answer now. */
const NAMED_503 = new Set(["STALE_STATE", "OVERLOADED", "ROUTER_UNAVAILABLE"]);

function checkerOf(document: Document, responses: Operation["responses"]): Endpoint["fault"] {
  const schemas = new Map(
    Object.entries(responses).map(([status, { content }]) => {
      const schema = content?.["application/json"]?.schema;
      return [status, schema && Compile(inlined(schema, document) as object)] as const;
    }),
  );
  return (status, contentType, text) => {
    const key = [String(status), `${String(status)[0]}XX`].find((one) => schemas.has(one));
    if (key === undefined) return `status ${status} is not in the document`;
    const schema = schemas.get(key);
    // What the reader has is still good.
    if (status === 304) return text === "" ? undefined : "a body where there is none";
    if (!contentType.includes("json"))
      return schema === undefined || status === 200 ? undefined : `a failure of type ${contentType}`;
    const json = parsed(text);
    if (json === undefined) return "the body is no JSON";
    if (schema !== undefined && !schema.Check(json))
      return JSON.stringify(schema.Errors(json)[1].slice(0, 3));
    const { reason } = json as { reason?: string };
    if (status >= 500 && !(status === 503 && NAMED_503.has(reason ?? ""))) return `${status} ${reason}`;
    return undefined;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
