import type { IncomingMessage, ServerResponse } from "node:http";
import { isScript, onOrphaned } from "../../src/orphan.ts";
import { createChain } from "../../test/chain/blocks/chain.ts";
import { MAINNET_SIZES, type Sizes } from "../../test/chain/model/universe.ts";
import { createBackend } from "../../test/chain/node/backend.ts";
import { startFakeNode } from "../../test/chain/node/fake-node.ts";
import { profileOf, profiles } from "../../test/chain/node/profiles.ts";
import { FAULTS, type Fault } from "../../test/chain/node/spoil.ts";
import { portNumber, readFlags, refuse, wholeNumber } from "../command-line.ts";

/** `npm run fake-chain -- --profile alchemy-free --port 8545`: a chain like mainnet behind an endpoint like a provider's. */

const USAGE = `npm run fake-chain -- [--profile ${[...profiles.keys()].join("|")}] [--port N] [--seed N]
  [--size PERCENT] [--block-time SECONDS, 0 = on command] [--chain-id N] [--genesis HASH]
commands: POST /mine, /reorg?depth=3, /lag?blocks=20, /cut, /push, /fault?kind=${FAULTS.join("|")}; GET /stats`;
const config = {
  options: {
    profile: { type: "string", default: "local" },
    port: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    /** Share of mainnet's number of pools, in percent. */
    size: { type: "string", default: "100" },
    "block-time": { type: "string", default: "12" },
    "chain-id": { type: "string", default: "1" },
    genesis: { type: "string" },
  },
} as const;
const { values } = readFlags(config, USAGE);

function number(name: "size" | "block-time"): number {
  const value = Number(values[name]);
  if (values[name].trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  return refuse(`--${name}: a number of at least 0 is wanted, not "${values[name]}"`);
}

const port = portNumber(values.port);
const seed = wholeNumber("seed", values.seed, 0);
const chainId = wholeNumber("chain-id", values["chain-id"], 1);
const blockTimeMs = number("block-time") * 1000;
if (values.genesis !== undefined && !/^0x[0-9a-f]{64}$/.test(values.genesis))
  refuse(`--genesis: a hash in lower case is wanted, not "${values.genesis}"`);
if (!profiles.has(values.profile))
  refuse(`--profile: one of ${[...profiles.keys()].join(", ")} is wanted, not "${values.profile}"`);

// npm passes no signal on to a script, and a bench that is killed ends none that it started.
if (isScript()) onOrphaned(() => process.exit());
const share = number("size") / 100;
const scaled = (count: number) => Math.max(20, Math.round(count * share));
const sizes: Sizes = {
  v2: scaled(MAINNET_SIZES.v2),
  v3: scaled(MAINNET_SIZES.v3),
  v4: scaled(MAINNET_SIZES.v4),
};
const profile = profileOf(values.profile);
console.log(`building ${sizes.v2} pairs, ${sizes.v3} v3 pools, ${sizes.v4} v4 pools from seed ${seed} …`);
const chain = createChain({
  seed,
  sizes,
  chainId,
  ...(values.genesis === undefined ? {} : { genesis: values.genesis as `0x${string}` }),
});
const node = await startFakeNode(createBackend(chain, profile), { port, profile, control });
chain.onBlock(() => node.push());
if (blockTimeMs > 0) setInterval(() => chain.mine(), blockTimeMs);
console.log(`profile ${profile.name}: ${profile.perSecond || "unlimited"} items/s, ${profile.latencyMs} ms`);
console.log(`node ${node.url}, chain id ${chain.chainId}, block ${chain.head().number}`);
console.log(`try  RPC_URL_${chain.chainId}=${node.url} npm start`);

/** Commands for operators; they answer with what the node is like afterwards. */
function control(request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? "/", node.url);
  const run = commands[pathname];
  if (run === undefined) return false;
  try {
    run(searchParams);
    const { fault, lag, traffic, asked } = node;
    const facts = { block: chain.head().number, fault, lag, traffic, asked: Object.fromEntries(asked) };
    response.setHeader("content-type", "application/json");
    response.end(`${JSON.stringify(facts)}\n`);
  } catch (error) {
    response.writeHead(400).end(`${(error as Error).message}\n`);
  }
  return true;
}

type Command = (params: URLSearchParams) => void;

const commands: Readonly<Record<string, Command>> = {
  "/stats": () => undefined,
  "/mine": () => void chain.mine(),
  "/reorg": (params) => void chain.reorg(Number(params.get("depth") ?? 1)),
  "/lag": (params) => {
    node.lag = Number(params.get("blocks") ?? 0);
  },
  "/cut": () => node.cut(),
  "/push": (params) => {
    node.pushes = params.get("on") !== "0";
  },
  "/fault": (params) => {
    const kind = params.get("kind") ?? "none";
    if (!FAULTS.includes(kind as Fault)) throw new Error(`kind=${kind}: one of ${FAULTS.join(", ")}`);
    node.fault = kind as Fault;
  },
};
