import type { Abi, Hex } from "viem";
import { encodeDeployData, getContractAddress } from "viem/utils";
import { vi } from "vitest";
import { compile } from "../../scripts/contracts/build-contracts.ts";
import type { Address } from "../../src/core/types.ts";
import { ACCOUNTS } from "../../src/devnet/plan/addresses.ts";
import { type Stack, startStack } from "../support/stack.ts";

export const PATIENT = { timeout: 30_000, interval: 100 };
export const OWNER: Address = ACCOUNTS[0]!;

export type Sent = { readonly from?: Address; readonly to?: Address; readonly data: Hex };

/** A service on a devnet whose blocks come when they are asked for, and a node that sends for its own accounts. */
export type HostileChain = {
  readonly stack: Stack;
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  /** What the API answers to a path. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
  get(path: string): Promise<any>;
  /** Sends transactions in blocks of their own, and waits until the service has the last one. @throws Error where one reverts */
  send(...transactions: readonly Sent[]): Promise<void>;
  /** Deploys a contract of a file of this folder, by the first account. */
  deploy(file: string, name: string, args?: readonly unknown[]): Promise<Address>;
};

export async function startHostileChain(): Promise<HostileChain> {
  // A busy machine may not end searches early: offers are compared to the unit.
  const stack = await startStack({ DEVNET_BLOCK_TIME_MS: "0", ROUTE_BUDGET_MS: "10000" });
  const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(stack.rpc, { method: "POST", headers, body });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const get: HostileChain["get"] = async (path) => (await fetch(`${stack.url}${path}`)).json();
  const send = async (...transactions: readonly Sent[]): Promise<void> => {
    for (const one of transactions) {
      const hash = await rpc<Hex>("eth_sendTransaction", { from: OWNER, gas: "0x7a1200", ...one });
      await rpc("evm_mine");
      const receipt = await rpc<{ status: Hex }>("eth_getTransactionReceipt", hash);
      if (receipt.status !== "0x1")
        throw new Error(`A transaction of the test reverted: ${JSON.stringify(one)}`);
    }
    const block = Number(await rpc<Hex>("eth_blockNumber"));
    await vi.waitUntil(async () => (await get("/health")).chains[0].block_number === block, PATIENT);
  };
  const deploy: HostileChain["deploy"] = async (file, name, args = []) => {
    const { abi, initCode } = compile(`../test/process/${file}`, name);
    const nonce = BigInt(await rpc<Hex>("eth_getTransactionCount", OWNER, "latest"));
    await send({ data: encodeDeployData({ abi: abi as Abi, bytecode: initCode, args }) });
    return getContractAddress({ from: OWNER, nonce }).toLowerCase() as Address;
  };
  return { stack, rpc, get, send, deploy };
}
