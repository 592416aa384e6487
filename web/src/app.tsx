import { useEffect, useMemo, useState } from "preact/hooks";
import { NATIVE, type Platform, type PriceRequest } from "./api.ts";
import {
  FIRST_FORM,
  type Form,
  firstTokens,
  hasFault,
  type Pair,
  requestOf,
  tokensOfForm,
} from "./form/form.ts";
import { type Question, readQuestion, writeQuestion } from "./form/permalink.ts";
import { RequestPanel } from "./form/request-panel.tsx";
import { SwapCard } from "./form/swap-card.tsx";
import { Footer, Header } from "./frame.tsx";
import { OfferPanel } from "./offer/offer-panel.tsx";
import { parseSlippage } from "./offer/percent.ts";
import { useOffer } from "./offer/use-offer.ts";
import { refreshMsOf } from "./refresh.ts";
import { RoutePanel } from "./route/route-panel.tsx";
import { HistoryPanel } from "./swap/history-panel.tsx";
import { SwapDialog } from "./swap/swap-dialog.tsx";
import { useHistory } from "./swap/use-history.ts";
import { useSwap } from "./swap/use-swap.ts";
import { ADDRESS } from "./tokens/token-search.ts";
import { type TokenShelf, usePlatforms, useTokens } from "./use-market.ts";
import { useBalances } from "./wallet/use-balances.ts";
import { useHighFee } from "./wallet/use-high-fee.ts";
import { useWallet } from "./wallet/use-wallet.ts";
import { WalletButton } from "./wallet/wallet-button.tsx";

/** The whole page: the swap form, the offer beside it and the route below. */
export function App() {
  const platforms = usePlatforms();
  const [form, setForm] = useForm();
  const served = platforms.kind === "ready" ? platforms.value : [];
  const chainId = servedChain(served, form.chainId);
  const shelf = useTokens(chainId, [form.sell, form.buy]);
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }));

  useFirstTokens(shelf, setForm);
  const pair = tokensOfForm(form, shelf.known);
  const request = useMemo<PriceRequest | undefined>(
    () => requestOf(chainId, form, pair),
    [chainId, form, pair.sell, pair.buy],
  );
  useAddress(chainId, form, pair);
  const trouble =
    platforms.kind === "failed" ? `${platforms.text} Trying again.` : unservedText(served, form.chainId);
  return <Sheet {...{ served, chainId, form, pair, request, shelf, trouble, change }} />;
}

type SheetProps = {
  readonly served: readonly Platform[];
  readonly chainId: number | undefined;
  readonly form: Form;
  readonly pair: Pair;
  readonly request: PriceRequest | undefined;
  readonly shelf: TokenShelf;
  /** Error message about the served chains. */
  readonly trouble: string | undefined;
  readonly change: (part: Partial<Form>) => void;
};

/** The content of the page for the current form. */
function Sheet(props: SheetProps) {
  const { served, chainId, form, pair, request, shelf, change } = props;
  const platform = served.find((one) => one.chainId === chainId);
  const feed = useOffer(request, refreshMsOf(platform));
  const gasUnit = gasUnitOf(platform);
  const slippage = parseSlippage(form.slippage);
  const { wallet, past, swap, connecting, desk } = useSwapping(props, platform);
  const again = (before: PriceRequest, percent: number | undefined) => {
    const wider = parseSlippage(String(percent));
    if (percent === undefined || wider.kind === "bad") return swap.review(before);
    change({ slippage: String(percent) });
    swap.review({ ...before, slippage: wider.text });
  };
  return (
    <>
      <Header
        platforms={served}
        chainId={chainId}
        onChain={(next) => change({ chainId: next, sell: undefined, buy: undefined })}
      >
        <WalletButton desk={wallet} isOpen={connecting.is} onOpen={connecting.set} />
      </Header>
      <main class="sheet">
        <h1 class="unseen">Swap two tokens over the best route</h1>
        <SwapCard {...props} slippage={slippage} feed={feed} desk={desk} onChange={change} />
        <OfferPanel
          feed={feed}
          known={shelf.known}
          gasUnit={gasUnit}
          hint={hintOf(form, pair)}
          onAmount={(amount) => change({ amount })}
        />
        <RoutePanel feed={feed} known={shelf.known} />
        <HistoryPanel desk={past} platforms={served} />
        <RequestPanel request={request} />
      </main>
      <SwapDialog desk={swap} known={shelf.known} platform={platform} gasUnit={gasUnit} onAgain={again} />
      <Footer />
    </>
  );
}

