import { refuse } from "../error.ts";
import { type Hex, NATIVE, sameAddress } from "../hex.ts";
import { encodeAllowance, encodeBalanceOf } from "../quote/calldata.ts";
import type { Transaction, Wallet } from "./wallet.ts";

/** The fields of a JSON-RPC receipt that are used. */
export type Receipt = {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly from: Hex;
  readonly blockNumber: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice?: Hex;
  /** Data fee in wei, on rollups. */
  readonly l1Fee?: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
};

/** keccak256 of Transfer(address,address,uint256) */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** keccak256 of Approval(address,address,uint256) */
const APPROVAL = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";

export async function chainOf({ rpc }: Wallet): Promise<number> {
  return Number(quantity("eth_chainId", await rpc("eth_chainId", [])));
}

/** The newest block of the wallet's node. */
export async function blockOf({ rpc }: Wallet): Promise<number> {
  return Number(quantity("eth_blockNumber", await rpc("eth_blockNumber", [])));
}

/**
 * Requires that the wallet is on the chain of the swap. Its owner may change the chain at any time, and the router's
 * address may have no code on another chain, where value that is sent to it is lost.
 *
 * @param text the message of the error; undefined = one that names both chains
 * @throws BraidError WRONG_CHAIN
 */
export async function requireChain(wallet: Wallet, chainID: number, text?: string): Promise<void> {
  const actual = await chainOf(wallet);
  if (actual !== chainID)
    throw refuse(
      "WRONG_CHAIN",
      text ?? `The wallet is on chain ${actual}, the swap is for chain ${chainID}.`,
    );
}

/** Timestamp of the newest block in Unix seconds, from which deadlines are computed. */
export async function chainTime({ rpc }: Wallet): Promise<number> {
  const block = (await rpc("eth_getBlockByNumber", ["latest", false])) as { timestamp: Hex } | null;
  return Number(quantity("eth_getBlockByNumber", block?.timestamp));
}

/** Balance in smallest units. @param block block parameter of JSON-RPC */
export async function balanceOf(
  wallet: Wallet,
  token: string,
  account: string,
  block = "latest",
): Promise<bigint> {
  if (sameAddress(token, NATIVE))
    return quantity("eth_getBalance", await wallet.rpc("eth_getBalance", [account, block]));
  const call = { to: token, data: encodeBalanceOf(account) };
  return wordOf(await wallet.rpc("eth_call", [call, block]));
}

/** Allowance in smallest units. @param block block parameter of JSON-RPC */
export async function allowanceOf(
  wallet: Wallet,
  token: string,
  spender: string,
  block = "latest",
): Promise<bigint> {
  const call = { to: token, data: encodeAllowance(wallet.address, spender) };
  return wordOf(await wallet.rpc("eth_call", [call, block]));
}

/** Whether the account has code. Tokens may not accept the signatures of such an account. */
export async function hasCode(wallet: Wallet): Promise<boolean> {
  return (await wallet.rpc("eth_getCode", [wallet.address, "latest"])) !== "0x";
}

/** Whether a call succeeds in the state of the newest block. */
export async function runs(wallet: Wallet, { to, data, value }: Omit<Transaction, "gas">): Promise<boolean> {
  const call = { from: wallet.address, to, data, value: `0x${value.toString(16)}` };
  return wallet.rpc("eth_call", [call, "latest"]).then(
    () => true,
    () => false,
  );
}

/** Reads an integer that a node answered. @throws BraidError WALLET_FAILED */
function quantity(method: string, answer: unknown): bigint {
  const isText = typeof answer === "string" && /^(0x[0-9a-f]+|\d+)$/i.test(answer);
  if (isText || (typeof answer === "number" && Number.isSafeInteger(answer))) return BigInt(answer);
  throw refuse("WALLET_FAILED", `The wallet's node answers ${String(answer)} to ${method}.`);
}

function wordOf(answer: unknown): bigint {
  if (typeof answer !== "string" || answer.length < 66)
    throw refuse("WALLET_FAILED", `The token answers ${String(answer)}, which is no amount.`);
  return BigInt(answer.slice(0, 66));
}

/**
 * The amount by which a transaction changed an account's balance, in smallest units. For a token it is computed from
 * the Transfer logs. For the native coin, and where the logs give less than `least`, it is the difference of the
 * balances after this block and the one before, which other transactions of the block may also have changed.
 */
export async function received(
  wallet: Wallet,
  receipt: Receipt,
  { token, account, least }: { readonly token: string; readonly account: string; readonly least: bigint },
): Promise<bigint> {
  const logged = sameAddress(token, NATIVE) ? 0n : transferred(receipt, token, account);
  if (logged >= least && logged > 0n) return logged;
  const before = `0x${(BigInt(receipt.blockNumber) - 1n).toString(16)}`;
  const [was, is] = await Promise.all([
    balanceOf(wallet, token, account, before),
    balanceOf(wallet, token, account, receipt.blockNumber),
  ]);
  const paysGas = sameAddress(token, NATIVE) && sameAddress(receipt.from, account);
  return is - was + (paysGas ? gasPaid(receipt) : 0n);
}

/** Fee in wei that the sender paid for the transaction, including the data fee of rollups. */
export function gasPaid({ gasUsed, effectiveGasPrice = "0x0", l1Fee = "0x0" }: Receipt): bigint {
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee);
}

/**
 * The allowance that a transaction set, by its Approval log.
 *
 * @returns undefined where there is none, as of tokens that log no approvals
 */
export function approvedBy(
  { logs }: Receipt,
  { token, owner, spender }: { readonly token: string; readonly owner: string; readonly spender: string },
): bigint | undefined {
  const found = logs.findLast(
    ({ address, topics }) =>
      sameAddress(address, token) &&
      topics[0] === APPROVAL &&
      topics.length === 3 &&
      names(topics[1], owner) &&
      names(topics[2], spender),
  );
  return found === undefined ? undefined : wordOf(found.data);
}

/** Whether a topic is an address. */
function names(topic: Hex | undefined, account: string): boolean {
  return topic !== undefined && sameAddress(`0x${topic.slice(26)}`, account);
}

function transferred({ logs }: Receipt, token: string, account: string): bigint {
  let sum = 0n;
  for (const { address, topics, data } of logs) {
    if (!sameAddress(address, token) || topics[0] !== TRANSFER || topics.length !== 3) continue;
    sum += (names(topics[2], account) ? wordOf(data) : 0n) - (names(topics[1], account) ? wordOf(data) : 0n);
  }
  return sum;
}
