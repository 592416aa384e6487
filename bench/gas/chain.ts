import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Abi, concatHex, encodeDeployData, encodeFunctionData } from "viem";
import { compile } from "../../scripts/contracts/build-contracts.ts";
import { CREATE2_DEPLOYER, routerArtifact } from "../../src/core/encoding/router-artifact.ts";
import type { Address, Hex } from "../../src/core/types.ts";
import { inPrivateFolder, startAnvil } from "../../src/devnet/node/anvil.ts";
import { claimPort } from "../../src/devnet/node/port.ts";
import { quantity, type Rpc } from "../../src/devnet/rpc.ts";

/** A contract build as packages ship it. */
export type Build = { readonly abi: Abi; readonly bytecode: Hex };

export type Transaction = { readonly to: Address; readonly data: Hex; readonly value?: bigint };

/** A local chain for measuring: every transaction is a block of its own, 12 s after the one before. */
export type Bench = {
  readonly rpc: Rpc;
  /** Sends everything, and holds every token. */
  readonly user: Address;
  readonly deploy: (build: Build, args?: readonly unknown[], value?: bigint) => Promise<Address>;
  /** @throws Error with the node's reason when the transaction reverts */
  readonly send: (transaction: Transaction) => Promise<number>;
  readonly read: (to: Address, data: Hex) => Promise<Hex>;
  /** The gas that the transaction would use, with nothing kept of it. */
  readonly measure: (transaction: Transaction) => Promise<number>;
};

const packages = createRequire(import.meta.url);

/**
 * A build file out of an installed package, or out of the folder BENCH_PEERS_DIR (laid out as node_modules is).
 *
 * @returns undefined where neither has it
 */
export function readBuild(file: string): Build | undefined {
  const text = readPackageFile(file);
  if (text === undefined) return undefined;
  const { abi, bytecode } = JSON.parse(text) as { abi: Abi; bytecode: string | { object: string } };
  const code = typeof bytecode === "string" ? bytecode : bytecode.object;
  return { abi, bytecode: `0x${code.replace(/^0x/, "")}` };
}

export function readPackageFile(file: string): string | undefined {
  const peers = process.env.BENCH_PEERS_DIR;
  const beside = peers === undefined ? undefined : join(peers, file);
  if (beside !== undefined && existsSync(beside)) return readFileSync(beside, "utf8");
  try {
    return readFileSync(packages.resolve(file), "utf8");
  } catch {
    return undefined;
  }
}

/** @throws Error naming the package that is not installed */
export function requireBuild(file: string): Build {
  const build = readBuild(file);
  if (build === undefined) throw new Error(`${file} is not installed`);
  return build;
}

/** Runs `work` on a fresh chain and ends its node whatever happens. */
export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const host = "127.0.0.1";
  const port = await claimPort(host, 0);
  const options = { host, port, arguments: ["--no-mining", "--base-fee", "0", "--balance", "10000000"] };
  const node = await inPrivateFolder((home) => startAnvil(options, home));
  try {
    await node.rpc.call("anvil_setBlockTimestampInterval", [12]);
    const [user] = await node.rpc.call<Address[]>("eth_accounts");
    return await work(onNode(node.rpc, user!));
  } finally {
    await node.kill();
  }
}

type Receipt = { status: Hex; gasUsed: Hex; contractAddress: Address | null };

function onNode(rpc: Rpc, user: Address): Bench {
  const run = async (fields: { to?: Address; data: Hex; value?: bigint }): Promise<Receipt> => {
    const transaction = {
      ...fields,
      from: user,
      gas: quantity(16_000_000),
      value: quantity(fields.value ?? 0n),
    };
    const hash = await rpc.call<Hex>("eth_sendTransaction", [transaction]);
    await rpc.call("evm_mine");
    const receipt = await rpc.call<Receipt>("eth_getTransactionReceipt", [hash]);
    if (receipt.status !== "0x1") {
      await rpc.call("eth_call", [transaction, "latest"]);
      throw new Error(`a transaction to ${fields.to ?? "nobody"} reverted without a reason`);
    }
    return receipt;
  };
  const send = async (transaction: Transaction) => Number((await run(transaction)).gasUsed);
  return {
    rpc,
    user,
    send,
    deploy: async ({ abi, bytecode }, args = [], value = 0n) => {
      const data = encodeDeployData({ abi, bytecode, args: [...args] });
      return (await run({ data, value })).contractAddress!;
    },
    read: (to, data) => rpc.call<Hex>("eth_call", [{ to, data, from: user }, "latest"]),
    measure: async (transaction) => {
      const snapshot = await rpc.call<Hex>("evm_snapshot");
      const gas = await send(transaction);
      await rpc.call("evm_revert", [snapshot]);
      await rpc.call("anvil_dropAllTransactions");
      return gas;
    },
  };
}

/** Plain ERC-20s, all of each held by the user. */
export async function deployTokens(bench: Bench, count: number): Promise<Address[]> {
  const { abi, initCode } = compile("test/models/EventToken.sol", "EventToken");
  const tokens: Address[] = [];
  while (tokens.length < count)
    tokens.push(await bench.deploy({ abi: abi as Abi, bytecode: initCode }, [10n ** 30n]));
  return tokens;
}

/** The router at its CREATE2 address. */
export async function deployRouter(bench: Bench): Promise<number> {
  return bench.send({
    to: CREATE2_DEPLOYER,
    data: concatHex([routerArtifact.salt, routerArtifact.initCode]),
  });
}

export function call(abi: Abi, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args: [...args] });
}
