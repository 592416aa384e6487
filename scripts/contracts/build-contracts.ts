import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { getCreate2Address, type Hex, keccak256, padHex } from "viem";
import former from "../../contracts/former.json" with { type: "json" };
import { readFlags } from "../command-line.ts";

/** Where the wasm compiler lies in memory once loaded; loading costs a third of a second. */
type Solc = {
  version(): string;
  compile(input: string): string;
};

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The deterministic deployer that most chains have at this address. */
export const CREATE2_DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

/** No metadata in the code: the same bytes from every folder and machine, so the same CREATE2 address. */
export const settings = {
  optimizer: { enabled: true, runs: 1_000_000 },
  viaIR: true,
  evmVersion: "cancun",
  metadata: { appendCBOR: false, bytecodeHash: "none" },
} as const;

/** A warning that any use of `tstore` raises; the lock clears its word as the advice asks. */
const TRANSIENT_STORAGE_ADVICE = "2394";

export type RouterArtifact = {
  contractName: string;
  solc: string;
  settings: typeof settings;
  salt: Hex;
  /** CREATE2 by the deterministic deployer; lower case. */
  address: Hex;
  /** Where earlier routers lie, whose users may have left an approval behind: contracts/former.json. */
  formerAddresses: readonly Hex[];
  initCodeHash: Hex;
  runtimeCodeHash: Hex;
  abi: readonly unknown[];
  initCode: Hex;
};

type Output = {
  errors?: readonly { errorCode: string; severity: string; formattedMessage: string }[];
  contracts?: Record<
    string,
    Record<
      string,
      {
        abi: readonly unknown[];
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
      }
    >
  >;
};

/** Sources by path, from `entry` along its imports. `read` gets paths relative to the contracts folder. */
export function collectSources(entry: string, read: (path: string) => string): Record<string, string> {
  const sources: Record<string, string> = {};
  const visit = (path: string): void => {
    if (sources[path] !== undefined) return;
    const text = read(path);
    sources[path] = text;
    for (const [, target] of text.matchAll(/^import[^"]*"(\.[^"]+)";/gm))
      visit(posix.join(posix.dirname(path), target!));
  };
  visit(entry);
  return sources;
}

export function readContract(path: string): string {
  return readFileSync(join(root, "contracts", path), "utf8");
}

/** For tests of other code than the one that ships: nearly as it comes, in half of the time. */
const quickSettings = {
  ...settings,
  optimizer: {
    ...settings.optimizer,
    details: {
      ...{ peephole: true, inliner: true, jumpdestRemover: true, orderLiterals: true, deduplicate: true },
      ...{ cse: false, constantOptimizer: false, yul: true },
      // Joined expressions leave the compiler fewer variables to find places for, which is what takes its time.
      yulDetails: { stackAllocation: true, optimizerSteps: "esju" },
    },
  },
};

export type CompileOptions = {
  /** Text of a path, from the contracts folder. */
  readonly read?: (path: string) => string;
  readonly warnings?: "refuse" | "pass";
  readonly quick?: boolean;
};

export type Compiled = { abi: readonly unknown[]; initCode: Hex; runtimeCode: Hex };

/**
 * Compiles one contract with the router's settings.
 *
 * @param entry path of its file, relative to the contracts folder
 * @throws Error with the compiler's own messages, warnings too
 */
export function compile(entry: string, name: string, options: CompileOptions = {}): Compiled {
  const { read = readContract, warnings = "refuse" } = options;
  const solc = createRequire(import.meta.url)("solc") as Solc;
  const sources = collectSources(entry, read);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      ...(options.quick ? quickSettings : settings),
      outputSelection: { [entry]: { [name]: ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const complaints = (output.errors ?? [])
    .filter((error) => error.errorCode !== TRANSIENT_STORAGE_ADVICE)
    .filter((error) => warnings === "refuse" || error.severity === "error")
    .map((error) => error.formattedMessage);
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  const { abi, evm } = output.contracts![entry]![name]!;
  return {
    abi,
    initCode: `0x${evm.bytecode.object}`,
    runtimeCode: `0x${evm.deployedBytecode.object}`,
  };
}

/** The router's artifact; see `compile`. */
export function compileRouter(
  read: (path: string) => string = readContract,
  options: Omit<CompileOptions, "read"> = {},
): RouterArtifact {
  const { abi, initCode, runtimeCode } = compile("Router.sol", "Router", { read, ...options });
  const salt = padHex("0x", { size: 32 });
  return {
    contractName: "Router",
    solc: (createRequire(import.meta.url)("solc") as Solc).version(),
    settings,
    salt,
    address: getCreate2Address({ from: CREATE2_DEPLOYER, salt, bytecode: initCode }).toLowerCase() as Hex,
    formerAddresses: former as Hex[],
    initCodeHash: keccak256(initCode),
    runtimeCodeHash: keccak256(runtimeCode),
    abi,
    initCode,
  };
}

/** The artifact as it is checked in. */
export function formatArtifact(artifact: RouterArtifact): string {
  return `${JSON.stringify(artifact, undefined, 2)}\n`;
}

export const artifactPath = join(root, "contracts", "out", "Router.json");

if (import.meta.main) {
  readFlags({}, "npm run contracts:build: compiles the router, and writes contracts/out/Router.json");
  const artifact = compileRouter();
  const { address: before } = JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact;
  writeFileSync(artifactPath, formatArtifact(artifact));
  const bytes = artifact.initCode.length / 2 - 1;
  console.log(`Router ${artifact.address}, ${bytes} bytes of init code, solc ${artifact.solc}`);
  if (before !== artifact.address && !artifact.formerAddresses.includes(before))
    console.log(`It was ${before}. Where that one was released, add it to contracts/former.json.`);
}
