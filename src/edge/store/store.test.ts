import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "./store.ts";
import { createTokenStore } from "./token-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-store-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dai = {
  address: "0x6b175474e89094c44da98b954eedeac495271d0f",
  name: "Dai",
  symbol: "DAI",
  decimals: 18,
} as const;
const key = { chainId: 31337, genesis: "0xaa" } as const;

test("tokens survive a restart", () => {
  const first = openStore(folder);
  createTokenStore(first).save(key, [dai]);
  first.close();
  const second = openStore(folder);
  expect(createTokenStore(second).load(key)).toEqual([dai]);
  second.close();
});

test("a chain with the same id and another history has tokens of its own", () => {
  const store = openStore(undefined);
  const tokens = createTokenStore(store);
  tokens.save(key, [dai]);
  tokens.save({ ...key, genesis: "0xbb" }, [{ ...dai, symbol: "OTHER" }]);
  expect(tokens.load(key)).toEqual([dai]);
  expect(tokens.load({ ...key, chainId: 1 })).toEqual([]);
  store.close();
});

test("of more tokens than may be loaded the rest is removed, of this chain alone", () => {
  const store = openStore(undefined);
  const tokens = createTokenStore(store);
  const many = [1, 2, 3].map((k) => ({ ...dai, address: `0x0${k}` as const }));
  tokens.save(key, many);
  tokens.save({ ...key, chainId: 1 }, many);
  expect(tokens.load(key, 3)).toHaveLength(3);
  expect(tokens.load(key, 2)).toHaveLength(2);
  expect(tokens.load(key)).toHaveLength(2);
  expect(tokens.load({ ...key, chainId: 1 })).toHaveLength(3);
  store.close();
});

test("a token that is read again replaces what was known; a batch is kept whole or not at all", () => {
  const store = openStore(undefined);
  const tokens = createTokenStore(store);
  tokens.save(key, [dai]);
  tokens.save(key, [{ ...dai, name: "Dai Stablecoin" }]);
  const broken = { ...dai, address: "0x01", name: null as unknown as string } as const;
  expect(() => tokens.save(key, [{ ...dai, name: "Lost" }, broken])).toThrow();
  expect(tokens.load(key)).toEqual([{ ...dai, name: "Dai Stablecoin" }]);
  store.close();
});

test("what was saved is there after the process was killed", () => {
  const script = `
    import { openStore } from ${JSON.stringify(new URL("./store.ts", import.meta.url).href)};
    import { createTokenStore } from ${JSON.stringify(new URL("./token-store.ts", import.meta.url).href)};
    createTokenStore(openStore(${JSON.stringify(folder)})).save(${JSON.stringify(key)}, [${JSON.stringify(dai)}]);
    process.kill(process.pid, "SIGKILL");`;
  expect(() =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" }),
  ).toThrow();
  const store = openStore(folder);
  expect(createTokenStore(store).load(key)).toEqual([dai]);
  store.close();
});

test("a second process is refused in words", () => {
  const store = openStore(folder);
  expect(() => openStore(folder)).toThrow(/another process/);
  store.close();
});

test("a file that is no database is told so", () => {
  writeFileSync(join(folder, "braid.sqlite"), "not a database".repeat(100));
  expect(() => openStore(folder)).toThrow(
    /braid\.sqlite cannot be used: file is not a database\. .* may be deleted/,
  );
});

test("a file whose schema cannot be made is named", () => {
  const database = new DatabaseSync(join(folder, "braid.sqlite"));
  database.exec("CREATE TABLE tokens (other TEXT)");
  database.close();
  expect(() => openStore(folder)).toThrow(
    /braid\.sqlite cannot be used: .*already exists\. .* may be deleted/,
  );
});

test("a store of a newer version is left alone", () => {
  openStore(folder).close();
  const database = new DatabaseSync(join(folder, "braid.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(() => openStore(folder)).toThrow(/newer version/);
});

test("a full disk is named as the reason, keeps what was written, and is no lasting fault", () => {
  const store = openStore(folder);
  const tokens = createTokenStore(store);
  tokens.save(key, [dai]);
  const { page_count: pages } = store.database.prepare("PRAGMA page_count").get() as { page_count: number };
  store.database.exec(`PRAGMA max_page_count = ${pages}`);
  const many = Array.from({ length: 1_000 }, (_, k) => ({ ...dai, address: `0x${k}` as const }));
  expect(() => tokens.save(key, many)).toThrow(/disk is full/);
  expect(tokens.load(key)).toEqual([dai]);
  store.database.exec("PRAGMA max_page_count = 100000");
  tokens.save(key, many);
  expect(tokens.load(key)).toHaveLength(1_001);
  store.close();
});
