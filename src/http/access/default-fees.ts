import type { FastifyRequest } from "fastify";
import type { AccessKey } from "../../service/ports/ports-access.ts";
import type { App } from "../app-types.ts";

type Fields = Readonly<Record<string, unknown>>;

const NAMES = ["feeRecipient", "buyTokenPercentageFee", "sellTokenPercentageFee"] as const;

/**
 * Gives the default fees of a key to requests for offers that name none. One that names any of the three parameters has
 * settled the matter, so that no fee goes to a wallet that its author did not choose; a fee of 0 does that too. Register
 * before the routes.
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

/** As everywhere in the API, null and an empty text are no value. */
const namesFees = (fields: Fields): boolean =>
  NAMES.some((name) => fields[name] != null && fields[name] !== "");

const withDefaults = (fields: Fields, defaults: Fields): Fields =>
  namesFees(fields) ? fields : { ...fields, ...defaults };

/** A batch: its entries share what stands beside them. What is no batch is left for the route to refuse. */
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
