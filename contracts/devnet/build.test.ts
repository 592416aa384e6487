import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactFile, compile } from "./build.ts";

/** Two compilations, on a machine that may be busy. */
const COMPILE_MS = 600_000;

test(
  "the checked-in artifacts are what the sources compile to",
  () => {
    const artifacts = compile();
    expect(artifacts.map((artifact) => artifact.contractName).sort()).toEqual([
      "AlgebraSeeder",
      "BalancerSurgeHook",
      "BalancerV3EllipsePool",
      "BalancerV3Query",
      "BalancerV3ReadjustingPool",
      "BalancerV3StablePool",
      "BalancerV3Vault",
      "BalancerV3WeightedPool",
      "CryptoFactory",
      "CryptoSwap",
      "CryptoSwapThree",
      "DaiToken",
      "DaiUsds",
      "DodoFactory",
      "DodoVendingMachine",
      "FeeToken",
      "FixedRate",
      "GyroEclpPool",
      "GyroFactory",
      "GyroThreePool",
      "GyroTwoPool",
      "LiquidityBookFactory",
      "LiquidityBookPair",
      "LiquidityBookPairOld",
      "Llamma",
      "MaverickFactory",
      "MaverickPool",
      "PairSeeder",
      "PancakeV3Deployer",
      "PermitToken",
      "PoolSeeder",
      "SolidlyFactory",
      "SolidlyPair",
      "StableSwap",
      "TetherToken",
      "Token",
      "V4Seeder",
      "V4StateView",
      "Vault",
      "VaultSeeder",
      "WooOracle",
      "WooPool",
    ]);
    for (const artifact of artifacts) {
      const { path, text } = artifactFile(artifact);
      expect(readFileSync(path, "utf8"), path).toBe(text);
    }
    expect(readdirSync(join(import.meta.dirname, "out"))).toHaveLength(artifacts.length);
  },
  COMPILE_MS,
);
