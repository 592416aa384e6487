import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DamagedFile, openPoolFile } from "./pool-file.ts";
import { createPoolStore, DroppedCheckpoint, poolFilePath } from "./pool-store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-pools-"));
  path = poolFilePath(folder, 1);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = { chainId: 1, genesis: "0xaa" } as const;
const ALL = { after: 0, count: 100_000 };
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array | null) => (body === null ? null : new TextDecoder().decode(body));
const nothing = { pools: [], awake: [], asleep: [], note: bytes("note"), hintsDone: 0 };
const pool = (k: number) => ({ id: `pool ${k}`, body: bytes(`facts of pool ${k}`) });

/** Writes a checkpoint with this many pools, every third of which was in the market. */
function filled(count: number) {
  const file = openPoolFile(path, key);
  const numbers = Array.from({ length: count }, (_, k) => k);
  file.save({
    ...nothing,
    pools: numbers.map(pool),
    awake: numbers
      .filter((k) => k % 3 === 0)
      .map((k) => ({ id: `pool ${k}`, state: bytes(`state ${k}`), isAsked: k % 2 === 1 })),
  });
  file.close();
}

test("pools, states and the note come back in the order in which they came", () => {
  filled(10);
  const file = openPoolFile(path, key);
  expect(file.opened).toMatchObject({ dropped: undefined, hints: 0 });
  expect(text(file.opened.note!)).toBe("note");
  expect(file.pools(ALL).map(({ body }) => text(body))).toEqual(
    Array.from({ length: 10 }, (_, k) => `facts of pool ${k}`),
  );
  expect(file.pools({ after: 4, count: 2 }).map(({ n }) => n)).toEqual([5, 6]);
  expect(file.awake(ALL).map((row) => [text(row.pool), text(row.state), row.isAsked])).toEqual(
    [0, 3, 6, 9].map((k) => [`facts of pool ${k}`, `state ${k}`, k % 2 === 1]),
  );
  file.close();
});

test("a pool that left the market is known and no longer of it, and what is written again replaces what was", () => {
  filled(4);
  const file = openPoolFile(path, key);
  file.save({ ...nothing, pools: [{ id: "pool 1", body: bytes("other facts") }], asleep: ["pool 3"] });
  expect(file.awake(ALL)).toHaveLength(1);
  expect(text(file.pools(ALL)[1]!.body)).toBe("other facts");
  file.close();
});

test("a write is whole or not at all", () => {
  filled(2);
  const file = openPoolFile(path, key);
  const broken = { id: "pool 9", state: null, isAsked: undefined as unknown as boolean };
  const lost = { id: "lost", body: null as unknown as Uint8Array };
  expect(() => file.save({ ...nothing, pools: [pool(5), lost], awake: [broken] })).toThrow();
  expect(file.pools(ALL)).toHaveLength(2);
  file.close();
});

describe("what is not this chain's own checkpoint is dropped, and said why", () => {
  const reopened = (as: { readonly chainId: number; readonly genesis: `0x${string}` } = key) => {
    const file = openPoolFile(path, as);
    const { opened } = file;
    const kept = file.pools(ALL).length;
    file.close();
    return { ...opened, kept };
  };
  const dropped = (why: RegExp) => ({
    note: undefined,
    hints: 0,
    kept: 0,
    dropped: expect.stringMatching(why),
  });

  test("of another chain id", () => {
    filled(3);
    expect(reopened({ ...key, chainId: 10 })).toEqual(dropped(/of chain 1, not 10/));
  });

  test("of another history", () => {
    filled(3);
    expect(reopened({ ...key, genesis: "0xbb" })).toEqual(dropped(/began with block 0xaa, not 0xbb/));
  });

  test("of another schema, older or newer", () => {
    for (const version of [0, 99]) {
      filled(3);
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      expect(reopened()).toEqual(dropped(new RegExp(`schema is ${version}, not`)));
    }
  });

  test("no database at all", () => {
    writeFileSync(path, "pools of my friend\n".repeat(1000));
    expect(reopened()).toEqual(dropped(/not a database/));
  });

  test("without the pools that its note counts", () => {
    filled(30);
    const database = new DatabaseSync(path);
    database.exec("DELETE FROM pools WHERE n > 20");
    database.close();
    expect(reopened()).toEqual(dropped(/10 of its pools are missing/));
  });

  test("a note that was changed", () => {
    filled(3);
    const database = new DatabaseSync(path);
    database.exec("UPDATE note SET body = x'00'");
    database.close();
    expect(reopened()).toEqual(dropped(/checksum of its note/));
  });
});

