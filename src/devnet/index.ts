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
  /** 0 = any that is free. */
  readonly port: number;
  readonly host?: "127.0.0.1";
  /** Where the chain is kept between runs; undefined = nowhere. */
  readonly dataDir: string | undefined;
  /** Whether a trader moves prices in every block. */
  readonly traffic: boolean;
  /** Whole seconds; 1000 unless given. 0 = a block is mined only when the node is asked (`evm_mine`). */
  readonly blockTimeMs?: number;
  readonly log: (line: string, facts?: object) => void;
};

/** A running devnet. */
export type Devnet = {
  /** JSON-RPC over http; the same port answers websockets. */
  readonly url: string;
  readonly chain: Chain;
  /** Unlocked and rich; nothing is approved. */
  readonly accounts: readonly Address[];
  /** Resolves with the reason if the node ends though nobody stopped it; else never. */
  readonly lost: Promise<string>;
  /** Saves the chain where `dataDir` is given, and ends the node. */
  stop(): Promise<void>;
};

/**
 * Starts a chain with a real market on it: real bytecode at its real addresses, recorded reserves as a
 * searcher leaves them.
 *
 * @throws Error when the port is taken, anvil or a package is missing, or the chain is not what was planned
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const settings: Required<DevnetOptions> = { host: "127.0.0.1", blockTimeMs: 1000, ...options };
  const { chainId, host, dataDir, blockTimeMs, log } = settings;
  if (blockTimeMs % 1000 !== 0)
    throw new Error(`The block time must be whole seconds, not ${blockTimeMs} ms.`);

  const port = await claimPort(host, settings.port);
  const plan = await wholePlan();
  const stateFile = dataDir === undefined ? undefined : stateFileOf(dataDir, chainId, plan);
  const chain = devnetChain(chainId, blockTimeMs || 1000);
  const blockSeconds = chain.blockTimeMs / 1000;
  const mining = blockTimeMs > 0;
  const launched = await launch(plan, { chainId, host, port, blockSeconds, mining, stateFile, log });

  const { url } = launched.anvil;
  const life = keepAlive(launched.anvil, plan, {
    mining,
    blockTimeMs,
    traffic: settings.traffic,
    stateFile,
    log,
  });
  log(launched.resumed ? "The devnet goes on where it ended." : "The devnet is built.", { url, chainId });
  return { url, chain, accounts: ACCOUNTS, lost: life.lost, stop: life.stop };
}

/** The devnet as a chain of its own, whatever its id. */
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
