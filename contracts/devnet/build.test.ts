import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactFile, compile, fingerprint, fingerprintFile, LEAN } from "./build.ts";

/** Two compilations, on a machine that may be busy. */
const COMPILE_MS = 600_000;
/** The files that are compiled through the IR take long: each day has its own eighth of them. */
const DAYS = 8;
const DAY_MS = 24 * 3600 * 1000;

const ARTIFACTS = [
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
  "EkuboCore",
  "FeeToken",
  "FixedRate",
  "FluidLite",
  "FluidLiteCenter",
  "FluidPool",
  "FluidResolver",
  "GyroEclpPool",
  "GyroFactory",
  "GyroThreePool",
  "GyroTwoPool",
  "IZiSeeder",
  "InfinityBinManager",
  "InfinityClManager",
  "InfinityVault",
  "LiquidityBookFactory",
  "LiquidityBookPair",
  "LiquidityBookPairOld",
  "Llamma",
  "MaverickFactory",
  "MaverickPool",
  "MaverickV2Factory",
  "MaverickV2Pool",
  "PairSeeder",
  "PancakeV3Deployer",
  "PermitToken",
  "PoolSeeder",
  "Psm",
  "Psm3",
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
];

test("the checked-in artifacts are those of the sources as they are, and of no others", () => {
  expect(`${fingerprint()}\n`).toBe(readFileSync(fingerprintFile, "utf8"));
  const files = readdirSync(join(import.meta.dirname, "out")).filter((name) => name.endsWith(".json"));
  expect(files.sort()).toEqual(ARTIFACTS.map((name) => `${name}.json`));
});

test(
  "the checked-in artifacts are what the sources compile to",
  () => {
    const today = Math.floor(Date.now() / DAY_MS);
    const lean = LEAN.filter((_, index) => index % DAYS === today % DAYS);
    const artifacts = compile(lean);
    expect(artifacts).toHaveLength(ARTIFACTS.length - LEAN.length + lean.length);
    for (const artifact of artifacts) {
      const { path, text } = artifactFile(artifact);
      expect(readFileSync(path, "utf8"), path).toBe(text);
    }
  },
  COMPILE_MS,
);
