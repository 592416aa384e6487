import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import type { App } from "../app-types.ts";
import { formats } from "./formats.ts";
import { Failure } from "./schemas.ts";

const DESCRIPTION =
  "Best-route swap offers over decentralised exchanges. Amounts are decimal integers of a token's smallest units, as text. " +
  "Slippage and fees count in thousandths: 10 = 1 %.";

/** The three ways to send an API key, in order of precedence. */
const SECURITY = {
  header: { type: "apiKey", name: "X-Api-Key", in: "header" },
  bearer: { type: "http", scheme: "bearer" },
  parameter: { type: "apiKey", name: "apiKey", in: "query" },
} as const;

/** The max-age of the OpenAPI document, which changes only with a new version of the program. */
const CACHE_SECONDS = 300;

/** Serves the OpenAPI document, generated from the schemas of the routes. Register before the routes. */
export async function registerOpenApi(app: App, version: string): Promise<void> {
  app.addSchema(Failure);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Braid",
        version,
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      components: { securitySchemes: SECURITY },
      // A key is optional unless the operator requires one.
      security: [{}, ...Object.keys(SECURITY).map((name) => ({ [name]: [] }))],
      tags: [
        { name: "swap", description: "Offers and their transactions" },
        { name: "tokens", description: "What can be exchanged" },
        { name: "chains", description: "Where, and at what gas price" },
        { name: "transaction", description: "Allowances" },
        { name: "operation", description: "For operators" },
      ],
    },
    refResolver: {
      buildLocalReference: ({ $id }, _baseUri, _fragment, i) => ($id ? String($id) : `def-${i}`),
    },
    transform: ({ schema, url, route }) => ({
      schema: withUnchanged(
        describe(schema),
        (route.config as { cacheSeconds?: number } | undefined)?.cacheSeconds,
      ),
      url,
    }),
  });
  // One buffer for all answers, so that the document is compressed once.
  let document: Buffer | undefined;
  const options = { schema: { hide: true }, config: { cacheSeconds: CACHE_SECONDS } };
  app.get("/openapi.json", options, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type("application/json; charset=utf-8").send(document);
  });
}

/** Adds the 304 response to cacheable routes; registerCaching sends it. */
function withUnchanged(schema: FastifySchema, cacheSeconds: number | undefined): FastifySchema {
  if (cacheSeconds === undefined || schema.hide === true) return schema;
  const unchanged = { type: "null", description: "If-None-Match names the answer: it is still the same" };
  return { ...schema, response: { ...(schema.response as object), 304: unchanged } };
}

function describe(schema: FastifySchema | undefined): FastifySchema {
  return schema === undefined ? {} : (shown(schema) as FastifySchema);
}

/**
 * Replaces strings of known formats by more specific schemas: `slippage`, text in a query, is documented as a number.
 */
function shown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shown);
  if (typeof schema !== "object" || schema === null) return schema;
  const told = tellFormat(schema as Record<string, unknown>);
  return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, shown(value)]));
}

type Told = { readonly shown?: Readonly<Record<string, unknown>> };

function tellFormat(schema: Record<string, unknown>): Record<string, unknown> {
  const format = (formats as Readonly<Record<string, Told>>)[String(schema.format)];
  if (schema.type !== "string" || format?.shown === undefined) return schema;
  const { description, default: fallback } = schema;
  return {
    ...format.shown,
    description,
    ...(typeof fallback === "string" ? { default: JSON.parse(fallback) } : {}),
  };
}
