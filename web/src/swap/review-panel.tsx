import { useState } from "preact/hooks";
import { soldIn, type Token } from "../api.ts";
import { dollars, exactAmount, readableAmount } from "../offer/amount.ts";
import { FactLine } from "../offer/fact-line.tsx";
import { factsOf, warningsOf } from "../offer/offer-facts.ts";
import type { NamedToken } from "../route/labels.ts";
import { WAY_WORDS, type Way } from "./pay.ts";
import type { Quote } from "./quote.ts";
import { type Risk, riskOf } from "./risk.ts";
import type { Review, SwapDesk } from "./use-swap.ts";

type ReviewProps = {
  readonly review: Review;
  readonly nameOf: (address: string) => NamedToken;
  /** A warning about a token. */
  readonly doubtAt: (address: string) => string | undefined;
  readonly native: Token | undefined;
  readonly gasUnit: string;
  readonly desk: SwapDesk;
};

/** All terms of the swap, and the button that confirms them. */
export function ReviewPanel({ review, nameOf, doubtAt, native, gasUnit, desk }: ReviewProps) {
  const { shown, worse, request } = review;
  const [typed, setTyped] = useState("");
  const [sold, bought] = [nameOf(request.tokenIn), nameOf(request.tokenOut)];
  const risk = riskOf(shown, Number(`${request.slippage}e-1`), review.way);
  const names = { sold, bought, native: native ?? { symbol: "native coin", decimals: 18 }, gasUnit };
  const isTyped = risk.kind !== "typed" || typed.trim().toLowerCase() === risk.word;
  const isHeld = worse !== undefined || risk.kind === "barred" || !isTyped;
  return (
    <div class="review">
      <p class="review-line" id="review-sell">
        <span>You sell</span>
        <Amount value={soldIn(shown, request)} token={sold} usd={shown.amount_in_usd} />
      </p>
      <p class="review-line" id="review-buy">
        <span>You receive</span>
        <Amount value={BigInt(shown.amount_out_total)} token={bought} usd={shown.amount_out_usd} />
      </p>
      {[sold, bought].map((token) => (
        <Doubt key={token.address} token={token} text={doubtAt(token.address)} />
      ))}
      {warningsOf(shown).map((text) => (
        <p key={text} class="notice notice-caution">
          {text}
        </p>
      ))}
      <dl class="facts">
        {factsOf(shown, soldIn(shown, request), names)
          .filter(({ name }) => name !== "Route")
          .map((fact) => (
            <FactLine key={fact.name} fact={fact} />
          ))}
      </dl>
      <Ways review={review} onChoose={desk.choose} />
      {worse !== undefined && (
        <Worse worse={worse} review={review} token={bought} sold={sold} onAccept={desk.accept} />
      )}
      <Danger risk={risk} typed={typed} onType={setTyped} />
      {review.trouble !== undefined && (
        <p class="notice notice-wrong" role="alert">
          {review.trouble} Trying again.
        </p>
      )}
      <button type="button" class="primary" id="confirm" disabled={isHeld} onClick={desk.confirm}>
        {confirmWords(review.way)}
      </button>
    </div>
  );
}

function confirmWords(way: Way): string {
  if (way === "none") return "Swap now";
  return way === "approval" ? "Approve and swap" : "Sign and swap";
}

type AmountProps = {
  readonly value: bigint;
  readonly token: NamedToken;
  readonly usd: string | null | undefined;
};

function Amount({ value, token, usd }: AmountProps) {
  return (
    <strong title={`${exactAmount(value, token.decimals)} ${token.symbol}`}>
      {readableAmount(value, token.decimals)} <bdi>{token.symbol}</bdi>
      {usd !== null && usd !== undefined && <span class="fact-more">{dollars(usd)}</span>}
    </strong>
  );
}

function Doubt({ token, text }: { readonly token: NamedToken; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="notice notice-caution" data-doubt={token.address}>
      <bdi>{token.symbol}</bdi> at {token.address}: {text}
    </p>
  );
}

type WaysProps = { readonly review: Review; readonly onChoose: (way: Way) => void };

function Ways({ review: { ways, way }, onChoose }: WaysProps) {
  if (ways[0] === "none") return null;
  return (
    <fieldset class="ways">
      <legend>How the router gets your tokens</legend>
      {ways.map((one) => (
        <label key={one} class="way">
          <input type="radio" name="way" value={one} checked={one === way} onChange={() => onChoose(one)} />
          <span>
            {WAY_WORDS[one].name}
            <span class="fact-more">{WAY_WORDS[one].more}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type WorseProps = {
  readonly worse: Quote;
  readonly review: Review;
  readonly token: NamedToken;
  readonly sold: NamedToken;
  readonly onAccept: () => void;
};

/** The market moved against the user. The last quote stays on the screen until the new amount is accepted. */
function Worse({ worse, review: { shown, request }, token, sold, onAccept }: WorseProps) {
  const isLess = BigInt(worse.amount_out_total) < BigInt(shown.amount_out_total);
  const now = isLess
    ? `You would receive ${readableAmount(BigInt(worse.amount_out_total), token.decimals)} ${token.symbol} now.`
    : `You would sell ${readableAmount(soldIn(worse, request), sold.decimals)} ${sold.symbol} now.`;
  return (
    <div class="notice notice-caution" role="alert">
      <p>The price moved against you. {now}</p>
      <button type="button" class="quiet" id="accept" onClick={onAccept}>
        Accept the new price
      </button>
    </div>
  );
}

type DangerProps = { readonly risk: Risk; readonly typed: string; readonly onType: (text: string) => void };

function Danger({ risk, typed, onType }: DangerProps) {
  if (risk.kind === "none") return null;
  return (
    <div class="notice notice-wrong">
      <p>{risk.text}</p>
      {risk.kind === "typed" && (
        <label class="danger-word">
          <span>Type “{risk.word}” to go on</span>
          <input
            id="danger"
            autocomplete="off"
            spellcheck={false}
            maxLength={20}
            value={typed}
            onInput={(event) => onType(event.currentTarget.value)}
          />
        </label>
      )}
    </div>
  );
}
