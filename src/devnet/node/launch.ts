import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { routerArtifact } from "../../core/encoding/router-artifact.ts";
import type { Hex } from "../../core/types.ts";
import { buildMarket, writeGenesis } from "../build.ts";
import { DEPLOYER, TRADER } from "../plan/addresses.ts";
import type { DevnetPlan } from "../plan/plan.ts";
import { deployRouter } from "../router.ts";
import { quantity, type Rpc } from "../rpc.ts";
import { setAside, UnusableStateError, writeLoadable } from "../state.ts";
import { type Anvil, AnvilStartError, inPrivateFolder, startAnvil } from "./anvil.ts";
import { handMiningOver } from "./mining.ts";
import { holdBaseFee } from "./pulse.ts";

type LaunchOptions = {
  readonly chainId: number;
  readonly host: string;
  readonly port: number;
  /** Difference of the timestamps of consecutive blocks. */
  readonly blockSeconds: number;
  /** Whether blocks are mined automatically after the launch. */
  readonly mining: boolean;
  /** State file of a chain to resume; it may not exist yet. Undefined = the chain is not saved. */
  readonly stateFile: string | undefined;
  readonly warn: (line: string, facts?: object) => void;
};

const BLOCK_GAS_LIMIT = 36_000_000;

/** Number of newest blocks whose states can be read, as on a pruned Ethereum node. Each takes 1.3 MB of memory. */
const STATES_KEPT = 128;

/** A node with the market, and whether its chain was resumed from a file. */
type Launched = { readonly anvil: Anvil; readonly resumed: boolean };

/**
 * Resumes the saved chain, or builds a new one where there is no usable file.
 *
 * @throws Error when the node does not start or the market cannot be built
 */
export async function launch(plan: DevnetPlan, options: LaunchOptions): Promise<Launched> {
  const { stateFile } = options;
  if (stateFile !== undefined && existsSync(stateFile)) {
    const anvil = await resume(plan, options, stateFile);
    if (anvil !== undefined) return { anvil, resumed: true };
  }
  return { anvil: await build(plan, options), resumed: false };
}

async function build(plan: DevnetPlan, options: LaunchOptions): Promise<Anvil> {
  const anvil = await inPrivateFolder(async (home) => {
    const genesis = await writeGenesis(plan, options.chainId, home);
    return startNode(options, home, ["--init", genesis], ["--gas-limit", "2000000000", "--base-fee", "0"]);
  });
  return orKill(anvil, async () => {
    await prepare(anvil.rpc, options.blockSeconds);
    await buildMarket(anvil.rpc, plan);
    await open(anvil.rpc, options);
  });
}

async function resume(plan: DevnetPlan, options: LaunchOptions, file: string): Promise<Anvil | undefined> {
  try {
    const anvil = await inPrivateFolder(async (home) => {
      const loadable = join(home, "state.json");
      await writeLoadable(file, loadable);
      return startNode(options, home, ["--load-state", loadable]);
    });
    return await orKill(anvil, async () => {
      await requireCode(anvil.rpc, plan);
      await prepare(anvil.rpc, options.blockSeconds);
      await open(anvil.rpc, options);
    });
  } catch (error) {
    if (!isFaultOfTheFile(error)) throw error;
    const facts = { file: await setAside(file), reason: error.message };
    options.warn("The saved devnet cannot be used. It was set aside and a new one is built.", facts);
    return undefined;
  }
}

/**
 * Whether the file is the cause. A node that ends before its first answer could not load it, unless the port is taken.
 */
function isFaultOfTheFile(error: unknown): error is Error {
  if (error instanceof AnvilStartError) return !/address already in use/i.test(error.output);
  return error instanceof UnusableStateError;
}

/** @param begins flag and path of the file that the node begins with, which is removed once the node has read it */
async function startNode(
  options: LaunchOptions,
  home: string,
  begins: readonly [flag: string, file: string],
  more: readonly string[] = [],
): Promise<Anvil> {
  const { chainId, host, port } = options;
  const common = ["--chain-id", String(chainId), "--balance", "200000", "--no-mining"];
  const limits = ["--no-request-size-limit", "--prune-history", String(STATES_KEPT)];
  const anvil = await startAnvil({ host, port, arguments: [...common, ...limits, ...begins, ...more] }, home);
  // The folder stays behind where this process is killed, and the file has megabytes.
  await rm(begins[1]);
  return anvil;
}

async function orKill(anvil: Anvil, work: () => Promise<void>): Promise<Anvil> {
  try {
    await work();
    return anvil;
  } catch (error) {
    await anvil.kill();
    throw error;
  }
}

async function prepare(rpc: Rpc, blockSeconds: number): Promise<void> {
  for (const account of [DEPLOYER, TRADER]) await rpc.call("anvil_impersonateAccount", [account]);
  // A fixed interval, so that the timestamp of the next block is known before it is mined.
  await rpc.call("anvil_setBlockTimestampInterval", [blockSeconds]);
}

/** Prepares a built or loaded chain for users: router, gas limit, base fee, current time and mining. */
async function open(rpc: Rpc, { mining }: LaunchOptions): Promise<void> {
  await deployRouter(rpc, routerArtifact);
  await rpc.call("evm_setBlockGasLimit", [quantity(BLOCK_GAS_LIMIT)]);
  await holdBaseFee(rpc);
  await catchUp(rpc);
  if (mining) await handMiningOver(rpc);
}

/** Mines one block at the current time, because a chain that was built or resumed is behind the clock. */
async function catchUp(rpc: Rpc): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const head = await rpc.call<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  await rpc.call("evm_mine", [{ timestamp: Math.max(now, Number(head.timestamp) + 1) }]);
}

async function requireCode(rpc: Rpc, plan: DevnetPlan): Promise<void> {
  const codes = await rpc.batch<Hex>(
    plan.contracts.map(({ address }) => ({ method: "eth_getCode", params: [address, "latest"] })),
  );
  const missing = plan.contracts.find((_, index) => codes[index] === "0x");
  if (missing !== undefined) throw new UnusableStateError(`There is no contract at ${missing.address}.`);
}
