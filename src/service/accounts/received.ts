import { addressAt, hasWords, uintAt } from "../../core/abi.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address, Hex, Log } from "../../core/types.ts";
import type { ArchivePort, Receipt, SentTransaction } from "../ports/ports.ts";
import { firstWord } from "../wallet.ts";

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * What an account gained of a token by the logs of a transaction, in smallest units; below 0 where it lost. A token whose
 * transfers log another amount than they move is told by its logs.
 *
 * @source EIP-20; logs with an indexed amount, as of NFTs, have a fourth topic and are no transfers of amounts
 */
export function gainedByLogs(logs: readonly Log[], token: Address, account: Address): bigint {
  let gained = 0n;
  for (const { address, topics, data } of logs) {
    if (address !== token || topics[0] !== TRANSFER || topics.length !== 3 || !hasWords(data, 1)) continue;
    if (addressAt(topics[2]!, 0) === account) gained += uintAt(data, 0);
    if (addressAt(topics[1]!, 0) === account) gained -= uintAt(data, 0);
  }
  return gained;
}

type Mined = SentTransaction & { readonly receipt: Receipt };

/** What an account received, and how that is known. */
export type Received = { readonly amount: bigint; readonly by: "transfers" | "trace" | "balance" };

/**
 * What a swap paid its recipient of a token. Transfers of the native coin leave no logs: where a node traces transactions it
 * is what the router answered, by which the recipient's balance grew during the swap. Else it is what the balance grew by in
 * the block, less what the account paid itself: unknown where it sent something else in that block, and too much where
 * others paid it in that block.
 *
 * @returns undefined where that cannot be told
 */
export async function received(
  archive: ArchivePort,
  sent: Mined,
  token: Address,
  account: Address,
): Promise<Received | undefined> {
  if (!isNative(token)) return { amount: gainedByLogs(sent.receipt.logs, token, account), by: "transfers" };
  const answer = await archive.answer(sent.hash);
  const answered = answer && firstWord(answer);
  if (answered !== undefined) return { amount: answered, by: "trace" };
  const { blockNumber, gasUsed, gasPriceWei } = sent.receipt;
  const [before, after] = await Promise.all([
    archive.account(account, blockNumber - 1),
    archive.account(account, blockNumber),
  ]);
  if (before === undefined || after === undefined) return undefined;
  const isSender = sent.from === account;
  if (after.nonce - before.nonce !== (isSender ? 1 : 0)) return undefined;
  const paid = isSender ? gasUsed * gasPriceWei + sent.value : 0n;
  return { amount: after.balance - before.balance + paid, by: "balance" };
}
