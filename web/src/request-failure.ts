import { ApiFailure, unreadable } from "./api.ts";

/** The failure of a request, for the user. Whatever else was thrown comes from an answer that could not be read. */
export function requestFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : unreadable();
}
