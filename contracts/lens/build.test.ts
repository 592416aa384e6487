import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileLens, formatLens, lensPath } from "./build.ts";

/** The largest init code that a creation may have (EIP-3860); what is asked comes on top. */
const MAX_INIT_CODE_BYTES = 49_152;

test("the checked-in lens is what the sources compile to", { timeout: 120_000 }, () => {
  const artifact = compileLens();
  expect(readFileSync(lensPath, "utf8")).toBe(formatLens(artifact));
  const once = (artifact.initCode.length + artifact.onceInitCode.length) / 2;
  expect(once).toBeLessThan(MAX_INIT_CODE_BYTES / 2);
});
