import { decodeRevert, type Revert, withMinimum } from "../../core/encoding/index.ts";
import type { ArchivePort, Receipt, SentTransaction } from "../ports/ports.ts";
import { firstWord } from "../wallet.ts";

/** Why a mined transaction reverted, as far as running it again shows. */
export type RevertCause = Revert & {
  /** What the swap would have paid without its minimum, where the minimum caused the revert; smallest units. */
  readonly wouldHavePaid: bigint | undefined;
};

type Mined = SentTransaction & { readonly receipt: Receipt };

/**
 * EIP-150 withholds 1/64 of the gas from every inner call, so a call that runs out of gas leaves about that much
 * unused.
 */
const OUT_OF_GAS_PERMILLE = 970n;

/** Runs the transaction again at the end of its block, where the state may differ from the one that it ran on. */
export async function revertCause(archive: ArchivePort, sent: Mined, isSwap: boolean): Promise<RevertCause> {
  const { blockNumber, gasUsed } = sent.receipt;
  const again = await archive.run(sent, blockNumber);
  if (again?.ok === false) {
    const revert = decodeRevert(again.data);
    const isMinimum = isSwap && revert.text.includes("min return");
    const free = isMinimum
      ? await archive.run({ ...sent, data: withMinimum(sent.data, 1n) }, blockNumber)
      : undefined;
    return { ...revert, wouldHavePaid: free?.ok === true ? firstWord(free.data) : undefined };
  }
  const ranOut = gasUsed * 1000n >= sent.gasLimit * OUT_OF_GAS_PERMILLE;
  const [name, text] = ranOut ? OUT_OF_GAS : again === undefined ? NOT_KEPT : MOVED_ON;
  return { name, text, values: {}, wouldHavePaid: undefined };
}

const OUT_OF_GAS = [
  "OutOfGas",
  "The transaction ran out of gas: send it with the gas limit of the quote.",
] as const;
const NOT_KEPT = ["Unknown", "No node has kept the state that would tell the reason."] as const;
const MOVED_ON = [
  "Unknown",
  "The same transaction succeeds at the end of its block: the state that it met within the block was another one.",
] as const;
