import { useEffect, useMemo, useState } from "preact/hooks";
import type { Platform, PriceRequest } from "./api.ts";
import { FIRST_FORM, type Form, firstTokens, hasFault, type Pair, requestOf, tokensOfForm } from "./form.ts";
import { Footer, Header } from "./frame.tsx";
import { OfferPanel } from "./offer-panel.tsx";
import { parseSlippage } from "./percent.ts";
import { readQuestion, writeQuestion } from "./permalink.ts";
import { RequestPanel } from "./request-panel.tsx";
import { RoutePanel } from "./route-panel.tsx";
import { SwapCard } from "./swap-card.tsx";
import { type TokenShelf, usePlatforms, useTokens } from "./use-market.ts";
import { useOffer } from "./use-offer.ts";

/** The whole page: a question on the left, its answer beside it, the way it takes below. */
export function App() {
  const platforms = usePlatforms();
  const [form, setForm] = useForm();
  const served = platforms.kind === "ready" ? platforms.value : [];
  const chainId = servedChain(served, form.chainId);
  const shelf = useTokens(chainId);
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }));

  useFirstTokens(shelf, setForm);
  const pair = tokensOfForm(form, shelf.known);
  const request = useMemo<PriceRequest | undefined>(
    () => requestOf(chainId, form, pair),
    [chainId, form, pair.sell, pair.buy],
  );
  const feed = useOffer(request);
  useEffect(() => {
    if (chainId === undefined || pair.sell === undefined) return;
    history.replaceState(null, "", writeQuestion({ ...form, chainId }));
  }, [chainId, form, pair.sell]);

  const slippage = parseSlippage(form.slippage);
  return (
    <>
      <Header
        platforms={served}
        chainId={chainId}
        onChain={(next) => change({ chainId: next, sell: undefined, buy: undefined })}
      />
      <main class="sheet">
        <h1 class="unseen">Find the best route between two tokens</h1>
        <SwapCard
          form={form}
          pair={pair}
          shelf={shelf}
          chainId={chainId}
          trouble={platforms.kind === "failed" ? platforms.text : undefined}
          slippage={slippage}
          feed={feed}
          onChange={change}
        />
        <OfferPanel
          feed={feed}
          known={shelf.known}
          gasUnit={gasUnitOf(served, chainId)}
          hint={hintOf(form, pair)}
          onAmount={(amount) => change({ amount })}
        />
        <RoutePanel feed={feed} known={shelf.known} />
        <RequestPanel request={request} />
      </main>
      <Footer />
    </>
  );
}

/** What is said while nothing can be asked. */
function hintOf(form: Form, pair: Pair): string {
  if (hasFault(form, pair)) return "Correct what is marked to see an offer.";
  return "Choose two tokens and an amount to see what the market pays.";
}

/** Fills the two sides as soon as there are tokens. */
function useFirstTokens(shelf: TokenShelf, setForm: (next: (before: Form) => Form) => void): void {
  useEffect(() => {
    if (shelf.list.kind !== "ready") return;
    const { list } = shelf;
    setForm((before) => ({ ...before, ...firstTokens(before, list.value, shelf.known) }));
  }, [shelf.list, shelf.known, setForm]);
}

/** The form, which follows the address of the page: a link, an edit or the history may ask something else. */
function useForm() {
  const [form, setForm] = useState<Form>(() => asked(FIRST_FORM));
  useEffect(() => {
    // What the page itself writes there does not come back as an event.
    const follow = () => setForm(asked);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [form, setForm] as const;
}

/** In the lower case of everyday writing where it is the usual one. */
function gasUnitOf(served: readonly Platform[], chainId: number | undefined): string {
  const unit = served.find((platform) => platform.chainId === chainId)?.gas_unit ?? "GWEI";
  return unit === "GWEI" ? "gwei" : unit;
}

/** What the address of the page asks, on the terms of before; an amount without a side is one that is sold. */
function asked(before: Form): Form {
  const question = readQuestion(location.hash);
  const side = question.side ?? (question.amount === undefined ? before.side : "SELL");
  const moved = question.chainId !== undefined && question.chainId !== before.chainId;
  const start = moved ? { ...before, sell: undefined, buy: undefined } : before;
  return { ...start, ...question, amount: question.amount ?? before.amount, side };
}

/** The chain asked for where it is served, else the first one. */
function servedChain(served: readonly Platform[], wanted: number | undefined): number | undefined {
  return (served.find((platform) => platform.chainId === wanted) ?? served[0])?.chainId;
}
