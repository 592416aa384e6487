/**
 * npm run check-chain -- --chain 1 --rpc https://…
 *
 * Compares every record of a chain with a node: code at the factory, whether there is the block from which its logs are read, the
 * factory's answer, whether the record's init code hash predicts the pool that it named, the factory that this pool names, and whether
 * it is understood. Prints a line a record; exit code 1 where something differs, 2 where the node cannot be asked. Chain 31337 has the
 * devnet's records.
 */

import { http } from "viem";
import { chains } from "../../src/chains/index.ts";
import type { Chain, Hex } from "../../src/core/types.ts";
import { devnetChain } from "../../src/devnet/index.ts";
import { protocols } from "../../src/protocols/index.ts";
import { addressFlag, originOf, readFlags, reasonOf, refuse } from "../command-line.ts";
import { checkRecords, isWrong, type Node } from "./records.ts";

const DEVNET_ID = 31_337;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const { values } = readFlags({ options: { chain: { type: "string" }, rpc: { type: "string" } } });
if (!values.chain || !values.rpc) refuse("--chain and --rpc are wanted");

const id = Number(values.chain);
const chain: Chain =
  id === DEVNET_ID
    ? devnetChain(id, 1000)
    : (chains.find((one) => one.id === id) ?? refuse(`--chain: no file describes chain ${values.chain}`));

const url = addressFlag("rpc", values.rpc);
const { request } = http(url, { retryCount: 3 })({});
const ask = <T>(method: string, params: readonly unknown[]) => request({ method, params }) as Promise<T>;

/** A call that reverts is an answer; a node that cannot be asked is not. */
const isRevert = (error: unknown) => /revert|execution|invalid opcode|out of gas/i.test(String(error));

async function open(): Promise<Node> {
  const nodeId = Number(await ask<Hex>("eth_chainId", []));
  if (nodeId !== id) fail(`--rpc: the node is of chain ${nodeId}, not ${id}`);
  const block = await ask<{ number: Hex; timestamp: Hex } | null>("eth_getBlockByNumber", ["latest", false]);
  if (block === null) fail("--rpc: the node has no block");
  return {
    codeAt: (address) => ask<Hex>("eth_getCode", [address, "latest"]),
    call: ({ to, data }) =>
      ask<Hex>("eth_call", [{ to, data }, "latest"]).catch((error: unknown) => {
        if (isRevert(error)) return "0x" as const;
        throw error;
      }),
    at: { blockNumber: Number(block.number), timestamp: Number(block.timestamp) },
  };
}

const checks = await open()
  .then((node) => checkRecords(chain, protocols, node))
  .catch((error: unknown) => fail(`--rpc: the node at ${originOf(url)} cannot be asked: ${reasonOf(error)}`));
const rows = checks.map(({ id: record, findings }) => ({
  record,
  ...Object.fromEntries(
    Object.entries(findings).map(([name, { kind, text }]) => [
      name,
      kind === "different" ? `DIFFERS: ${text}` : text,
    ]),
  ),
}));
console.table(rows);
const wrong = checks.filter(isWrong);
console.log(`${checks.length} records of ${chain.name}, ${wrong.length} differ`);
process.exitCode = wrong.length > 0 ? 1 : 0;
