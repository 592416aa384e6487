import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openKeyRing } from "./key-ring.ts";
import { type NewKey, openKeyStore } from "./key-store.ts";

const DAY = 86_400;
const silent = { error: () => {} };
const plain: NewKey = {
  name: "Desk",
  tier: "basic",
  perMinute: undefined,
  perDay: undefined,
  perAddressPerMinute: 0,
  origins: [],
  fees: undefined,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("keys", () => {
  test("a secret has 256 random bits and is nowhere in the folder", () => {
    const store = openKeyStore(folder);
    const secrets = Array.from({ length: 50 }, () => store.create(plain, 1).secret);
    for (const secret of secrets) expect(secret).toMatch(/^braid_[\w-]{43}$/);
    expect(new Set(secrets).size).toBe(50);
    const bytes = () =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("latin1"));
    expect(bytes().join("")).toContain("Desk");
    expect(secrets.filter((secret) => bytes().join("").includes(secret.slice(6)))).toEqual([]);
    store.close();
  });

  test("only the owner of the folder may read the file", () => {
    openKeyStore(folder).close();
    expect(statSync(join(folder, "keys.sqlite")).mode & 0o777).toBe(0o600);
  });

  test("a key has its tier's limits but for those of its own, and everything else that it was made with", () => {
    const store = openKeyStore(folder);
    const fees = {
      recipient: "0x00000000000000000000000000000000000000fe",
      buyPermille: 3,
      sellPermille: 0,
    } as const;
    store.create(plain, 1);
    store.create(
      { ...plain, tier: "partner", perDay: 7, perAddressPerMinute: 2, origins: ["https://a.example"], fees },
      2,
    );
    const [first, second] = store.all();
    expect(first).toMatchObject({ perMinute: 600, perDay: 50_000, fees: undefined, revokedAt: undefined });
    expect(second).toMatchObject({
      perMinute: 60_000,
      perDay: 7,
      perAddressPerMinute: 2,
      origins: ["https://a.example"],
      fees,
    });
    store.close();
  });

  test("a running service follows what another process makes and revokes", () => {
    const ring = openKeyRing(folder, () => 0, silent);
    expect(ring.port.inUse()).toBe(false);
    const command = openKeyStore(folder);
    const { id, secret } = command.create(plain, 1);
    ring.refresh();
    expect([ring.port.inUse(), ring.port.find(secret)?.id, ring.port.find(`${secret}x`)]).toEqual([
      true,
      id,
      undefined,
    ]);
    expect([command.revoke(id, 2), command.revoke(id, 3), command.revoke("none", 3)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([ring.port.find(secret)?.id, ring.port.isValid(id), ring.port.isValid("none")]).toEqual([
      id,
      true,
      false,
    ]);
    ring.refresh();
    expect([ring.port.inUse(), ring.port.find(secret), ring.port.isValid(id)]).toEqual([
      true,
      undefined,
      false,
    ]);
    command.close();
    ring.close();
  });

  test("the use of a day outlives a restart and begins anew at midnight UTC", () => {
    let now = 10 * DAY + 100;
    const first = openKeyRing(folder, () => now, silent);
    first.port.count("a", 3);
    first.port.count("a", 64);
    first.port.count("b", 1);
    expect([first.port.usedToday("a"), first.port.usedToday("b"), first.port.usedToday("c")]).toEqual([
      67, 1, 0,
    ]);
    first.close();
    const second = openKeyRing(folder, () => now, silent);
    expect(second.port.usedToday("a")).toBe(67);
    second.port.count("a", 1);
    now = 11 * DAY;
    expect(second.port.usedToday("a")).toBe(0);
    second.port.count("a", 5);
    second.close();
    const store = openKeyStore(folder);
    expect(store.usage()).toEqual([
      { id: "a", day: 10, requests: 68 },
      { id: "a", day: 11, requests: 5 },
      { id: "b", day: 10, requests: 1 },
    ]);
    store.close();
  });

  test("a file that another process is writing delays no revocation, and its usage is written later", () => {
    const command = openKeyStore(folder);
    const { id } = command.create(plain, 1);
    const ring = openKeyRing(folder, () => 10 * DAY, silent);
    command.revoke(id, 2);
    const other = new DatabaseSync(join(folder, "keys.sqlite"));
    other.exec("BEGIN IMMEDIATE");
    ring.port.count(id, 3);
    expect(() => ring.refresh()).toThrow(/locked/);
    expect([ring.port.isValid(id), ring.port.usedToday(id)]).toEqual([false, 3]);
    other.close();
    ring.refresh();
    expect(command.usage()).toEqual([{ id, day: 10, requests: 3 }]);
    ring.close();
    command.close();
  });

  test("a file that is no database is named, and stays as it is", () => {
    const path = join(folder, "keys.sqlite");
    writeFileSync(path, "not a database".repeat(300));
    expect(() => openKeyStore(folder)).toThrow(`${path} cannot be used as the file of API keys: file is not`);
    expect(readFileSync(path, "utf8")).toContain("not a database");
  });

  test("a file of a newer version is refused", () => {
    openKeyStore(folder).close();
    const database = new DatabaseSync(join(folder, "keys.sqlite"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(() => openKeyStore(folder)).toThrow(/newer version: schema 99/);
  });
});
