import type { FastifyRequest } from "fastify";
import { BraidError } from "../../core/errors.ts";
import type { AccessKey, KeyPort } from "../../service/ports/ports-access.ts";
import { presentedKey } from "./presented.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** API key that the request was admitted with; undefined = anonymous. */
    accessKey: AccessKey | undefined;
  }
}

/** A key store without keys: every request is anonymous. */
export const noKeys: KeyPort = {
  inUse: () => false,
  find: () => undefined,
  isValid: () => false,
  usedToday: () => 0,
  count: () => {},
};

/**
 * The API key of a request; undefined = anonymous. Where no key was ever created and none is required, keys that
 * clients send are ignored.
 *
 * @throws BraidError UNAUTHORIZED for an unknown key, or a missing one where one is required; FORBIDDEN where the key
 * lists origins and the Origin header is missing or not among them
 */
export function admit(request: FastifyRequest, keys: KeyPort, isRequired: boolean): AccessKey | undefined {
  if (!isRequired && !keys.inUse()) return undefined;
  const secret = presentedKey(request);
  if (secret === undefined) {
    if (!isRequired) return undefined;
    throw new BraidError("UNAUTHORIZED", "This service asks for an API key, and the request has none.");
  }
  const key = keys.find(secret);
  if (key === undefined) throw new BraidError("UNAUTHORIZED", "This API key is unknown here, or revoked.");
  refuseOrigin(key, request.headers.origin);
  return key;
}

function refuseOrigin({ origins }: AccessKey, origin: string | undefined): void {
  if (origins.length === 0 || (origin !== undefined && origins.includes(origin.toLowerCase()))) return;
  const reason = origin === undefined ? "is missing" : "is not on the list of this key";
  throw new BraidError("FORBIDDEN", `This API key is for pages of certain origins: Origin ${reason}.`, {
    details: [{ field: "Origin", reason, ...(origin === undefined ? {} : { value: origin.slice(0, 100) }) }],
  });
}
