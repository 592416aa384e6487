import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import {
  artifactPath,
  CREATE2_DEPLOYER,
  collectSources,
  compileRouter,
  formatArtifact,
  type RouterArtifact,
  readContract,
  root,
} from "../../scripts/contracts/build-contracts.ts";

test("the checked-in artifact is what the sources compile to, byte for byte (npm run contracts:build)", () => {
  expect(formatArtifact(compileRouter())).toBe(readFileSync(artifactPath, "utf8"));
});

test("the address follows from the code: another byte is another address", () => {
  const { initCode, salt, address } = JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact;
  const addressOf = (code: string) =>
    `0x${keccak256(`0xff${CREATE2_DEPLOYER.slice(2)}${salt.slice(2)}${keccak256(code as Hex).slice(2)}`).slice(-40)}`;
  expect(addressOf(initCode)).toBe(address);
  expect(addressOf(`${initCode}00`)).not.toBe(address);
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

test("every source of the router is found along its imports, and no step is left out", () => {
  const cwd = join(root, "contracts");
  const sources = globSync(["*.sol", "steps/*.sol"], { cwd }).sort();
  expect(sources.length).toBeGreaterThan(20);
  expect(Object.keys(collectSources("Router.sol", readContract)).sort()).toEqual(sources);
});
