import { useEffect, useRef, useState } from "preact/hooks";
import { fetchOffer, NATIVE, type PriceRequest, pricePath, soldIn, type Token } from "../api.ts";
import { tokenNamer } from "../route/labels.ts";
import { exactAmount, readableAmount } from "./amount.ts";
import { FactLine } from "./fact-line.tsx";
import { factsOf, warningsOf } from "./offer-facts.ts";
import type { Answered, FeedState } from "./offer-feed.ts";

type OfferPanelProps = {
  readonly feed: FeedState;
  readonly known: ReadonlyMap<string, Token>;
  readonly gasUnit: string;
  /** What is said while nothing is asked. */
  readonly hint: string;
  /** Takes an amount for the one that was typed. */
  readonly onAmount: (amount: string) => void;
};

/** The answer in words; says what is wrong where there is none. */
export function OfferPanel({ feed, known, gasUnit, hint, onAmount }: OfferPanelProps) {
  const answered = shownOf(feed);
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

/** What went wrong, in the service's words, and the largest amount that would do. */
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

/** Basis points of price impact above which an amount is not offered, though it routes. */
const MOST_IMPACT_BPS = 1500;

/** The largest amount that routes, where its own price says that it is no ruinous one; undefined until that is known. */
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

/** Addresses and smallest units are for programs; the symbols and amounts beside them say the same to people. */
function forPeople(text: string): string {
  return text.replace(/ \((0x[0-9a-f]{40}|\d+ in smallest units)\)/gi, "");
}

/** The offer on show, which may be the last one while a newer one is under way. */
export function shownOf(feed: FeedState): Answered | undefined {
  if (feed.kind === "idle") return undefined;
  return feed.kind === "offer" ? feed : feed.last;
}

/** Tells a screen reader the first answer to every question; refreshes would interrupt every few seconds. */
function Announcement({ feed, known }: Pick<OfferPanelProps, "feed" | "known">) {
  const told = useRef({ question: "", text: "" });
  const question = feed.kind === "offer" ? pricePath(feed.request) : "";
  if (feed.kind === "offer" && told.current.question !== question) {
    told.current = { question, text: spoken(feed, known) };
  }
  // A failure is announced by its alert: the amount of an offer that is gone must not be read beside it.
  return (
    <p class="unseen" role="status">
      {feed.kind === "failed" ? "" : told.current.text}
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
