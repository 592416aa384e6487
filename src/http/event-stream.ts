import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

/** A server-sent event. Its id is a digest of its content, so that a reconnecting client is not sent the same again. */
export type Message = {
  readonly id: string;
  /** The event in wire format, made on the first call and cached. */
  frame(): string;
};

/**
 * @param same the content that the id is a digest of
 * @param data returns the data that is sent, which may have further fields that do not count as a change
 */
export function messageOf(event: string, same: object, data: () => object): Message {
  const id = digestOf(event, same);
  let text: string | undefined;
  return {
    id,
    frame() {
      text ??= frame(event, id, data());
      return text;
    },
  };
}

/** One client's stream of server-sent events. */
export type EventStream = {
  /** Sends a message unless the last one has the same id. */
  send(message: Message): void;
  /** Sends an `end` event with the reason and closes the stream. */
  end(reason: string): void;
};

/** Most bytes buffered for a client that reads slowly; above it the stream is ended and the connection destroyed. */
const MOST_UNREAD_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;

/**
 * Opens a stream of server-sent events on a response whose headers have been sent.
 *
 * @param lastId Last-Event-ID of a reconnecting client; an event of this id is not sent first
 * @param onEnd called once, whether the client or the service ended the stream
 * @source WHATWG HTML section 9.2, server-sent events
 */
export function openEventStream(
  response: ServerResponse,
  lastId: string | undefined,
  onEnd: () => void,
): EventStream {
  let last = lastId;
  let isOver = false;
  const heartbeat = setInterval(() => write(":\n\n"), HEARTBEAT_MS);
  const over = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    onEnd();
  };
  const end = (reason: string) => {
    if (isOver) return;
    response.end(frame("end", undefined, { reason }));
    over();
  };
  const write = (text: string) => {
    if (isOver) return;
    response.write(text);
    // Such a client may never read the `end` event either: destroying the connection frees the buffered bytes.
    if (response.writableLength <= MOST_UNREAD_BYTES) return;
    end("slow");
    response.destroy();
  };
  response.on("close", over);
  response.on("error", over);
  return {
    send(message) {
      if (message.id === last) return;
      last = message.id;
      write(message.frame());
    },
    end,
  };
}

function digestOf(event: string, same: object): string {
  return createHash("sha256")
    .update(`${event} ${JSON.stringify(same)}`)
    .digest("base64url")
    .slice(0, 22);
}

function frame(event: string, id: string | undefined, data: object): string {
  const name = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${event}\n${name}data: ${JSON.stringify(data)}\n\n`;
}
