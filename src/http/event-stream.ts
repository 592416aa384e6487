import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

/** A message of a stream: its id is the digest of what it says, so that a reader who comes back is not told it again. */
export type Message = {
  readonly id: string;
  /** As it is sent, made when it is sent first. */
  frame(): string;
};

/** @param same what the message says, for its id; `data` may hold more that differs each time */
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

/** One reader of a stream of server-sent events. */
export type EventStream = {
  /** Sends a message unless it says what the last one said. */
  send(message: Message): void;
  /** Ends it with a last word. */
  end(reason: string): void;
};

/** What a reader may leave unread before it is given up. */
const MOST_UNREAD_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;

/**
 * @param lastId Last-Event-ID of a reader who comes back
 * @param onEnd called once, whoever ended it
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
    // A reader so slow may never take the last word either: what is left unread goes with the connection.
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
