import { useEffect, useMemo, useState } from "preact/hooks";
import type { Platform, PriceRequest } from "./api.ts";
import { type Form, firstTokens, requestOf, tokensOfForm } from "./form.ts";
import { Footer, Header } from "./frame.tsx";
import { OfferPanel } from "./offer-panel.tsx";
import { parseSlippage } from "./percent.ts";
import { readQuestion, writeQuestion } from "./permalink.ts";
import { RequestPanel } from "./request-panel.tsx";
import { RoutePanel } from "./route-panel.tsx";
import { SwapCard } from "./swap-card.tsx";
import { usePlatforms, useTokens } from "./use-market.ts";
import { useOffer } from "./use-offer.ts";

/** The whole page: a question on the left, its answer beside it, the way it takes below. */
export function App() {
  const platforms = usePlatforms();
  const [form, setForm] = useState<Form>(firstForm);
  const served = platforms.kind === "ready" ? platforms.value : [];
  const chainId = servedChain(served, form.chainId);
  const shelf = useTokens(chainId);
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }));

  useEffect(() => {
    if (shelf.list.kind !== "ready") return;
    const { list } = shelf;
    setForm((before) => ({ ...before, ...firstTokens(before, list.value, shelf.known) }));
  }, [shelf.list, shelf.known]);

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
        <OfferPanel feed={feed} known={shelf.known} />
        <RoutePanel feed={feed} known={shelf.known} />
        <RequestPanel request={request} />
      </main>
      <Footer />
    </>
  );
}

/** What the address of the page asks, with everyday terms. */
function firstForm(): Form {
  const asked = readQuestion(location.hash);
  return { ...asked, amount: asked.amount ?? "1", slippage: "0.5", withGas: true };
}

/** The chain asked for where it is served, else the first one. */
function servedChain(served: readonly Platform[], wanted: number | undefined): number | undefined {
  return (served.find((platform) => platform.chainId === wanted) ?? served[0])?.chainId;
}
