import type { FastifyRequest } from "fastify";
import { badRequest } from "../failure.ts";

const BEARER = /^bearer +(\S+) *$/i;
/** An API key of this program, anywhere in a text. */
const SECRET = /braid_[\w-]{43}/g;
const PARAMETER = "apikey";

type Carrier = Pick<FastifyRequest, "headers" | "query">;

/**
 * The API key in a request: the X-Api-Key header, else a bearer token, else the query parameter `apiKey`. An empty
 * value counts as absent, because some clients always send the header or parameter.
 *
 * @throws BraidError VALIDATION where the parameter is given more than once
 */
export function presentedKey({ headers, query }: Carrier): string | undefined {
  const header = headers["x-api-key"];
  if (typeof header === "string" && header.trim() !== "") return header.trim();
  const bearer = BEARER.exec(headers.authorization ?? "");
  if (bearer !== null) return bearer[1];
  const { apiKey } = (query ?? {}) as { apiKey?: unknown };
  if (apiKey === undefined || apiKey === "") return undefined;
  if (typeof apiKey !== "string") throw badRequest("apiKey", "must be given once");
  return apiKey;
}

/** A URL for the log: without the `apiKey` parameter, and with any other text in the form of a key replaced. */
export function withoutKeys(url: string): string {
  const [path = "", ...rest] = url.split("?");
  const parameters = rest.join("?").split("&");
  const kept = parameters.filter((each) => decoded(each.split("=", 1)[0]!).toLowerCase() !== PARAMETER);
  const query = kept.join("&");
  return (query === "" ? path : `${path}?${query}`).replace(SECRET, "[key]");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
