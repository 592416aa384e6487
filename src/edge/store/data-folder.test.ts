import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "braid-data-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder is made with those above it, and may be there already", () => {
  const folder = join(root, "a", "b");
  openDataFolder(folder);
  openDataFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

test("a file in its place is refused by the setting's name", () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")])
    expect(() => openDataFolder(folder)).toThrow(`DATA_DIR: "${folder}" is no folder that can be written`);
});

test.runIf(process.platform === "linux")("where no folder can be made the start ends", () => {
  expect(() => openDataFolder("/proc/braid/data")).toThrow(/^DATA_DIR: "\/proc\/braid\/data"/);
});
