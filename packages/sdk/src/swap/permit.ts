import type { QuoteAnswer } from "../generated/api.ts";
import { expectedTypedData, type PermitKind } from "../quote/typed-data.ts";
import { requireChain } from "../wallet/chain.ts";
import { signatureOf } from "../wallet/wallet.ts";
import { quoteAgain, type Run, type SignedTerms } from "./run.ts";

/**
 * Signs a permit of the quote instead of an approval, and requests a new quote with the signature.
 *
 * @param any whether DAI's permit, which allows the router any amount, is acceptable
 * @returns undefined where no permit is ready, the wallet cannot sign one, or for side BUY, because a permit is for an
 *   exact amount sold
 */
export async function payBySignature(
  run: Run,
  quote: QuoteAnswer,
  any: boolean,
): Promise<{ quote: QuoteAnswer; allowedBy: PermitKind } | undefined> {
  if (run.terms.side === "BUY") return undefined;
  const kinds: readonly PermitKind[] = any ? ["eip2612", "permit2", "dai"] : ["eip2612", "permit2"];
  const kind = kinds.find((each) => quote.permit?.[each]?.ready === true);
  const offered = kind === undefined ? undefined : quote.permit?.[kind];
  if (kind === undefined || offered === undefined) return undefined;
  run.tell({ stage: "signing", kind });
  const { chainID, fromTokenAddress: token, deadline } = run.terms;
  const owner = run.wallet.address;
  const signing = { chainID, owner, token, amount: quote.amount_in, nonce: offered.permit_nonce, deadline };
  await requireChain(run.wallet, chainID);
  const signature = await signatureOf(run.wallet, expectedTypedData(kind, offered, signing));
  if (signature === undefined) return undefined;
  const terms: SignedTerms = {
    permit_kind: kind,
    permit_signature: signature,
    permit_nonce: kind === "eip2612" ? undefined : offered.permit_nonce,
    permit_deadline: deadline,
  };
  return { quote: await quoteAgain(run, quote, terms), allowedBy: kind };
}
