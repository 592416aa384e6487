import type { FastifyRequest } from "fastify";
import type { AccessKey } from "../../service/ports/ports-access.ts";
import type { App } from "../app-types.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAMES = ["feeRecipient", "buyTokenPercentageFee", "sellTokenPercentageFee"] as const;

/**
 * Adds the default fees of the API key to requests that name no fee parameter. A request that names any of the three
 * parameters, even a fee of 0, gets no defaults, so that its fees never go to a recipient that it did not choose.
 * Register before the routes.
 */
export function registerDefaultFees(app: App): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const fees = request.accessKey?.fees;
    if (fees === undefined) return done();
    const defaults = textsOf(fees);
    const { querystring, body } = (request.routeOptions.schema ?? {}) as {
      querystring?: unknown;
      body?: unknown;
    };
    if (takesFees(querystring)) request.query = withDefaults(request.query as Fields, defaults);
    if (takesFees(body)) request.body = withDefaultsInEach(request, defaults);
    done();
  });
}

function textsOf({ recipient, buyPermille, sellPermille }: NonNullable<AccessKey["fees"]>): Fields {
  return {
    feeRecipient: recipient,
    buyTokenPercentageFee: String(buyPermille),
    sellTokenPercentageFee: String(sellPermille),
  };
}

function takesFees(schema: unknown): boolean {
  const { properties } = (schema ?? {}) as { properties?: Fields };
  return properties !== undefined && NAMES.every((name) => name in properties);
}

/** Whether a fee parameter has a value. As everywhere in the API, null and an empty string count as absent. */
const namesFees = (fields: Fields): boolean =>
  NAMES.some((name) => fields[name] != null && fields[name] !== "");

const withDefaults = (fields: Fields, defaults: Fields): Fields =>
  namesFees(fields) ? fields : { ...fields, ...defaults };

/**
 * Adds the defaults to the entries of a batch that has no shared fees. Other bodies are left for the route to refuse.
 */
function withDefaultsInEach({ body }: FastifyRequest, defaults: Fields): unknown {
  if (!isFields(body) || !Array.isArray(body.requests) || namesFees(body)) return body;
  const requests = body.requests.map((entry: unknown) =>
    isFields(entry) ? withDefaults(entry, defaults) : entry,
  );
  return { ...body, requests };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
