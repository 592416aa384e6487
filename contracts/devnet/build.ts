import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

/** One compiled contract as it is checked in. */
type Artifact = {
  readonly contractName: string;
  readonly abi: readonly unknown[];
  /** What lies at the address; these contracts have no constructor, so the genesis puts it there. */
  readonly runtimeCode: `0x${string}`;
  readonly compiler: string;
};

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: { type: string }[]; evm: { deployedBytecode: { object: string } } }>
  >;
};

const folder = import.meta.dirname;
const out = join(folder, "out");
const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

/** Compiled through the IR, which takes long: their gas must stay below that of the pools they stand for. */
export const LEAN: readonly string[] = [
  "balancer-v3/BalancerSurgeHook.sol",
  "balancer-v3/BalancerV3EllipsePool.sol",
  "balancer-v3/BalancerV3ReadjustingPool.sol",
  "balancer-v3/BalancerV3StablePool.sol",
  "balancer-v3/BalancerV3Vault.sol",
  "balancer-v3/BalancerV3WeightedPool.sol",
  "curve/CryptoSwap.sol",
  "curve/CryptoSwapThree.sol",
  "curve/StableSwap.sol",
  "fluid/FluidLite.sol",
  "gyroscope/GyroEclpPool.sol",
  "gyroscope/GyroThreePool.sol",
  "gyroscope/GyroTwoPool.sol",
  "pancake-infinity/InfinityBinManager.sol",
  "pancake-infinity/InfinityClManager.sol",
  "pancake-infinity/InfinityVault.sol",
];

type Solc = {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  version(): string;
};

const load = createRequire(import.meta.url);
const solc = load("solc") as Solc;

/** Libraries of a package, all of them under MIT: the models' own files are in `sources`. */
const fromPackage = (path: string) => ({ contents: readFileSync(load.resolve(path), "utf8") });

type Sources = Readonly<Record<string, { readonly content: string }>>;

/** Paths below a folder and texts of its files of a kind, sorted, so that the fingerprint does not depend on the file system. */
function filesOf(path: string, ending: string): [string, string][] {
  const names = readdirSync(path, { encoding: "utf8", recursive: true }).filter((name) =>
    name.endsWith(ending),
  );
  return names.sort().map((name) => [name, readFileSync(join(path, name), "utf8")]);
}

const readSources = (): Sources =>
  Object.fromEntries(filesOf(folder, ".sol").map(([name, content]) => [name, { content }]));

/**
 * SHA-256 of the checked-in artifacts and of what they were compiled from: sources, settings and the compiler's version.
 * Only a compilation of all files writes it (`fingerprintFile`).
 */
export function fingerprint(): string {
  const artifacts = filesOf(out, ".json");
  const facts = { sources: readSources(), settings, lean: LEAN, compiler: solc.version(), artifacts };
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

function outputOf(names: readonly string[], sources: Sources, viaIR: boolean): Output["contracts"] {
  const wanted = { "*": ["abi", "evm.deployedBytecode.object"] };
  const outputSelection = Object.fromEntries(names.map((name) => [name, wanted]));
  const input = { language: "Solidity", sources, settings: { ...settings, viaIR, outputSelection } };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: fromPackage })) as Output;
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  return output.contracts;
}

/**
 * Compiles the Solidity files of the folders here, of those in `LEAN` the given ones. Libraries and abstract contracts are left
 * out.
 *
 * @throws Error with the compiler's text when it reports an error
 */
export function compile(lean: readonly string[] = LEAN): Artifact[] {
  const sources = readSources();
  const others = Object.keys(sources).filter((name) => !LEAN.includes(name));
  const contracts = { ...outputOf(others, sources, false), ...outputOf(lean, sources, true) };
  const compiler = solc.version();

  return [...others, ...lean].flatMap((name) => {
    const contractName = basename(name, ".sol");
    const contract = contracts[name]?.[contractName];
    const code = contract?.evm.deployedBytecode.object ?? "";
    const callable = contract?.abi.some((entry) => entry.type === "function");
    if (contract === undefined || code === "" || !callable) return [];
    return [{ contractName, abi: contract.abi, runtimeCode: `0x${code}` as const, compiler }];
  });
}

/** The file of an artifact and its text as it is checked in. */
export function artifactFile(artifact: Artifact): { path: string; text: string } {
  return {
    path: join(out, `${artifact.contractName}.json`),
    text: `${JSON.stringify(artifact, null, 2)}\n`,
  };
}

/** Holds `fingerprint()` as it was after the last compilation of all files. */
export const fingerprintFile = join(out, "fingerprint.sha256");

if (import.meta.main) {
  for (const artifact of compile()) {
    const { path, text } = artifactFile(artifact);
    writeFileSync(path, text);
  }
  writeFileSync(fingerprintFile, `${fingerprint()}\n`);
}
