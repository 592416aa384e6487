import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Hex } from "../core/types.ts";
import { canonical, type SavedHeader } from "./canonical.ts";
import { TRADER } from "./plan/addresses.ts";
import type { DevnetPlan } from "./plan/plan.ts";
import type { Rpc } from "./rpc.ts";

/** The fields of anvil's state file that are read. All others are copied unchanged. */
type Chain = {
  best_block_number: number;
  blocks: { header: SavedHeader }[];
  transactions: { block_number: number; info: { from: Hex; traces: { children: unknown[] }[] } }[];
};

type Thinnable = Pick<Chain, "best_block_number" | "transactions"> & {
  blocks: { header: Pick<SavedHeader, "number"> }[];
};

/** The state file has no chain that can be resumed. */
export class UnusableStateError extends Error {
  override readonly name = "UnusableStateError";
}

/** Newest blocks that are always kept: more than an indexer walks back after a reorg. */
const RECENT_BLOCKS = 512;

/**
 * Path of the state file. Its name has a fingerprint of the plan, so that another version of the devnet starts a new
 * chain and does not touch this one.
 */
export function stateFileOf(dataDir: string, chainId: number, plan: DevnetPlan): string {
  const text = JSON.stringify(plan, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return join(dataDir, `devnet-${chainId}-${fingerprint}.json`);
}

/**
 * Saves the whole chain: accounts, blocks, transactions and receipts. The file is replaced atomically.
 *
 * @throws Error where the node does not answer or the disk is full; nothing of the new file is left then
 */
export async function saveState(rpc: Rpc, file: string): Promise<void> {
  const dump = await rpc.call<Hex>("anvil_dumpState");
  const content = await promisify(gunzip)(Buffer.from(dump.slice(2), "hex"));
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  // No fsync: after a power failure the file may be unusable, and the next start then renames it.
  try {
    await writeFile(temporary, content);
    await rename(temporary, file);
  } catch (error) {
    // On a full disk it holds the rest of the space, which the other files of the folder need.
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes the state file that a node loads: the saved chain without blocks off the canonical chain, and thinned.
 *
 * @throws UnusableStateError when the file is not a saved chain
 */
export async function writeLoadable(file: string, target: string): Promise<void> {
  const text = await readFile(file, "utf8");
  try {
    const saved = JSON.parse(text) as Chain;
    const blocks = canonical(saved.blocks);
    await writeFile(target, JSON.stringify(thinned({ ...saved, blocks })));
  } catch (error) {
    throw new UnusableStateError(String(error));
  }
}

/**
 * Drops data that nobody needs from a saved chain: old blocks without transactions other than the trader's, and call
 * traces below the first level. Transactions of users and of the build stay. Without this, a block takes 1.6 kB or
 * more.
 */
export function thinned<C extends Thinnable>(chain: C): C {
  const oldest = chain.best_block_number - RECENT_BLOCKS;
  const kept = new Set([0]);
  for (const { block_number, info } of chain.transactions) {
    if (info.from !== TRADER) kept.add(block_number);
  }
  const keeps = (number: number) => number > oldest || kept.has(number);
  return {
    ...chain,
    blocks: chain.blocks.filter(({ header }) => keeps(Number(header.number))),
    transactions: chain.transactions
      .filter(({ block_number }) => keeps(block_number))
      .map((transaction) => ({ ...transaction, info: { ...transaction.info, traces: rootOf(transaction) } })),
  };
}

function rootOf({ info }: Chain["transactions"][number]): Chain["transactions"][number]["info"]["traces"] {
  return info.traces.slice(0, 1).map((trace) => ({ ...trace, children: [] }));
}

/** Renames a file that cannot be used. @returns its new path */
export async function setAside(file: string): Promise<string> {
  const aside = `${file}.unreadable`;
  await rename(file, aside);
  return aside;
}
