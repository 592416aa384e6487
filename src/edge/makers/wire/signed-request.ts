import { createHmac, timingSafeEqual } from "node:crypto";

/** Headers of a signed request, both from Braid to a maker and from a maker to Braid. */
export const TIMESTAMP_HEADER = "x-braid-timestamp";
export const SIGNATURE_HEADER = "x-braid-signature";

type Signable = {
  readonly secret: string;
  /** Unix time as text: in seconds from Braid to a maker, in milliseconds in a maker's pushes. */
  readonly timestamp: string;
  /** Method, a space, and path with query. */
  readonly line: string;
  readonly body: string | Buffer;
};

/** HMAC-SHA256 of timestamp, line and body, joined by line feeds. */
function digestOf({ secret, timestamp, line, body }: Signable): Buffer {
  return createHmac("sha256", secret).update(`${timestamp}\n${line}\n`).update(body).digest();
}

/** The signature of a request, in lower-case hex. */
export const signRequest = (request: Signable): string => digestOf(request).toString("hex");

/** Whether a signature in hex is the request's, compared in constant time. */
export function isSigned(request: Signable, signature: string): boolean {
  const expected = digestOf(request);
  const given = Buffer.from(signature, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
