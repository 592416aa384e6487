import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";

/** A request that the server says it has taken on before it answers. */
export function asked(url: string) {
  const sent = request(url, { headers: { expect: "100-continue" } });
  const taken = once(sent, "continue");
  const answer = once(sent, "response").then(async ([response]: IncomingMessage[]) => ({
    status: response!.statusCode,
    body: await json(response!),
  }));
  sent.end();
  return { taken, answer };
}
