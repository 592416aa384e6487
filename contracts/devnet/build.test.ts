import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactFile, compile } from "./build.ts";

test("the checked-in artifacts are what the sources compile to", () => {
  const artifacts = compile();
  expect(artifacts.map((artifact) => artifact.contractName).sort()).toEqual([
    "BalancerFactory",
    "BalancerStablePool",
    "BalancerVault",
    "BalancerWeightedPool",
    "DodoFactory",
    "DodoVendingMachine",
    "FeeToken",
    "LiquidityBookFactory",
    "LiquidityBookPair",
    "PairSeeder",
    "PoolSeeder",
    "SolidlyFactory",
    "SolidlyPair",
    "StableSwap",
    "TetherToken",
    "Token",
    "Vault",
    "WooOracle",
    "WooPool",
  ]);
  for (const artifact of artifacts) {
    const { path, text } = artifactFile(artifact);
    expect(readFileSync(path, "utf8"), path).toBe(text);
  }
  expect(readdirSync(join(import.meta.dirname, "out"))).toHaveLength(artifacts.length);
});
