import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress, publicLookup } from "../public-addresses.ts";

export type FetchLimits = {
  readonly maxBytes: number;
  /** From the start of the request, name lookup included, to the last byte received. */
  readonly timeoutMs: number;
  /** CA certificates, in PEM, that replace the default ones. */
  readonly ca?: string;
  /** Resolves host names. Absent: only to public addresses. */
  readonly lookup?: LookupFunction;
};

/**
 * Downloads the body of an https URL from an untrusted source, such as a token list.
 *
 * It connects to public IP addresses only, and follows no redirects, so that a list cannot make this program send
 * requests to hosts of its private network (SSRF).
 *
 * @throws Error where the URL is not allowed, the status is not 200, or a limit is exceeded
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

/** Why a URL is not allowed; undefined where it is. Host names are checked when they are resolved. */
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
