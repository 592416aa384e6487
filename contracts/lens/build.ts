import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";
import { compile } from "../../scripts/contracts/build-contracts.ts";

/** The lens as it is checked in. */
type LensArtifact = {
  readonly contractName: string;
  readonly abi: readonly unknown[];
  /** What creates it. */
  readonly initCode: Hex;
  /** What a state override puts at an address. */
  readonly runtimeCode: Hex;
  readonly runtimeCodeHash: Hex;
  /** Init code of a call without a recipient; its arguments (bytes initCode, bytes data) follow. */
  readonly onceInitCode: Hex;
};

/** @throws Error with the compiler's text where it warns */
export function compileLens(): LensArtifact {
  const { abi, initCode, runtimeCode } = compile("lens/Lens.sol", "Lens");
  const once = compile("lens/Once.sol", "Once");
  return {
    contractName: "Lens",
    abi,
    initCode,
    runtimeCode,
    runtimeCodeHash: keccak256(runtimeCode),
    onceInitCode: once.initCode,
  };
}

export const lensPath = join(import.meta.dirname, "out", "Lens.json");

/** The artifact's text as it is checked in. */
export function formatLens(artifact: LensArtifact): string {
  return `${JSON.stringify(artifact, null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(lensPath, formatLens(compileLens()));
}
