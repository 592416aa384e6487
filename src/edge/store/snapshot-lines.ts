import { createReadStream, createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Address, Pool } from "../../core/types.ts";
import type { ChainKey } from "./token-store.ts";

/**
 * A snapshot: gzipped lines of text. The first says what it is, each other names a pool: record, id, two tokens. It is a hint
 * where to look: no state, fee or contract is taken from it. Whoever imports it asks the factories of the chain's own file
 * what they have of those tokens, and takes what they answer.
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

/** More than any chain has; what is larger is refused before it is read on. */
const MOST_LINES = 5_000_000;
const MOST_BYTES = 1_500_000_000;
const MOST_LINE = 300;

const LINE =
  /^([a-z0-9][a-z0-9-]{0,63}) (0x(?:[0-9a-f]{40}|[0-9a-f]{64})) (0x[0-9a-f]{40}) (0x[0-9a-f]{40})$/;

/** The line of a pool; undefined where its design is not asked by pair, or it has more tokens than two. */
export function lineOf({ deployment, id, tokens: [a, b, more] }: Pool): string | undefined {
  const line = `${deployment} ${id} ${a} ${b}`;
  return more === undefined && LINE.test(line) ? line : undefined;
}

/** @returns undefined for anything that is not exactly a line of a snapshot */
export function hintOf(line: string): Hint | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, deployment, id, a, b] = match as unknown as [string, string, string, Address, Address];
  return { deployment, id, tokens: [a, b] };
}

/** @returns lines written */
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
 * The lines of a snapshot, without its first.
 *
 * @throws Error that names the line where the file is of another chain or format, too large, or cut off
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

/** Gives each line of a text on, and nothing further; a small file that unpacks to a huge one ends here. */
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
