import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress, publicLookup } from "../public-addresses.ts";

export type FetchLimits = {
  readonly maxBytes: number;
  /** From the first byte sent to the last one received. */
  readonly timeoutMs: number;
  /** Certificates of authorities that are trusted besides those of the system. */
  readonly ca?: string;
  /** Resolves names; to public addresses only unless given. */
  readonly lookup?: LookupFunction;
};

/**
 * The body of a public https address that somebody else chose.
 *
 * Only public addresses are connected to, by number or by name, and redirects are not followed: a list must not make this
 * program ask for what only it can reach.
 *
 * @throws Error where the address is not allowed, the answer is no plain success, or a limit is passed
 */
export async function fetchBytes(address: string, limits: FetchLimits): Promise<Uint8Array> {
  const url = new URL(address);
  const refusal = refusalOf(url);
  if (refusal !== undefined) throw new Error(refusal);
  const { timeoutMs, lookup = publicLookup, ca } = limits;
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { accept: "image/png, image/webp, image/jpeg", "accept-encoding": "identity" };
  const options = { agent: false, headers, lookup, signal, ...(ca === undefined ? {} : { ca }) };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      bodyOf(response, limits.maxBytes)
        .finally(() => sent.destroy())
        .then(resolve, reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Why an address is not asked; undefined where it may be. Names are checked when they are resolved. */
function refusalOf({ protocol, hostname, username, password }: URL): string | undefined {
  if (protocol !== "https:") return "only https is fetched";
  if (username !== "" || password !== "") return "an address with credentials is not fetched";
  const number = hostname.replace(/^\[|\]$/g, "");
  return isIP(number) !== 0 && !isPublicAddress(number) ? `${number} is not a public address` : undefined;
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (response.statusCode !== 200) throw new Error(`the answer has status ${response.statusCode}`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
