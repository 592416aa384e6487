import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "./pusher.ts";

/** Most characters of a caller's value that an error message repeats. */
const MOST_SHOWN = 60;

/** A caller's value as a JSON string of bounded length, for error messages. */
export const told = (value: string | undefined): string => JSON.stringify((value ?? "").slice(0, MOST_SHOWN));

/** Error of Node's HTTP server for a request that could not be parsed or did not arrive in time. */
type ClientError = Error & { readonly code?: string };

/** Answers a request that was late, had too large headers or was not HTTP, on the raw socket, and closes the socket. */
export function answerUnread({ code }: ClientError, socket: Socket, requestMs: number): void {
  if (code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const { status, why } = refusalOf(code, requestMs);
  const body = JSON.stringify({ error: why });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // A caller that does not read the answer must not keep the connection open.
  socket.setTimeout(requestMs, () => socket.destroy());
}

/** Most bytes of a request's headers. */
export const MAX_HEADER_BYTES = 8 * 1024;

function refusalOf(code: string | undefined, requestMs: number): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, why: `request: not whole after ${requestMs} ms` };
  if (code === "HPE_HEADER_OVERFLOW")
    return { status: 431, why: `headers: more than ${MAX_HEADER_BYTES} bytes` };
  return { status: 400, why: `request: no HTTP that can be read (${code ?? "unknown"})` };
}
