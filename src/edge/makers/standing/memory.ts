import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import Type from "typebox";
import * as Value from "typebox/value";
import type { Standing } from "./reputation.ts";

/** The standings of makers, kept across restarts in a file. Keys are any texts that are unique to a maker. */
export type MakerMemory = {
  /**
   * The maker's standing from earlier processes, aged to the time of opening.
   *
   * @returns undefined where there is none
   */
  of(maker: string): Standing | undefined;
  /** Registers a maker: every save from now on writes what `standing` returns then. */
  follow(maker: string, standing: () => Standing): void;
  save(): void;
  close(): void;
};

const Remembered = Type.Object({
  version: Type.Literal(1),
  /** Unix time in milliseconds. */
  saved_at: Type.Number(),
  makers: Type.Record(
    Type.String(),
    Type.Object({
      orders: Type.Array(
        Type.Object({
          ageMs: Type.Number({ minimum: 0 }),
          given: Type.Integer({ minimum: 0 }),
          fades: Type.Integer({ minimum: 0 }),
        }),
        { maxItems: 100 },
      ),
      blocks: Type.Integer({ minimum: 0 }),
      blockEndAgeMs: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
});

/** Milliseconds between saves: a crash loses at most this much. */
const SAVE_MS = 5_000;

/**
 * Opens the file of standings under `folder`, which is created where it is missing. A file that cannot be read counts
 * as empty, with a warning in the log.
 *
 * @param unixMs the wall clock, since standings also age while no process runs
 */
export function openMakerMemory(
  folder: string,
  unixMs: () => number,
  log: Pick<Logger, "warn">,
): MakerMemory {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "makers.json");
  const openedAtMs = unixMs();
  const earlier = read(path, openedAtMs, log);
  const followed = new Map<string, () => Standing>();
  const save = () => {
    if (followed.size === 0) return;
    const pastMs = Math.max(0, unixMs() - openedAtMs);
    const makers = new Map([...earlier].map(([maker, of]) => [maker, later(of, pastMs)]));
    for (const [maker, standing] of followed) makers.set(maker, standing());
    const content = { version: 1, saved_at: unixMs(), makers: Object.fromEntries(makers) };
    try {
      writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (err) {
      log.warn({ err }, "the standing of makers cannot be written");
    }
  };
  const timer = setInterval(save, SAVE_MS).unref();
  return {
    of: (maker) => earlier.get(maker),
    follow: (maker, standing) => void followed.set(maker, standing),
    save,
    close() {
      clearInterval(timer);
      save();
    },
  };
}

function read(path: string, nowMs: number, log: Pick<Logger, "warn">): Map<string, Standing> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!Value.Check(Remembered, content)) throw new Error(`${path} is no memory of makers`);
    const pastMs = Math.max(0, nowMs - content.saved_at);
    return new Map(Object.entries(content.makers).map(([maker, of]) => [maker, later(of, pastMs)]));
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "ENOENT")
      log.warn({ err }, "what was known of makers cannot be read");
    return new Map();
  }
}

/** The standing with all its ages increased by `pastMs`. */
function later({ orders, blocks, blockEndAgeMs }: Standing, pastMs: number): Standing {
  return {
    orders: orders.map((minute) => ({ ...minute, ageMs: minute.ageMs + pastMs })),
    blocks,
    blockEndAgeMs: blockEndAgeMs === null ? null : blockEndAgeMs + pastMs,
  };
}
