import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { Hex } from "viem";
import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";

const abi = parseAbi([
  "function getStakersForProtocol(bytes4 protocol) view returns (address[])",
  "function getServerURLsForStakers(address[] stakers) view returns (string[])",
  "function getTokensForStaker(address staker) view returns (address[])",
]);
const hex = (n: number): Hex => `0x${n.toString(16).padStart(40, "0")}`;
const [ALPHA, BETA, TOKEN, OTHER] = [hex(1), hex(2), hex(3), hex(4)];
const URLS: Record<Hex, string> = { [ALPHA]: "https://alpha.example", [BETA]: "https://beta\n.example" };

/** What the registry answers, at its address alone. */
function answer({ to, data }: { to: Hex; data: Hex }): Hex {
  if (to.toLowerCase() !== "0xe30e9c001defb5f0b04fd21662454a2427f4257a") return "0x";
  const { functionName, args } = decodeFunctionData({ abi, data });
  if (functionName === "getStakersForProtocol")
    return encodeFunctionResult({ abi, functionName, result: args[0] === "0x02ad05d3" ? [ALPHA, BETA] : [] });
  if (functionName === "getServerURLsForStakers")
    return encodeFunctionResult({
      abi,
      functionName,
      result: args[0].map((one) => URLS[one.toLowerCase() as Hex]!),
    });
  return encodeFunctionResult({ abi, functionName, result: [args[0] === ALPHA ? TOKEN : OTHER] });
}

const node = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const { id, params } = JSON.parse(body) as { id: number; params: [{ to: Hex; data: Hex }] };
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answer(params[0]) }));
});
beforeAll(() => new Promise<void>((done) => node.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => node.close(done)));

async function list(...more: readonly string[]): Promise<string[]> {
  const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const args = ["scripts/maker/airswap-servers.ts", "--rpc", rpc, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.split("\n").filter((line) => line !== "");
}

test("the registry's servers are listed with their stakers and tokens, each on one line whatever its URL holds", async () => {
  expect(await list()).toEqual([
    `${ALPHA} "https://alpha.example" ${TOKEN}`,
    `${BETA} "https://beta\\n.example" ${OTHER}`,
  ]);
  expect(await list("--token", OTHER)).toEqual([`${BETA} "https://beta\\n.example" ${OTHER}`]);
});