test("a record that was changed, or changed places with another, is never given out", () => {
  const harms = [
    ["UPDATE pools SET body = CAST('facts of pool 8' AS BLOB) WHERE n = 8", "pools"],
    [
      "UPDATE pools SET body = (SELECT body FROM pools WHERE n = 2), sum = (SELECT sum FROM pools WHERE n = 2) WHERE n = 5",
      "pools",
    ],
    ["DELETE FROM pools WHERE n = 6", "pools"],
    ["UPDATE awake SET state = CAST('state 4' AS BLOB) WHERE n = 2", "awake"],
  ] as const;
  for (const [harm, table] of harms) {
    rmSync(path, { force: true });
    filled(12);
    const database = new DatabaseSync(path);
    database.exec(harm);
    database.close();
    const file = openPoolFile(path, key);
    expect(() => file[table](ALL), harm).toThrow(DamagedFile);
    file.close();
  }
});

/** All records that a checkpoint returns, or "dropped" where it was dropped at opening or while it was read. */
function readOut(): string[] | "dropped" {
  const file = openPoolFile(path, key);
  try {
    if (file.opened.dropped !== undefined) return "dropped";
    const pools = file.pools(ALL).map(({ body }) => text(body)!);
    return [...pools, ...file.awake(ALL).map((row) => text(row.state)!)];
  } catch (error) {
    if (error instanceof DamagedFile) return "dropped";
    throw error;
  } finally {
    file.close();
  }
}

test("whatever byte is changed, and wherever the file is cut: what is given out is what was written, or nothing", () => {
  filled(400);
  const whole = readFileSync(path);
  const written = new Set(readOut());
  let harmed = 0;
  for (let k = 0; k < 120; k++) {
    const at = Math.floor((k * 2654435761) % whole.length);
    const bad = Uint8Array.from(whole);
    bad[at] = bad[at]! ^ (1 << (k % 8));
    writeFileSync(path, bad);
    const out = readOut();
    if (out === "dropped") harmed++;
    else for (const one of out) expect(written, `byte ${at}`).toContain(one);
  }
  for (const share of [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    writeFileSync(path, whole);
    truncateSync(path, Math.floor(whole.length * share));
    const out = readOut();
    if (share <= 0.5) expect(out, `${share} of the file`).toBe("dropped");
    else if (out !== "dropped") for (const one of out) expect(written).toContain(one);
  }
  expect(harmed).toBeGreaterThan(20);
});

test("the thread drops a checkpoint that turns out to be damaged, begins a new one, and tells", async () => {
  filled(12);
  const database = new DatabaseSync(path);
  database.exec("UPDATE pools SET body = x'00' WHERE n = 8");
  database.close();
  const store = createPoolStore(folder);
  try {
    expect((await store.open(key)).dropped).toBeUndefined();
    await expect(store.pools(ALL)).rejects.toThrow(DroppedCheckpoint);
    expect(await store.pools(ALL)).toEqual([]);
    await store.save({ ...nothing, pools: [pool(1)] });
    expect(await store.pools(ALL)).toHaveLength(1);
  } finally {
    await store.close();
  }
});

test("what was saved is there after the process was killed, and a second process is refused", async () => {
  const script = `
    import { createPoolStore } from ${JSON.stringify(new URL("./pool-store.ts", import.meta.url).href)};
    const store = createPoolStore(${JSON.stringify(folder)});
    await store.open(${JSON.stringify(key)});
    const note = new Uint8Array([1]);
    for (let k = 0; k < 5; k++)
      await store.save({ pools: [{ id: String(k), body: note }], awake: [], asleep: [], note, hintsDone: 0 });
    process.kill(process.pid, "SIGKILL");`;
  const program = join(folder, "killed.mjs");
  writeFileSync(program, script);
  expect(() => execFileSync(process.execPath, [program], { stdio: "ignore" })).toThrow();
  const store = createPoolStore(folder);
  const other = createPoolStore(folder);
  try {
    expect((await store.open(key)).dropped).toBeUndefined();
    expect(await store.pools(ALL)).toHaveLength(5);
    await expect(other.open(key)).rejects.toThrow(/locked/);
    expect(await store.pools(ALL)).toHaveLength(5);
  } finally {
    await store.close();
    await other.close();
  }
});
