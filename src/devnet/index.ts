import type { Address, Chain } from "../core/types.ts";
import { wholePlan } from "./build.ts";
import { launch } from "./node/launch.ts";
import { keepAlive } from "./node/life.ts";
import { claimPort } from "./node/port.ts";
import { ACCOUNTS, DAI, MULTICALL3, USDC, USDT, WETH } from "./plan/addresses.ts";
import { tokens } from "./plan/market.ts";
import { devnetProtocols } from "./protocols.ts";
import { stateFileOf } from "./state.ts";

export type DevnetOptions = {
  readonly chainId: number;
  /** JSON-RPC port; 0 picks a free one. */
  readonly port: number;
  readonly host?: "127.0.0.1";
  /** Folder in which the chain is saved between runs; undefined = it is not saved. */
  readonly dataDir: string | undefined;
  /** Whether a trader moves prices in every block. */
  readonly traffic: boolean;
  /** A multiple of 1000; default 1000. 0 = blocks are mined on request only (`evm_mine`). */
  readonly blockTimeMs?: number;
  readonly log: (line: string, facts?: object) => void;
  /** Logs what fails while the chain runs; `log` unless given. */
  readonly warn?: (line: string, facts?: object) => void;
};

/** A running devnet. */
export type Devnet = {
  /** JSON-RPC over HTTP; the same port also accepts WebSocket connections. */
  readonly url: string;
  readonly chain: Chain;
  /** Unlocked accounts that hold every token and have approved nothing. */
  readonly accounts: readonly Address[];
  /** Resolves with the reason if the node ends without `stop`; otherwise never. */
  readonly lost: Promise<string>;
  /** Saves the chain if there is a `dataDir`, and ends the node. */
  stop(): Promise<void>;
};

/** A devnet whose port was found and whose node is not started yet: what is known of it before. */
export type PlannedDevnet = Pick<Devnet, "url" | "chain"> & {
  /** @throws Error when anvil or a package is missing, or a check of the plan does not hold */
  start(): Promise<Devnet>;
};

/**
 * Starts an anvil chain with a market: the protocols' own bytecode at its real addresses where an npm package ships it,
 * models of the other protocols, and recorded reserves after arbitrage.
 *
 * @throws Error when the port is taken, anvil or a package is missing, or a check of the plan does not hold
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  return (await planDevnet(options)).start();
}

/** @throws Error when the port is taken */
export async function planDevnet(options: DevnetOptions): Promise<PlannedDevnet> {
  const settings: Settings = { host: "127.0.0.1", blockTimeMs: 1000, warn: options.log, ...options };
  const { chainId, host, blockTimeMs } = settings;
  if (blockTimeMs % 1000 !== 0)
    throw new Error(`The block time must be whole seconds, not ${blockTimeMs} ms.`);
  const port = await claimPort(host, settings.port);
  const chain = devnetChain(chainId, blockTimeMs || 1000);
  return { url: `http://${host}:${port}`, chain, start: () => start({ ...settings, port }, chain) };
}

type Settings = Required<DevnetOptions>;

async function start(settings: Settings, chain: Chain): Promise<Devnet> {
  const { chainId, host, port, dataDir, blockTimeMs, traffic, log, warn } = settings;
  const plan = await wholePlan();
  const stateFile = dataDir === undefined ? undefined : stateFileOf(dataDir, chainId, plan);
  const blockSeconds = chain.blockTimeMs / 1000;
  const mining = blockTimeMs > 0;
  const launched = await launch(plan, { chainId, host, port, blockSeconds, mining, stateFile, warn });

  const { url } = launched.anvil;
  const life = keepAlive(launched.anvil, plan, { mining, blockTimeMs, traffic, stateFile, warn });
  log(launched.resumed ? "The devnet goes on where it ended." : "The devnet is built.", { url, chainId });
  return { url, chain, accounts: ACCOUNTS, lost: life.lost, stop: life.stop };
}

/** The configuration of the devnet as a chain. */
export function devnetChain(id: number, blockTimeMs: number): Chain {
  return {
    id,
    name: "Braid devnet",
    shortname: "devnet",
    native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
    wrappedNative: WETH,
    multicall: MULTICALL3,
    blockTimeMs,
    dollarTokens: [USDC, USDT, DAI],
    deployments: devnetProtocols.flatMap(({ deployments }) => deployments),
    vettedTokens: tokens.filter(({ kind }) => kind !== "fee").map(({ address }) => address),
  };
}
