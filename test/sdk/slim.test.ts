import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sizeOf, slim } from "../../scripts/install/slim.ts";

/** What an install throws away, on folders laid out as node_modules is. */

const folder = mkdtempSync(join(tmpdir(), "braid-slim-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KEPT = [
  "@uniswap/v4-core/out/PoolManager.sol/PoolManager.json",
  "@uniswap/v4-core/package.json",
  "@uniswap/v4-core/licenses/BUSL_LICENSE",
  "@sushiswap/core/LICENSE.txt",
  "@sushiswap/core/deployments/bsc/UniswapV2Factory.json",
  "ethers/lib.esm/index.js",
  "unknown/dist/index.js",
  "unknown/lib/es/index.js",
];
const DELETED = [
  "@uniswap/v4-core/out/Other.sol/Other.json",
  "@uniswap/v4-core/out/LICENSE.json",
  "@sushiswap/core/deployments/bsc/other.json",
  "@sushiswap/core/artifacts/big.json",
  "ethers/dist/ethers.js",
  "unknown/dist/index.js.map",
];

test("only what a rule names is kept of a package, licences always, and no package without a rule loses code", () => {
  for (const path of [...KEPT, ...DELETED]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), "12345");
  }
  expect(sizeOf(folder)).toBe((KEPT.length + DELETED.length) * 5);
  expect(slim(folder)).toBe(DELETED.length * 5);
  expect(KEPT.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(DELETED.filter((path) => existsSync(join(folder, path)))).toEqual([]);
  expect(slim(folder)).toBe(0);
});
