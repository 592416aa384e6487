import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Hex } from "../../core/types.ts";

const require = createRequire(import.meta.url);

/**
 * Reads init code from a build file in a protocol's npm package.
 *
 * @param file package name and path, such as `@uniswap/v2-core/build/UniswapV2Factory.json`
 * @param constructorArguments ABI-encoded
 * @throws Error naming the package when it is not installed
 */
export async function creationCode(file: string, constructorArguments: Hex = "0x"): Promise<Hex> {
  const { bytecode } = JSON.parse(await readFile(locate(file), "utf8")) as {
    bytecode: string | { object: string };
  };
  const code = typeof bytecode === "string" ? bytecode : bytecode.object;
  return `0x${code.replace(/^0x/, "")}${constructorArguments.slice(2)}`;
}

/** Init code of Multicall3, from a file of viem that is not part of its exports. */
export function multicall3CreationCode(): Hex {
  const file = join(dirname(require.resolve("viem")), "constants", "contracts.js");
  const { multicall3Bytecode } = require(file) as { multicall3Bytecode: Hex };
  return multicall3Bytecode;
}

function locate(file: string): string {
  try {
    return require.resolve(file);
  } catch (cause) {
    const name = file.split("/").slice(0, 2).join("/");
    throw new Error(
      `The devnet needs the optional package ${name}: install without --omit=optional, or serve real chains only.`,
      { cause },
    );
  }
}
