import { callerOf } from "../../core/callers/caller.ts";
import type { AccessKey } from "../../service/ports/ports-access.ts";
import type { Asker } from "../../service/ports/ports-quotes.ts";

/** The owner of a stored record: the API key of the request, else its IP address. */
export function askerOf(ip: string, key: AccessKey | undefined): Asker {
  return { caller: key?.id ?? callerOf(ip), owner: key?.id };
}
