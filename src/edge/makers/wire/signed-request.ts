import { createHmac, timingSafeEqual } from "node:crypto";

/** How requests are signed, by Braid to a maker and by a maker to Braid. */
export const TIMESTAMP_HEADER = "x-braid-timestamp";
export const SIGNATURE_HEADER = "x-braid-signature";

type Signable = {
  readonly secret: string;
  readonly timestamp: string;
  /** Method and path with its query, a space between them. */
  readonly line: string;
  readonly body: string | Buffer;
};

/** HMAC-SHA256 of timestamp, line and body, each on a line. */
function digestOf({ secret, timestamp, line, body }: Signable): Buffer {
  return createHmac("sha256", secret).update(`${timestamp}\n${line}\n`).update(body).digest();
}

/** As lower-case hex. */
export const signRequest = (request: Signable): string => digestOf(request).toString("hex");

/** Whether a signature in hex is the request's, in a time that does not depend on how much of it is right. */
export function isSigned(request: Signable, signature: string): boolean {
  const expected = digestOf(request);
  const given = Buffer.from(signature, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
