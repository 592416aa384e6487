/**
 * Lists the servers of AirSwap's on-chain registry that give orders on request, one a line: its staker, its URL, its tokens.
 * For an operator to choose from: npm run airswap-servers -- --rpc URL [--token 0x…]
 */

import { createPublicClient, type Hex, http, parseAbi } from "viem";
import { addressFlag, originOf, readFlags, reasonOf, refuse } from "../command-line.ts";

/** @source deploys.js of airswap-protocols' source/registry, a117f69c: the same on every chain with makers but Neon's two */
const REGISTRY: Hex = "0xe30e9c001defb5f0b04fd21662454a2427f4257a";
/** The protocol's id: request for quote of ERC-20 tokens. @source ProtocolIds of tools/utils/src/constants.ts */
const REQUEST_FOR_QUOTE: Hex = "0x02ad05d3";

const abi = parseAbi([
  "function getStakersForProtocol(bytes4 protocol) view returns (address[])",
  "function getServerURLsForStakers(address[] stakers) view returns (string[])",
  "function getTokensForStaker(address staker) view returns (address[])",
]);

const { values } = readFlags({ options: { rpc: { type: "string" }, token: { type: "string" } } });
if (values.token !== undefined && !/^0x[0-9a-f]{40}$/i.test(values.token))
  refuse(`--token: an address is wanted, not "${values.token}"`);
const url = addressFlag("rpc", values.rpc);
const client = createPublicClient({ transport: http(url) });
const registry = { address: REGISTRY, abi } as const;

async function list(): Promise<void> {
  const stakers = await client.readContract({
    ...registry,
    functionName: "getStakersForProtocol",
    args: [REQUEST_FOR_QUOTE],
  });
  const urls = await client.readContract({
    ...registry,
    functionName: "getServerURLsForStakers",
    args: [stakers],
  });
  for (const [k, staker] of stakers.entries()) {
    const args = [staker] as const;
    const tokens = await client.readContract({ ...registry, functionName: "getTokensForStaker", args });
    const listed = tokens.map((token) => token.toLowerCase());
    if (values.token === undefined || listed.includes(values.token.toLowerCase()))
      process.stdout.write(`${staker} ${JSON.stringify(urls[k])} ${listed.join(",")}\n`);
  }
}

await list().catch((error: unknown) => {
  process.stderr.write(`--rpc: the registry cannot be read at ${originOf(url)}: ${reasonOf(error)}\n`);
  process.exit(2);
});
