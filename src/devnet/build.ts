import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Address, Hex } from "../core/types.ts";
import { verify } from "./checks.ts";
import permit2File from "./data/permit2.json" with { type: "json" };
import { genesis } from "./node/genesis.ts";
import { mine } from "./node/mine.ts";
import { placeContracts } from "./node/place.ts";
import { ACCOUNTS, DEPLOYER, MULTICALL3, PERMIT2, TRADER } from "./plan/addresses.ts";
import { walletGrants } from "./plan/market.ts";
import { multicall3CreationCode } from "./plan/packages.ts";
import type { DevnetPlan } from "./plan/plan.ts";
import { devnetProtocols } from "./protocols.ts";
import type { Rpc } from "./rpc.ts";

const ETHER = 10n ** 18n;

/**
 * Time by which block 0 is older than the build. At the default block time of a second, the build's five blocks then
 * end before the current time.
 */
const BUILD_SECONDS = 6;

/** The plans of all protocols, with Multicall3, Permit2 and the wallets' tokens, merged into one. */
export async function wholePlan(): Promise<DevnetPlan> {
  const plans = await Promise.all(devnetProtocols.map((protocol) => protocol.plan()));
  const multicall = { address: MULTICALL3, creationCode: multicall3CreationCode() };
  const permit2 = { address: PERMIT2, runtimeCode: permit2File.runtimeCode as Hex };
  return {
    contracts: [multicall, ...plans.flatMap(({ contracts }) => contracts)],
    helpers: [permit2, ...plans.flatMap(({ helpers }) => helpers)],
    grants: [...walletGrants(), ...plans.flatMap(({ grants }) => grants)],
    transactions: plans.flatMap(({ transactions }) => transactions),
    ageing: plans.flatMap(({ ageing }) => ageing),
    checks: plans.flatMap(({ checks }) => checks),
    venues: plans.flatMap(({ venues }) => venues),
  };
}

/** Writes the genesis file of a plan and returns its path. */
export async function writeGenesis(plan: DevnetPlan, chainId: number, folder: string): Promise<string> {
  const natives = new Map<Address, bigint>([
    [DEPLOYER, 1_000n * ETHER],
    [TRADER, 1_000_000n * ETHER],
    ...ACCOUNTS.map((account) => [account, 200_000n * ETHER] as const),
  ]);
  const spenders = [...new Set(plan.venues.map(({ spender }) => spender))];
  const file = join(folder, "genesis.json");
  const content = genesis({
    chainId,
    timestamp: Math.floor(Date.now() / 1000) - BUILD_SECONDS,
    helpers: plan.helpers,
    grants: plan.grants,
    approvals: spenders.map((spender) => ({ owner: TRADER, spender })),
    natives,
  });
  await writeFile(file, JSON.stringify(content)).catch((cause: Error) => {
    // The system's words of a full disk name no file.
    throw new Error(`The devnet's first block cannot be written to ${file}: ${cause.message}`, { cause });
  });
  return file;
}

/**
 * Builds the market on a fresh node: blocks 1 and 2 run the constructors, block 3 creates the pools, and block 4 uses
 * them for the first time.
 *
 * @throws Error when a transaction fails or a check of the plan does not hold
 */
export async function buildMarket(rpc: Rpc, plan: DevnetPlan): Promise<void> {
  await placeContracts(
    rpc,
    plan.contracts.filter(({ isLate }) => !isLate),
  );
  await placeContracts(
    rpc,
    plan.contracts.filter(({ isLate }) => isLate),
  );
  await mine(rpc, plan.transactions);
  await mine(rpc, plan.ageing);
  await verify(rpc, plan.checks);
}
