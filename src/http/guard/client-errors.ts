import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { BraidError } from "../../core/errors.ts";
import { answerOf, badRequest, tooLarge } from "../failure.ts";
import { commonHeaders } from "./headers.ts";

/** Node's `clientError`: a request that could not be parsed. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** A header overflow is attributed to the URL where the request line is longer than its limit, else to the headers. */
function overflow(packet: unknown, urlLimitBytes: number): BraidError {
  const begin = Buffer.isBuffer(packet) ? packet.toString("latin1") : "";
  const line = begin.split("\n", 1)[0]!;
  return /^[A-Z]+ \//.test(line) && line.length > urlLimitBytes
    ? tooLarge("url", "The URL is too long.")
    : tooLarge("headers", "The request headers are too large.");
}

function failureOf({ code, rawPacket }: ClientError, urlLimitBytes: number): BraidError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new BraidError("TIMEOUT", "The request did not arrive in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") return overflow(rawPacket, urlLimitBytes);
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return tooLarge("body", "The chunk extensions of the body are too large.");
  }
  return badRequest("request", "is no HTTP request that can be read");
}

type Answering = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Writes an error response to the raw socket. A socket that is closed or already has a response is only destroyed. */
export function answerClientError(error: ClientError, socket: Socket, urlLimitBytes: number): void {
  const answered = (socket as Answering)._httpMessage?.headersSent === true;
  if (error.code === "ECONNRESET" || !socket.writable || answered) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const { status, headers, body } = answerOf(failureOf(error, urlLimitBytes), {
    id,
    url: "",
    accept: undefined,
  });
  const fields = {
    ...commonHeaders(id),
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
