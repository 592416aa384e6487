import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Hex } from "../core/types.ts";
import { canonical, type SavedHeader } from "./canonical.ts";
import { TRADER } from "./plan/addresses.ts";
import type { DevnetPlan } from "./plan/plan.ts";
import type { Rpc } from "./rpc.ts";

/** What is read of anvil's state file; the rest is carried along. */
type Chain = {
  best_block_number: number;
  blocks: { header: SavedHeader }[];
  transactions: { block_number: number; info: { from: Hex; traces: { children: unknown[] }[] } }[];
};

type Thinnable = Pick<Chain, "best_block_number" | "transactions"> & {
  blocks: { header: Pick<SavedHeader, "number"> }[];
};

/** The file holds no chain that can be gone on with. */
export class UnusableStateError extends Error {
  override readonly name = "UnusableStateError";
}

/** Blocks of the recent past that are always kept: more than a follower of the chain walks back. */
const RECENT_BLOCKS = 512;

/**
 * Where a chain is kept. The name carries a fingerprint of the plan: another version of the devnet starts its own chain
 * and leaves this one alone.
 */
export function stateFileOf(dataDir: string, chainId: number, plan: DevnetPlan): string {
  const text = JSON.stringify(plan, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  const fingerprint = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return join(dataDir, `devnet-${chainId}-${fingerprint}.json`);
}

/** Saves the whole chain: accounts, blocks, transactions, receipts. The file is replaced at once or not at all. */
export async function saveState(rpc: Rpc, file: string): Promise<void> {
  const dump = await rpc.call<Hex>("anvil_dumpState");
  const content = await promisify(gunzip)(Buffer.from(dump.slice(2), "hex"));
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  // Not forced to the disk: after a power cut the file may be unusable, and is then set aside.
  await writeFile(temporary, content);
  await rename(temporary, file);
}

/**
 * Writes what a node is to load: the saved chain without blocks of other chains and without ballast.
 *
 * @throws UnusableStateError when the file is no saved chain
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
 * A second of an idle chain costs 1.6 kB, a traded one more. Left out are old blocks in which at most the trader did
 * something, and call traces below the first level. What a user sent and every creation of a pool stay.
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

/** Moves a file that cannot be used out of the way and returns its new name. */
export async function setAside(file: string): Promise<string> {
  const aside = `${file}.unreadable`;
  await rename(file, aside);
  return aside;
}
