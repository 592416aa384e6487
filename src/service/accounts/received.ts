import { addressAt, hasWords, uintAt } from "../../core/abi.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address, Hex, Log } from "../../core/types.ts";
import type { ArchivePort, Receipt, SentTransaction } from "../ports/ports.ts";
import { firstWord } from "../wallet.ts";

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * Net amount of a token that an account gained according to the Transfer logs of a transaction, in smallest units;
 * negative where it lost. If a token logs an amount other than the one that it moves, the logged amount counts.
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

/** What an account received, and the evidence for it. */
export type Received = { readonly amount: bigint; readonly by: "transfers" | "trace" | "balance" };

/**
 * The amount of a token that a swap paid to its recipient, in smallest units. Transfers of the native coin leave no
 * logs. Where a node traces transactions, the amount is the router's return value, which is the increase of the
 * recipient's balance during the swap. Otherwise it is the change of the balance over the block, plus what the account
 * itself paid. That is unknown if the account sent other transactions in the block, and too high if others paid it in
 * the block.
 *
 * @returns undefined where the amount cannot be determined
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
