import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/**
 * Cuts connections of websockets, which the web's interface cannot do: its `close` waits for the other side's answer
 * without an end. The runtime reports on channels which connection a websocket has.
 *
 * @source nodejs/undici docs/docs/api/DiagnosticsChannel.md
 */

/** Milliseconds within which the other side may answer a close. */
const ANSWER_MS = 2_000;
/** Most bytes of answers to pings that the other side has not read. */
const MOST_UNREAD_BYTES = 1024 * 1024;

/** Open connections of the runtime's HTTP client, by their local address; the newest where several have one. */
const connections = new Map<string, Socket>();
const sockets = new WeakMap<WebSocket, Socket>();

type Local = { readonly address?: string; readonly port?: number };

const keyOf = ({ address, port }: Local): string => `${address} ${port}`;

subscribe("undici:client:connected", (message) => {
  const { socket } = message as { readonly socket: Socket };
  const key = keyOf(socket.address() as Local);
  connections.set(key, socket);
  socket.once("close", () => {
    if (connections.get(key) === socket) connections.delete(key);
  });
});

subscribe("undici:websocket:open", (message) => {
  const { websocket, address } = message as { readonly websocket: WebSocket; readonly address: Local };
  const socket = connections.get(keyOf(address));
  if (socket !== undefined) sockets.set(websocket, socket);
});

subscribe("undici:websocket:ping", (message) => {
  const { websocket } = message as { readonly websocket: WebSocket };
  const socket = sockets.get(websocket);
  if (socket !== undefined && socket.writableLength > MOST_UNREAD_BYTES) socket.destroy();
});

/** Closes a websocket, and cuts its connection where the other side does not answer the close. */
export function hangUp(ws: WebSocket): void {
  ws.close();
  const socket = sockets.get(ws);
  if (socket === undefined || socket.destroyed) return;
  const cut = setTimeout(() => socket.destroy(), ANSWER_MS).unref();
  socket.once("close", () => clearTimeout(cut));
}
