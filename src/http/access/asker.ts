import { callerOf } from "../../core/callers/caller.ts";
import type { AccessKey } from "../../service/ports/ports-access.ts";
import type { Asker } from "../../service/ports/ports-quotes.ts";

/** In whose name a record is kept: a key's, where the request has one. */
export function askerOf(ip: string, key: AccessKey | undefined): Asker {
  return { caller: key?.id ?? callerOf(ip), owner: key?.id };
}
