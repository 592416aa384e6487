import { ask, type Offer, type PriceRequest, quotePath } from "../api.ts";

/** One transaction of a swap. */
export type Call = { readonly to: string; readonly data: string; readonly value: string };

/** What a wallet may sign in the place of an approval. */
export type PermitTerms = {
  /** As eth_signTypedData_v4 takes it. */
  readonly typed_data: unknown;
  readonly permit_nonce: string;
  readonly permit_deadline: number;
  /** false: the contract that takes the tokens must be approved once before. */
  readonly ready: boolean;
};

export type PermitKind = "eip2612" | "dai" | "permit2";

/** An offer with the transaction that takes it. */
export type Quote = Offer & {
  readonly calldata: string;
  readonly to: string;
  /** Wei of the native coin to send along. */
  readonly value: string;
  /** Unix seconds after which the transaction reverts. */
  readonly valid_until: number;
  /** The allowance that the transaction needs; "0" where none. */
  readonly approve_amount: string;
  readonly permit?: Partial<Readonly<Record<PermitKind, PermitTerms>>>;
  /** Everything that must be sent, in order, the swap last: a reset and an approval where they are needed. */
  readonly calls?: readonly Call[];
};

export type SignedPermit = {
  readonly kind: PermitKind;
  readonly signature: string;
  readonly nonce: string;
  readonly deadline: number;
};

export type QuoteWish = {
  readonly request: PriceRequest;
  readonly taker: string;
  /** No older block than this; undefined = the newest known. */
  readonly minBlock?: number | undefined;
  readonly permit?: SignedPermit | undefined;
};

/** @throws ApiFailure where there is no quote; the abort error where `signal` fired */
export async function fetchQuote(wish: QuoteWish, signal?: AbortSignal): Promise<Quote> {
  return (await ask(quotePath(wish.request, extras(wish)), {}, signal)) as Quote;
}

function extras({ taker, minBlock, permit }: QuoteWish): Record<string, string> {
  return {
    takerAddress: taker,
    ...(minBlock === undefined ? {} : { min_block: String(minBlock) }),
    ...(permit === undefined
      ? {}
      : {
          permit_kind: permit.kind,
          permit_signature: permit.signature,
          permit_nonce: permit.nonce,
          permit_deadline: String(permit.deadline),
        }),
  };
}

/** What the router may take of the wallet's tokens now, in smallest units. @throws ApiFailure */
export async function fetchAllowance(chainId: number, token: string, wallet: string): Promise<bigint> {
  const query = new URLSearchParams({ tokenAddress: token, walletAddress: wallet });
  const path = `/v1/${chainId}/transaction/allowance?${query}`;
  return BigInt(((await ask(path, {})) as { remaining: string }).remaining);
}

/** Why a mined transaction was undone, as the service finds by running it again. */
export type RevertCause = {
  /** For people. */
  readonly text: string;
  /** Smallest units that it would have paid without its minimum; undefined where that was not the reason. */
  readonly wouldHavePaid: bigint | undefined;
};

/** @returns undefined where the service does not know either @throws ApiFailure */
export async function fetchRevertCause(chainId: number, hash: string): Promise<RevertCause | undefined> {
  const answer = await ask(`/v1/${chainId}/transaction/outcome?hash=${hash}`, {});
  const { revert } = answer as { revert: { text: string; would_have_paid: string | null } | null };
  if (revert === null) return undefined;
  const paid = revert.would_have_paid;
  return { text: revert.text, wouldHavePaid: paid === null ? undefined : BigInt(paid) };
}

/** The transaction that lets the router take `amount`. @throws ApiFailure */
export async function fetchApproval(chainId: number, token: string, amount: bigint): Promise<Call> {
  const query = new URLSearchParams({ tokenAddress: token, amount: String(amount) });
  const path = `/v1/${chainId}/transaction/approve?${query}`;
  const { to, calldata } = (await ask(path, {})) as { to: string; calldata: string };
  return { to, data: calldata, value: "0" };
}