/** The wallet, the current swap and the swap history. */
function useSwapping({ chainId, pair, request, shelf }: SheetProps, platform: Platform | undefined) {
  const [is, set] = useState(false);
  const wallet = useWallet(platform?.devnet_rpc_url !== undefined);
  const { session, trouble } = wallet;
  const past = useHistory(session, shelf.known);
  const swap = useSwap(session, refreshMsOf(platform), past.tell);
  // The native coin pays the gas of every swap.
  const tokens = [pair.sell?.address, pair.buy?.address, NATIVE];
  const balances = useBalances(session, chainId, tokens, swap.state.kind);
  const highFeeWei = useHighFee(chainId, session !== undefined && pair.sell?.address === NATIVE);
  const act = (kind: "connect" | "switch" | "swap") => {
    if (kind === "connect") set(true);
    else if (kind === "switch" && platform !== undefined) void wallet.toChain(platform);
    else if (request !== undefined) swap.review(request);
  };
  const desk = { session, platform, balances, highFeeWei, trouble, request, act };
  return { wallet, past, swap, connecting: { is, set }, desk };
}

/** The hint while the form makes no valid request. */
function hintOf(form: Form, pair: Pair): string {
  if (hasFault(form, pair)) return "Correct what is marked to see an offer.";
  return "Choose two tokens and an amount to see what the market pays.";
}

/** Sets default tokens once the token list is loaded. */
function useFirstTokens(shelf: TokenShelf, setForm: (next: (before: Form) => Form) => void): void {
  useEffect(() => {
    if (shelf.list.kind !== "ready") return;
    const { list } = shelf;
    setForm((before) => ({ ...before, ...firstTokens(before, list.value, shelf.known) }));
  }, [shelf.list, shelf.known, setForm]);
}

/** The form, kept in step with the URL fragment: links, manual edits and browser history change the form. */
function useForm() {
  const [form, setForm] = useState<Form>(() => asked(FIRST_FORM));
  useEffect(() => {
    // pushState and replaceState of this page do not fire hashchange.
    const follow = () => setForm(asked);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [form, setForm] as const;
}

/** The unit of gas prices; "GWEI" in the usual lower case. */
function gasUnitOf(platform: Platform | undefined): string {
  const unit = platform?.gas_unit ?? "GWEI";
  return unit === "GWEI" ? "gwei" : unit;
}

/** Applies the URL fragment to the form. Missing fields keep their values; an amount without a side is one to sell. */
function asked(before: Form): Form {
  const question = readQuestion(location.hash);
  const side = question.side ?? (question.amount === undefined ? before.side : "SELL");
  const moved = question.chainId !== undefined && question.chainId !== before.chainId;
  const start = moved ? { ...before, sell: undefined, buy: undefined } : before;
  return {
    ...start,
    ...question,
    amount: question.amount ?? before.amount,
    slippage: question.slippage ?? before.slippage,
    withGas: question.withGas ?? before.withGas,
    side,
  };
}

/** The wanted chain if it is served, or the first served chain if none is wanted; otherwise undefined. */
function servedChain(served: readonly Platform[], wanted: number | undefined): number | undefined {
  return wanted === undefined
    ? served[0]?.chainId
    : served.find(({ chainId }) => chainId === wanted)?.chainId;
}

function unservedText(served: readonly Platform[], wanted: number | undefined): string | undefined {
  if (wanted === undefined || served.length === 0 || servedChain(served, wanted) !== undefined)
    return undefined;
  return `This service does not serve chain ${wanted}. Choose another one at the top of the page.`;
}

/**
 * Writes the form to the URL fragment. A new pair or chain adds an entry to the browser history; an amount does not.
 */
function useAddress(chainId: number | undefined, form: Form, pair: Pair): void {
  const { sell, buy } = pair;
  useEffect(() => {
    if (chainId === undefined || sell === undefined || buy === undefined) return;
    const next = writeQuestion({ ...form, chainId, sell: sell.address, buy: buy.address });
    if (next === location.hash) return;
    if (isAnother(readQuestion(location.hash), chainId, [sell.address, buy.address]))
      history.pushState(null, "", next);
    else history.replaceState(null, "", next);
  }, [chainId, form, sell, buy]);
}

/** Whether the URL had another complete pair or chain. Symbols, or a missing pair, are only replaced by addresses. */
function isAnother(before: Question, chainId: number, [sell, buy]: readonly [string, string]): boolean {
  const wasWhole = ADDRESS.test(before.sell ?? "") && ADDRESS.test(before.buy ?? "");
  return wasWhole && !(before.chainId === chainId && before.sell === sell && before.buy === buy);
}
