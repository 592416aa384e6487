import { useRef } from "preact/hooks";
import { readableAmount } from "./amount.ts";
import { NATIVE, pricePath, soldIn, type Token } from "./api.ts";
import { tokenNamer } from "./labels.ts";
import { type Fact, factsOf, warningsOf } from "./offer-facts.ts";
import type { Answered, FeedState } from "./offer-feed.ts";

type OfferPanelProps = {
  readonly feed: FeedState;
  readonly known: ReadonlyMap<string, Token>;
  readonly gasUnit: string;
};

/** The answer in words; says what is wrong where there is none. */
export function OfferPanel({ feed, known, gasUnit }: OfferPanelProps) {
  const answered = shownOf(feed);
  return (
    <section class="card offer" aria-label="Offer" aria-busy={feed.kind === "loading"}>
      <div class="offer-head">
        <h2>Offer</h2>
        <Pulse feed={feed} />
      </div>
      {feed.kind === "failed" && (
        <div class="notice notice-wrong" role="alert">
          <p>{feed.failure.message}</p>
          {feed.failure.passing && <p>Trying again by itself.</p>}
        </div>
      )}
      {answered !== undefined && (
        <Facts answered={answered} known={known} gasUnit={gasUnit} faint={feed.kind !== "offer"} />
      )}
      <Announcement feed={feed} known={known} />
      {answered === undefined && feed.kind !== "failed" && <Empty waiting={feed.kind === "loading"} />}
      <p class="note">
        There is no wallet here yet: this page finds and explains offers, it cannot send them. The API's{" "}
        <a href="/docs">quote</a> returns the transaction to sign.
      </p>
    </section>
  );
}

/** The offer on show, which may be the last one while a newer one is under way. */
export function shownOf(feed: FeedState): Answered | undefined {
  if (feed.kind === "idle") return undefined;
  return feed.kind === "offer" ? feed : feed.last;
}

/** Tells a screen reader the first answer to every question; refreshes would interrupt every few seconds. */
function Announcement({ feed, known }: Omit<OfferPanelProps, "gasUnit">) {
  const told = useRef({ question: "", text: "" });
  const question = feed.kind === "offer" ? pricePath(feed.request) : "";
  if (feed.kind === "offer" && told.current.question !== question) {
    told.current = { question, text: spoken(feed, known) };
  }
  return (
    <p class="unseen" role="status">
      {told.current.text}
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
  const words = { idle: "waiting for an amount", loading: "looking…", offer: "live", failed: "no offer" };
  return (
    <span class={`pulse pulse-${feed.kind}`}>
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" />
      </svg>
      {words[feed.kind]}
    </span>
  );
}

function Empty({ waiting }: { readonly waiting: boolean }) {
  if (!waiting) return <p class="empty">Choose two tokens and an amount to see what the market pays.</p>;
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

function FactLine({ fact }: { readonly fact: Fact }) {
  return (
    <div class="fact" data-fact={fact.name}>
      <dt>{fact.name}</dt>
      <dd>
        <span class={`tone-${fact.tone ?? "plain"}`} title={fact.exact}>
          {fact.text}
        </span>
        {fact.more !== undefined && <span class="fact-more">{fact.more}</span>}
      </dd>
    </div>
  );
}
