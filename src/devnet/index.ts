import { routerArtifact } from "../core/encoding/router-artifact.ts";
import type { Address, Chain, Hex } from "../core/types.ts";
import { ACCOUNTS, MULTICALL3, WETH } from "./addresses.ts";
import { wholePlan } from "./build.ts";
import { launch } from "./launch.ts";
import type { DevnetPlan } from "./plan.ts";
import { claimPort } from "./port.ts";
import { devnetProtocols } from "./protocols.ts";
import { holdBaseFee, startPulse } from "./pulse.ts";
import { deployRouter } from "./router.ts";
import { quantity, type Rpc } from "./rpc.ts";
import { startSaving } from "./saving.ts";
import { stateFile } from "./state.ts";
import { sendTraffic } from "./traffic.ts";

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
  /** Saves the chain where `dataDir` is given, and ends the node. */
  stop(): Promise<void>;
};

type Settings = Required<Omit<DevnetOptions, "dataDir">>;
type Part = { stop(): Promise<void> };

const BLOCK_GAS_LIMIT = 36_000_000;

/**
 * Starts a chain with a real market on it: real bytecode at its real addresses, real reserves.
 *
 * @throws Error when the port is taken, anvil or a package is missing, or the chain is not what was planned
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const settings: Settings = { host: "127.0.0.1", blockTimeMs: 1000, ...options };
  const { chainId, host, blockTimeMs, log } = settings;
  if (blockTimeMs % 1000 !== 0)
    throw new Error(`The block time must be whole seconds, not ${blockTimeMs} ms.`);

  const port = await claimPort(host, settings.port);
  const plan = await wholePlan();
  const file = options.dataDir === undefined ? undefined : stateFile(options.dataDir, chainId, plan);
  const chain = devnetChain(chainId, blockTimeMs || 1000);
  const blockSeconds = chain.blockTimeMs / 1000;
  const { anvil, resumed } = await launch(plan, { chainId, host, port, blockSeconds, stateFile: file, log });

  const parts: Part[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    for (const part of parts.splice(0).reverse()) await part.stop();
    await anvil.kill();
  };
  anvil.ended.then((reason) => stopping || log("The devnet's node is gone.", { reason }));
  try {
    await finishChain(anvil.rpc);
    if (file !== undefined) parts.push(startSaving(anvil.rpc, file, complain(log, "could not be saved")));
    if (blockTimeMs > 0) parts.push(await startBlocks(anvil.rpc, plan, settings));
  } catch (error) {
    await stop();
    throw error;
  }
  log(resumed ? "The devnet goes on where it ended." : "The devnet is built.", { url: anvil.url, chainId });
  return { url: anvil.url, chain, accounts: ACCOUNTS, stop };
}

/** What a chain needs on every start, whether it was built or loaded. */
async function finishChain(rpc: Rpc): Promise<void> {
  await deployRouter(rpc, routerArtifact);
  await rpc.call("evm_setBlockGasLimit", [quantity(BLOCK_GAS_LIMIT)]);
  await holdBaseFee(rpc);
  await catchUp(rpc);
}

/**
 * Mines one block with the terms that hold from here on. It has the time of the clock: a chain that was being built, or
 * has slept, is behind it.
 */
async function catchUp(rpc: Rpc): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const head = await rpc.call<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  await rpc.call("evm_mine", [{ timestamp: Math.max(now, Number(head.timestamp) + 1) }]);
}

async function startBlocks(rpc: Rpc, plan: DevnetPlan, settings: Settings): Promise<Part> {
  const { blockTimeMs, traffic, log } = settings;
  await rpc.call("evm_setIntervalMining", [blockTimeMs / 1000]);
  return startPulse({
    rpc,
    blockTimeMs,
    onHead: async (head) => {
      if (traffic) await sendTraffic(rpc, plan.venues, head + 1);
    },
    onError: complain(log, "does not answer"),
  });
}

function complain(log: Settings["log"], what: string): (error: unknown) => void {
  return (error) => log(`The devnet ${what}.`, { error: String(error) });
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
