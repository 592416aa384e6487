import { readFileSync } from "node:fs";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import {
  artifactPath,
  collectSources,
  compileRouter,
  formatArtifact,
  type RouterArtifact,
  readContract,
} from "../../scripts/contracts/build-contracts.ts";

test("the checked-in artifact is what the sources compile to, byte for byte", () => {
  expect(formatArtifact(compileRouter())).toBe(readFileSync(artifactPath, "utf8"));
});

test("a changed source changes the address", () => {
  const changed = compileRouter((path) => readContract(path).replace("PPM = 1e6", "PPM = 1e7"));
  expect(readFileSync(artifactPath, "utf8")).not.toContain(changed.address);
});

test("the router's own memory begins where the run is laid out: the compiler has put nothing of its own before it", () => {
  const { initCode, runtimeCodeHash } = JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact;
  const runtimeCode: Hex = `0x${initCode.slice(initCode.indexOf("fe") + 2)}`;
  expect(keccak256(runtimeCode)).toBe(runtimeCodeHash);
  const freePointerIs0x80 = "0x6080604052";
  expect(runtimeCode.slice(0, freePointerIs0x80.length)).toBe(freePointerIs0x80);
});

test("former routers are other addresses, each named once", () => {
  const { address, formerAddresses } = JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact;
  expect(formerAddresses.length).toBeGreaterThan(0);
  expect(new Set([address, ...formerAddresses]).size).toBe(1 + formerAddresses.length);
  for (const former of formerAddresses) expect(former).toMatch(/^0x[0-9a-f]{40}$/);
});

test("every source of the router is found along its imports", () => {
  expect(Object.keys(collectSources("Router.sol", readContract)).sort()).toEqual([
    "Errors.sol",
    "Head.sol",
    "Lock.sol",
    "Permits.sol",
    "Router.sol",
    "Run.sol",
    "Tokens.sol",
    "steps/AirSwap.sol",
    "steps/BalancerV2.sol",
    "steps/BalancerV3.sol",
    "steps/Converter.sol",
    "steps/Curve.sol",
    "steps/Dodo.sol",
    "steps/Ekubo.sol",
    "steps/Erc4626.sol",
    "steps/Fluid.sol",
    "steps/FluidLite.sol",
    "steps/Funded.sol",
    "steps/IZiSwap.sol",
    "steps/Infinity.sol",
    "steps/MaverickV1.sol",
    "steps/Owed.sol",
    "steps/Rfq.sol",
    "steps/Solidly.sol",
    "steps/V2.sol",
    "steps/V2Fee.sol",
    "steps/V3.sol",
    "steps/V4.sol",
    "steps/V4Manager.sol",
    "steps/Wrap.sol",
  ]);
});
