import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "./pusher.ts";

/** Of a value that somebody sent, so much is said back to them. */
const MOST_SHOWN = 60;

/** A value that somebody sent, as JSON text of bounded length. */
export const told = (value: string | undefined): string => JSON.stringify((value ?? "").slice(0, MOST_SHOWN));

/** What node says of a request that never became one. */
type ClientError = Error & { readonly code?: string };

/** Answers on the bare socket what came too late, too large or not as HTTP, and closes it. */
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
  // Who does not read the answer does not keep the connection.
  socket.setTimeout(requestMs, () => socket.destroy());
}

function refusalOf(code: string | undefined, requestMs: number): Refusal {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, why: `request: not whole after ${requestMs} ms` };
  if (code === "HPE_HEADER_OVERFLOW") return { status: 431, why: "headers: more than 8192 bytes" };
  return { status: 400, why: `request: no HTTP that can be read (${code ?? "unknown"})` };
}
