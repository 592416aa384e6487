/**
 * npm run replay -- ID [--url http://127.0.0.1:8080] [--chain 31337] [--rpc URL] [--recipient ADDRESS] [--api-key KEY]
 * [--block-time-ms 1000] [--json]
 *
 * Asks a service how an answer came about, builds the market of that block anew from a node, makes the same request of it, and
 * compares states, route, amounts and calldata: amounts to the wei, and the shares of a route's legs within 0.01 %, as pools of nearly the
 * same price may divide an order otherwise and pay the same in sum. The calldata is that of the recorded shares. The node must have the state of the block: the devnet's own, or an archive node.
 * Exit code 0 where all are the same, or the search had run out of time; 1 where one differs; 2 where it cannot be replayed.
 */

import { chains } from "../../src/chains/index.ts";
import type { Address, Chain } from "../../src/core/types.ts";
import { devnetChain } from "../../src/devnet/index.ts";
import { addressFlag, originOf, readFlags, reasonOf, refuse, wholeNumber } from "../command-line.ts";
import { type Recorded, type Replayed, replay } from "./run.ts";

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const options = {
  url: { type: "string", default: "http://127.0.0.1:8080" },
  chain: { type: "string", default: "31337" },
  rpc: { type: "string" },
  recipient: { type: "string" },
  "api-key": { type: "string" },
  "block-time-ms": { type: "string", default: "1000" },
  json: { type: "boolean", default: false },
} as const;
const { values, positionals } = readFlags({ options, allowPositionals: true });
const [id, ...more] = positionals;
if (more.length > 0) refuse(`One quote is replayed at a time, not also "${more.join(" ")}".`);
const url = addressFlag("url", values.url).replace(/\/$/, "");
if (values.rpc !== undefined) addressFlag("rpc", values.rpc);
if (values.recipient !== undefined && !/^0x[0-9a-f]{40}$/i.test(values.recipient))
  refuse(`--recipient: an address is wanted, not "${values.recipient}"`);
if (id === undefined || !/^[0-9a-f]{32}$/i.test(id))
  refuse(`The id of a quote is wanted, 32 hex digits, not "${id ?? ""}".`);
const key = values["api-key"];

/** An answer of the service. */
async function ask(path: string): Promise<unknown> {
  const headers: Record<string, string> = key === undefined ? {} : { "x-api-key": key };
  const response = await fetch(`${url}${path}`, { headers }).catch((error: unknown) =>
    fail(`--url: ${originOf(url)} does not answer: ${reasonOf(error)}. Is the service started (npm start)?`),
  );
  const json = (await response.json().catch(() => fail(`--url: ${originOf(url)} answers no JSON`))) as {
    error?: string;
  };
  return response.ok ? json : fail(`${response.status}: ${json.error ?? "no service of Braid answers"}`);
}

type Platform = { readonly chainId: number; readonly devnet_rpc_url?: string };

async function chainOf(chainId: number): Promise<{ chain: Chain; rpc: string }> {
  const { platforms } = (await ask("/v1/platforms")) as { platforms: Platform[] };
  const devnet = platforms.find((one) => one.chainId === chainId)?.devnet_rpc_url;
  const rpc = values.rpc ?? devnet ?? fail("--rpc: name a node that has the state of the block.");
  const chain =
    devnet === undefined
      ? chains.find((one) => one.id === chainId)
      : devnetChain(chainId, wholeNumber("block-time-ms", values["block-time-ms"], 1));
  return { chain: chain ?? fail(`--chain: no file describes chain ${chainId}`), rpc };
}

const recorded = (await ask(`/v1/${values.chain}/quotes/${id}`)) as Recorded;
const { chain, rpc } = await chainOf(wholeNumber("chain", values.chain, 1));
const recipient = values.recipient?.toLowerCase() as Address | undefined;
const replayed = await replay({ recorded, chain, rpc, recipient }).catch((error: unknown) =>
  fail(`It cannot be replayed: ${reasonOf(error)}`),
);
const { offer, otherStates, ...parts } = replayed;
const isSame = Object.values(parts).every((part) => part !== false);
process.stdout.write(
  values.json
    ? `${JSON.stringify({ ...replayed, complete: recorded.complete })}\n`
    : `${told(parts).join("\n")}\n`,
);
process.exitCode = isSame || !recorded.complete ? 0 : 1;

function told(all: Omit<Replayed, "offer" | "otherStates">): string[] {
  const word = (part: boolean | null) =>
    part === null ? "nothing to compare" : part ? "the same" : "DIFFERS";
  const others = otherStates.map((state) => `          state ${state} was another`);
  const lines = Object.entries(all).map(([name, part]) => `${name.padEnd(9)} ${word(part)}`);
  const paid = `amount out ${offer.amount_out_total}, recorded ${recorded.amount_out_total}`;
  const late = recorded.complete ? [] : ["The search had run out of time, so another route may come out."];
  return [
    `block ${recorded.block_number}, ${recorded.steps.length} legs`,
    ...lines,
    ...others,
    paid,
    ...late,
  ];
}
