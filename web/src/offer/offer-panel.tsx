import { useEffect, useRef, useState } from "preact/hooks";
import { fetchOffer, NATIVE, type PriceRequest, pricePath, soldIn, type Token } from "../api.ts";
import { tokenNamer } from "../route/labels.ts";
import { exactAmount, readableAmount } from "./amount.ts";
import { FactLine } from "./fact-line.tsx";
import { factsOf, warningsOf } from "./offer-facts.ts";
import { type Answered, type FeedState, newestOf } from "./offer-feed.ts";

type OfferPanelProps = {
  readonly feed: FeedState;
  readonly known: ReadonlyMap<string, Token>;
  readonly gasUnit: string;
  /** Text while there is no request. */
  readonly hint: string;
  /** Replaces the typed amount. */
  readonly onAmount: (amount: string) => void;
};

/** The offer as text, or the error. */
export function OfferPanel({ feed, known, gasUnit, hint, onAmount }: OfferPanelProps) {
  const answered = newestOf(feed);
  return (
    <section class="card offer" aria-label="Offer" aria-busy={feed.kind === "loading"}>
      <div class="offer-head">
        <h2>Offer</h2>
        <Pulse feed={feed} />
      </div>
      {feed.kind === "failed" && <Failed failed={feed} known={known} onAmount={onAmount} />}
      {answered !== undefined && (
        <Facts answered={answered} known={known} gasUnit={gasUnit} faint={feed.kind !== "offer"} />
      )}
      <Announcement feed={feed} known={known} />
      {answered === undefined && feed.kind !== "failed" && (
        <Empty waiting={feed.kind === "loading"} hint={hint} />
      )}
    </section>
  );
}

type FailedProps = Pick<OfferPanelProps, "known" | "onAmount"> & {
  readonly failed: Extract<FeedState, { kind: "failed" }>;
};

/** The error message of the service, and a button for the largest amount that has a route. */
function Failed({ failed: { failure, request }, known, onAmount }: FailedProps) {
  const isBuying = request.side === "BUY";
  const { symbol, decimals } = tokenNamer(known)(isBuying ? request.tokenOut : request.tokenIn);
  const most = useMost(request, failure.largestAmount);
  return (
    <div class="notice notice-wrong" role="alert">
      <p>{forPeople(failure.message)}</p>
      {failure.passing && <p>Trying again by itself.</p>}
      {most !== undefined && (
        <button type="button" class="quiet" id="most" onClick={() => onAmount(exactAmount(most, decimals))}>
          {isBuying ? "Receive" : "Sell"} {readableAmount(most, decimals)} {symbol}
        </button>
      )}
    </div>
  );
}

/** Price impact in basis points from which on the largest amount is not suggested, although it has a route. */
const MOST_IMPACT_BPS = 1500;

/** The largest amount that has a route, once its own price shows an acceptable price impact; undefined before. */
function useMost(request: PriceRequest, largest: bigint | undefined): bigint | undefined {
  const [fair, setFair] = useState<bigint>();
  const key = `${pairKey(request)} ${largest}`;
  useEffect(() => {
    setFair(undefined);
    if (largest === undefined) return;
    const gone = new AbortController();
    fetchOffer({ ...request, amount: largest }, gone.signal).then(
      ({ price_impact_bps: impact }) => {
        if (typeof impact === "number" && impact < MOST_IMPACT_BPS) setFair(largest);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [key]);
  return fair;
}

const pairKey = ({ chainId, tokenIn, tokenOut, side }: PriceRequest): string =>
  `${chainId} ${tokenIn} ${tokenOut} ${side}`;

/** The message without addresses and smallest units, which follow symbols and amounts in parentheses. */
function forPeople(text: string): string {
  return text.replace(/ \((0x[0-9a-f]{40}|\d+ in smallest units)\)/gi, "");
}

/** Announces the first answer to each request to screen readers. Refreshes are not announced. */
function Announcement({ feed, known }: Pick<OfferPanelProps, "feed" | "known">) {
  const told = useRef({ question: "", text: "" });
  const question = feed.kind === "offer" ? pricePath(feed.request) : "";
  if (feed.kind === "offer" && told.current.question !== question) {
    told.current = { question, text: spoken(feed, known) };
  }
  // Without an offer there is no amount to read, also not that of the last offer. A failure has an alert of its own.
  return (
    <p class="unseen" role="status">
      {feed.kind === "offer" ? told.current.text : ""}
    </p>
  );
}

function spoken({ offer, request }: Answered, known: ReadonlyMap<string, Token>): string {
  const isBuying = request.side === "BUY";
  const { symbol, decimals } = tokenNamer(known)(isBuying ? request.tokenIn : request.tokenOut);
  const amount = isBuying ? soldIn(offer, request) : BigInt(offer.amount_out_total);
  return `You ${isBuying ? "sell" : "receive"} ${readableAmount(amount, decimals)} ${symbol}`;
}

function Pulse({ feed }: { readonly feed: FeedState }) {
  const words = { idle: "waiting", loading: "looking…", offer: "live", failed: "no offer" };
  return (
    <span class={`pulse pulse-${feed.kind}`}>
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" />
      </svg>
      {words[feed.kind]}
    </span>
  );
}

function Empty({ waiting, hint }: { readonly waiting: boolean; readonly hint: string }) {
  if (!waiting) return <p class="empty">{hint}</p>;
  return (
    <div class="bones" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((bone) => (
        <span key={bone} class="bone" />
      ))}
    </div>
  );
}

type FactsProps = {
  readonly answered: Answered;
  readonly known: ReadonlyMap<string, Token>;
  readonly gasUnit: string;
  readonly faint: boolean;
};

function Facts({ answered, known, gasUnit, faint }: FactsProps) {
  const { offer, request } = answered;
  const nameOf = tokenNamer(known, offer.route_graph?.tokens);
  const native = known.get(NATIVE) ?? { symbol: "native coin", decimals: 18 };
  const names = { sold: nameOf(request.tokenIn), bought: nameOf(request.tokenOut), native, gasUnit };
  return (
    <div class={faint ? "faint" : undefined}>
      {warningsOf(offer).map((text) => (
        <p key={text} class="notice notice-caution">
          {text}
        </p>
      ))}
      <dl class="facts">
        {factsOf(offer, soldIn(offer, request), names).map((fact) => (
          <FactLine key={fact.name} fact={fact} />
        ))}
      </dl>
    </div>
  );
}
