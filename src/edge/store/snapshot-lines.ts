import { createReadStream, createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Address, Pool } from "../../core/types.ts";
import type { ChainKey } from "./token-store.ts";

/**
 * The first line of a snapshot, as JSON. A snapshot is gzipped text with one more line for each pool: id of its
 * deployment, id of the pool, and its two tokens. The lines are only hints: the importer queries the configured
 * factories for pools of those tokens and uses their answers; no state, fee or contract is taken from the snapshot.
 */
export type SnapshotHead = {
  readonly format: "braid-pools-1";
  readonly chainId: number;
  readonly genesis: string;
};

/** A line of a snapshot. */
export type Hint = {
  readonly deployment: string;
  readonly id: string;
  readonly tokens: readonly [Address, Address];
};

/** Most lines: more than any chain has pools. */
const MOST_LINES = 5_000_000;
/** Most bytes after decompression; reading stops there. */
const MOST_BYTES = 1_500_000_000;
/** Most characters of a line. */
const MOST_LINE = 300;

const LINE =
  /^([a-z0-9][a-z0-9-]{0,63}) (0x(?:[0-9a-f]{40}|[0-9a-f]{64})) (0x[0-9a-f]{40}) (0x[0-9a-f]{40})$/;

/**
 * The line of a pool; undefined where it has more than two tokens, or its id is neither an address nor a 32-byte hash.
 */
export function lineOf({ deployment, id, tokens: [a, b, more] }: Pool): string | undefined {
  const line = `${deployment} ${id} ${a} ${b}`;
  return more === undefined && LINE.test(line) ? line : undefined;
}

/** Parses a line of a snapshot. @returns undefined where the line is malformed */
export function hintOf(line: string): Hint | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, deployment, id, a, b] = match as unknown as [string, string, string, Address, Address];
  return { deployment, id, tokens: [a, b] };
}

/** Writes a snapshot of pools. @returns the number of pools written @throws Error where the file exists already */
export async function writeSnapshot(path: string, { chainId, genesis }: ChainKey, pools: Iterable<Pool>) {
  let count = 0;
  const head: SnapshotHead = { format: "braid-pools-1", chainId, genesis };
  function* text() {
    yield `${JSON.stringify(head)}\n`;
    for (const pool of pools) {
      const line = lineOf(pool);
      if (line === undefined) continue;
      count++;
      yield `${line}\n`;
    }
  }
  await pipeline(Readable.from(text()), createGzip(), createWriteStream(path, { flags: "wx" }));
  return count;
}

/**
 * Reads the lines of a snapshot, without the first one.
 *
 * @throws Error with the path where the file is of another chain or format, malformed, too large, or cut off
 */
export async function readSnapshot(path: string, { chainId, genesis }: ChainKey): Promise<string[]> {
  const lines: string[] = [];
  let number = 0;
  const take = (line: string) => {
    number++;
    if (number === 1) return checkHead(line, { chainId, genesis });
    if (number > MOST_LINES)
      throw new Error(`line ${number}: more lines than a snapshot may have (${MOST_LINES})`);
    if (hintOf(line) === undefined)
      throw new Error(
        `line ${number}: not a record, an id and two tokens: ${JSON.stringify(line.slice(0, 80))}`,
      );
    lines.push(line);
  };
  await pipeline(createReadStream(path), createGunzip(), splitter(take)).catch((error: Error) => {
    throw new Error(`${path}: ${error.message}`);
  });
  if (number === 0) throw new Error(`${path}: it is empty`);
  return lines;
}

function checkHead(line: string, key: ChainKey): void {
  const head = ((): Partial<SnapshotHead> | undefined => {
    try {
      return JSON.parse(line) as Partial<SnapshotHead>;
    } catch {
      return undefined;
    }
  })();
  if (head?.format !== "braid-pools-1") throw new Error("line 1: not the head of a snapshot of this version");
  if (head.chainId !== key.chainId)
    throw new Error(`line 1: the snapshot is of chain ${head.chainId}, not ${key.chainId}`);
  if (head.genesis !== key.genesis)
    throw new Error(`line 1: its chain began with block ${head.genesis}, not ${key.genesis}`);
}

/** A sink that splits text into lines, with limits against a small file that decompresses to a huge one. */
function splitter(take: (line: string) => void): Transform {
  let rest = "";
  let bytes = 0;
  const feed = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    if (rest.length > MOST_LINE) throw new Error(`a line is longer than ${MOST_LINE} characters`);
    for (const part of parts) take(part);
  };
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        bytes += part.length;
        if (bytes > MOST_BYTES) throw new Error(`it unpacks to more than ${MOST_BYTES} bytes`);
        feed(part.toString("latin1"));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(rest === "" ? null : new Error("the last line is cut off"));
    },
  }).resume();
}
