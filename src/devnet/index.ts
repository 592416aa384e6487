import type { Address, Chain } from "../core/types.ts";
import { ACCOUNTS, MULTICALL3, WETH } from "./addresses.ts";
import { type Anvil, privateFolder, startAnvil } from "./anvil.ts";
import { buildMarket, wholePlan, writeGenesis } from "./build.ts";
import { holdBaseFee, startHeartbeat } from "./heartbeat.ts";
import type { DevnetPlan } from "./plan.ts";
import { claimPort } from "./port.ts";
import { devnetProtocols } from "./protocols.ts";

export type DevnetOptions = {
  readonly chainId: number;
  /** 0 = any that is free. */
  readonly port: number;
  readonly host?: "127.0.0.1";
  /** Where the chain is kept between runs; undefined = nowhere. */
  readonly dataDir: string | undefined;
  /** Whether a trader moves prices in every block. */
  readonly traffic: boolean;
  /** 1000 unless given; 0 = a block is mined only when the node is asked (`evm_mine`). */
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
  /** Saves the chain where `dataDir` is given, and ends the node. */
  stop(): Promise<void>;
};

/**
 * Starts a chain with a real market on it: real bytecode at its real addresses, real reserves.
 *
 * @throws Error when the port is taken, anvil or a package is missing, or the chain is not what was planned
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { chainId, host = "127.0.0.1", blockTimeMs = 1000, log } = options;
  const port = await claimPort(host, options.port);
  const plan = await wholePlan();
  const anvil = await freshNode(plan, { chainId, host, port });
  try {
    await buildMarket(anvil.rpc, plan);
    await holdBaseFee(anvil.rpc);
  } catch (error) {
    await anvil.kill();
    throw error;
  }
  const heartbeat =
    blockTimeMs === 0
      ? undefined
      : startHeartbeat({
          rpc: anvil.rpc,
          blockTimeMs,
          beforeBlock: async () => undefined,
          onError: (error) => log("The devnet could not mine a block.", { error: String(error) }),
        });
  return {
    url: anvil.url,
    chain: devnetChain(chainId, blockTimeMs === 0 ? 1000 : blockTimeMs),
    accounts: ACCOUNTS,
    stop: async () => {
      await heartbeat?.stop();
      await anvil.kill();
    },
  };
}

async function freshNode(
  plan: DevnetPlan,
  { chainId, host, port }: { chainId: number; host: string; port: number },
): Promise<Anvil> {
  const home = privateFolder();
  const genesis = await writeGenesis(plan, chainId, home);
  const options = [
    ...["--chain-id", String(chainId), "--init", genesis, "--no-mining", "--balance", "200000"],
    ...["--gas-limit", "2000000000", "--base-fee", "0", "--no-request-size-limit", "--prune-history", "256"],
  ];
  return startAnvil({ host, port, arguments: options }, home);
}

function devnetChain(id: number, blockTimeMs: number): Chain {
  return {
    id,
    name: "Braid devnet",
    shortname: "devnet",
    native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
    wrappedNative: WETH,
    multicall: MULTICALL3,
    blockTimeMs,
    deployments: devnetProtocols.flatMap(({ deployments }) => deployments),
  };
}
