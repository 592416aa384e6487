/**
 * `npm run deploy -- --chain N [--rpc URL]`: puts the router at its CREATE2 address.
 *
 * The node is `--rpc`, else the setting RPC_URL_<N>. The sender is the key in DEPLOYER_KEY, else the node's own first
 * account (as a development node has). Does nothing where the right code lies at the address already; ends with 1 where
 * another does, where the chain has another id, or where the deterministic deployer is missing; with 2 where the command line
 * is wrong.
 */
import {
  type Account,
  concatHex,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  keccak256,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { CREATE2_DEPLOYER, routerArtifact } from "../../src/core/encoding/router-artifact.ts";
import { addressFlag, originOf, readFlags, reasonOf, refuse, wholeNumber } from "../command-line.ts";

export type DeployOptions = {
  readonly chainId: number;
  readonly url: string;
  /** Sends the transaction; undefined = the node's own first account. */
  readonly key: Hex | undefined;
};

export type Deployed = { readonly address: Hex; readonly transaction: Hex | undefined; readonly gas: bigint };

type Client = ReturnType<typeof createPublicClient>;

async function codeHashAt(client: Client, address: Hex): Promise<Hex | undefined> {
  const code = await client.getCode({ address });
  return code === undefined || code === "0x" ? undefined : keccak256(code);
}

/** @throws Error in one sentence, where the chain is not as it should be, before or after */
export async function deploy({ chainId, url, key }: DeployOptions): Promise<Deployed> {
  const chain = defineChain({
    ...{ id: chainId, name: `chain ${chainId}`, rpcUrls: { default: { http: [url] } } },
    nativeCurrency: { name: "native", symbol: "NATIVE", decimals: 18 },
  });
  const transport = http(url);
  const client = createPublicClient({ chain, transport });
  const found = await client.getChainId().catch((error: unknown) => {
    throw new Error(`The node at ${originOf(url)} cannot be asked: ${reasonOf(error)}`);
  });
  if (found !== chainId)
    throw new Error(`The node at ${originOf(url)} serves chain ${found}, not ${chainId}.`);
  const { address, runtimeCodeHash } = routerArtifact;
  const before = await codeHashAt(client, address);
  if (before === runtimeCodeHash) return { address, transaction: undefined, gas: 0n };
  if (before !== undefined) throw new Error(`Other code lies at ${address}: its hash is ${before}.`);
  if ((await codeHashAt(client, CREATE2_DEPLOYER)) === undefined)
    throw new Error(`Chain ${chainId} has no deterministic deployer at ${CREATE2_DEPLOYER}.`);

  const wallet = createWalletClient({ chain, transport });
  const account: Account | Hex | undefined =
    key === undefined ? (await wallet.getAddresses())[0] : privateKeyToAccount(key);
  if (account === undefined) throw new Error("Set DEPLOYER_KEY: the node has no account of its own.");
  const data = concatHex([routerArtifact.salt, routerArtifact.initCode]);
  const transaction = await wallet.sendTransaction({ account, chain, to: CREATE2_DEPLOYER, data });
  const receipt = await client.waitForTransactionReceipt({ hash: transaction });
  if (receipt.status !== "success") throw new Error(`Transaction ${transaction} reverted.`);
  const after = await codeHashAt(client, address);
  if (after !== runtimeCodeHash)
    throw new Error(`The code at ${address} has hash ${after}, not ${runtimeCodeHash}.`);
  return { address, transaction, gas: receipt.gasUsed };
}

function readOptions(): DeployOptions {
  const { values } = readFlags({ options: { chain: { type: "string" }, rpc: { type: "string" } } });
  const chainId = wholeNumber("chain", values.chain, 1);
  const url = values.rpc ?? process.env[`RPC_URL_${chainId}`]?.split(",")[0];
  if (url === undefined) refuse(`--rpc: where is the node? Or set RPC_URL_${chainId}`);
  const key = process.env.DEPLOYER_KEY || undefined;
  if (key !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(key))
    refuse("DEPLOYER_KEY is no private key: 0x and 64 hex digits");
  return { chainId, url: addressFlag("rpc", url), key: key as Hex | undefined };
}

if (import.meta.main) {
  try {
    const { address, transaction, gas } = await deploy(readOptions());
    if (transaction === undefined) console.log(`Already there: ${address}`);
    else console.log(`Deployed: ${address}\nTransaction: ${transaction}\nGas: ${gas}`);
    console.log(`Code hash: ${routerArtifact.runtimeCodeHash}, verified`);
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
}
