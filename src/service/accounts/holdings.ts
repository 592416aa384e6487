import { callData } from "../../core/abi.ts";
import { encodeAllowance, encodeBalanceOf } from "../../core/encoding/index.ts";
import { isNative, MAX_UINT256, ZERO_ADDRESS } from "../../core/tokens.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import { type DollarPrice, dollarPrice, usdPerWei } from "../advice/dollars.ts";
import { freshHead, reachBlock, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ListedToken, ServedChain } from "../ports/ports.ts";
import { refuseZero } from "../tokens.ts";
import { firstWord } from "../wallet.ts";

type HoldingsRequest = {
  readonly chainId: number;
  readonly wallet: Address;
  /** undefined = the first tokens of the list; the answer then omits those whose balance is 0. */
  readonly tokens: readonly Address[] | undefined;
  /** The account whose allowance is read; undefined = the router. */
  readonly spender: Address | undefined;
  /** The answer must be from this block or a later one. */
  readonly minBlock: number | undefined;
};

/**
 * A wallet's balance and allowance of one token, in smallest units; undefined where the token gives no valid answer.
 */
export type Holding = {
  readonly token: Address;
  readonly listed: ListedToken | undefined;
  readonly balance: bigint | undefined;
  /** 2^256 - 1 for the native coin, which needs none. */
  readonly allowance: bigint | undefined;
  readonly price: DollarPrice | undefined;
};

export type Holdings = {
  readonly head: Head;
  readonly spender: Address;
  readonly holdings: readonly Holding[];
};

/** Number of tokens of the list that are read where the request names none. */
export const MOST_TOKENS = 150;

/**
 * Balances and allowances of a wallet, all in the newest block.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN for the zero address, STALE_STATE
 */
export async function holdings(deps: Deps, request: HoldingsRequest): Promise<Holdings> {
  const served = servedChain(deps, request.chainId);
  for (const address of request.tokens ?? []) refuseZero({ field: "tokenAddress", address });
  await reachBlock(deps, served, request.minBlock);
  const head = freshHead(deps, served);
  const spender = request.spender ?? served.router;
  const tokens = [...new Set(request.tokens ?? firstTokens(deps, request.chainId))];
  const asked = { ...request, spender };
  const calls = tokens.flatMap((token) => callsOf(served, token, asked));
  const answers = await served.archive.read(calls, head);
  const perWei = usdPerWei({ ...served, tokens: deps.tokens });
  const native = tokens.findIndex(isNative);
  const coins = native < 0 ? 0n : await coinsOf(served, request.wallet, answers[2 * native]!);
  const found = tokens.map((token, k) => ({
    token,
    listed: deps.tokens.get(request.chainId, token),
    balance: isNative(token) ? coins : firstWord(answers[2 * k]!),
    allowance: isNative(token) ? MAX_UINT256 : firstWord(answers[2 * k + 1]!),
    price: dollarPrice({ ...served, tokens: deps.tokens }, token, perWei),
  }));
  const told = request.tokens === undefined ? found.filter(({ balance }) => balance !== 0n) : found;
  return { head, spender, holdings: told };
}

function firstTokens(deps: Deps, chainId: number): Address[] {
  return deps.tokens
    .all(chainId)
    .slice(0, MOST_TOKENS)
    .map(({ address }) => address);
}

/** @source mds1/multicall3 src/Multicall3.sol getEthBalance(address) */
const ETH_BALANCE: Hex = "0x4d2301cc";

/** The wallet's balance in wei. Where the chain has no Multicall3, it is read at the node's newest block. */
async function coinsOf(served: ServedChain, wallet: Address, answer: Hex): Promise<bigint> {
  return firstWord(answer) ?? (await served.node.getBalance(wallet));
}

type Asked = { readonly wallet: Address; readonly spender: Address };

/** Two calls for each token, balance and allowance; for the native coin the second is an empty call. */
function callsOf({ chain }: ServedChain, token: Address, { wallet, spender }: Asked) {
  if (isNative(token)) {
    const balance = { to: chain.multicall, data: callData(ETH_BALANCE, BigInt(wallet)) };
    return [balance, { to: ZERO_ADDRESS, data: "0x" as Hex }];
  }
  return [
    { to: token, data: encodeBalanceOf(wallet) },
    { to: token, data: encodeAllowance(wallet, spender) },
  ];
}
