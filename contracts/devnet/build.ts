import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

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
const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

/** Compiled through the IR, which takes long: their gas must stay below that of the pools they stand for. */
const LEAN = [
  "BalancerSurgeHook.sol",
  "BalancerV3StablePool.sol",
  "BalancerV3Vault.sol",
  "BalancerV3WeightedPool.sol",
  "GyroEclpPool.sol",
  "GyroThreePool.sol",
  "GyroTwoPool.sol",
  "StableSwap.sol",
];

/**
 * Compiles every Solidity file of this folder. Libraries and abstract contracts are left out.
 *
 * @throws Error with the compiler's text when it reports an error
 */
export function compile(): Artifact[] {
  const load = createRequire(import.meta.url);
  // Libraries of a package, all of them under MIT: the models' own files are in `sources`.
  const fromPackage = (path: string) => ({ contents: readFileSync(load.resolve(path), "utf8") });
  const solc = load("solc") as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
    version(): string;
  };
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol"));
  const sources = Object.fromEntries(
    files.map((name) => [name, { content: readFileSync(join(folder, name), "utf8") }]),
  );
  const outputOf = (names: readonly string[], viaIR: boolean): Output["contracts"] => {
    const wanted = { "*": ["abi", "evm.deployedBytecode.object"] };
    const outputSelection = Object.fromEntries(names.map((name) => [name, wanted]));
    const input = { language: "Solidity", sources, settings: { ...settings, viaIR, outputSelection } };
    const output = JSON.parse(solc.compile(JSON.stringify(input), { import: fromPackage })) as Output;
    const errors = (output.errors ?? []).filter((error) => error.severity === "error");
    if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
    return output.contracts;
  };
  const others = files.filter((name) => !LEAN.includes(name));
  const contracts = { ...outputOf(others, false), ...outputOf(LEAN, true) };

  return files.flatMap((name) => {
    const contractName = name.replace(".sol", "");
    const contract = contracts[name]?.[contractName];
    const code = contract?.evm.deployedBytecode.object ?? "";
    const callable = contract?.abi.some((entry) => entry.type === "function");
    if (contract === undefined || code === "" || !callable) return [];
    return [{ contractName, abi: contract.abi, runtimeCode: `0x${code}` as const, compiler: solc.version() }];
  });
}

/** The file of an artifact and its text as it is checked in. */
export function artifactFile(artifact: Artifact): { path: string; text: string } {
  return {
    path: join(folder, "out", `${artifact.contractName}.json`),
    text: `${JSON.stringify(artifact, null, 2)}\n`,
  };
}

if (import.meta.main) {
  for (const artifact of compile()) {
    const { path, text } = artifactFile(artifact);
    writeFileSync(path, text);
  }
}
