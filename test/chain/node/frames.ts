import type { Duplex } from "node:stream";

/** As much of RFC 6455 as a fake node needs: unfragmented text frames, and the answer to a close. */

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

/** A text frame from a server: not masked. */
export function textFrame(text: string): Buffer {
  return frame(TEXT, Buffer.from(text));
}

/** A binary frame from a server. */
export function binaryFrame(bytes: Buffer): Buffer {
  return frame(BINARY, bytes);
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Calls `onText` for every text frame of a client, which are masked. */
export function readFrames(socket: Duplex, onText: (text: string) => void): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (part: Buffer) => {
    rest = Buffer.concat([rest, part]);
    for (let one = readFrame(rest); one !== undefined; one = readFrame(rest)) {
      rest = rest.subarray(one.size);
      if (one.opcode === TEXT) onText(one.payload.toString("utf8"));
      if (one.opcode === CLOSE) socket.end(frame(CLOSE, one.payload));
    }
  });
}

function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 6 + extended) return undefined;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const start = 6 + extended;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(
    bytes.subarray(start, start + length).map((byte, k) => byte ^ (mask[k & 3] as number)),
  );
  return { opcode: (bytes[0] as number) & 0x0f, payload, size: start + length };
}
