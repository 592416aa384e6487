import { exactAmount, readableAmount } from "../offer/amount.ts";
import { shareText } from "../offer/percent.ts";
import type { Leg } from "./flows.ts";
import { type NamedToken, shortAddress, stepName } from "./labels.ts";
import { type Paint, paintOfStep } from "./paint.ts";

type RouteStepsProps = {
  readonly legs: readonly Leg[];
  readonly nameOf: (address: string) => NamedToken;
  readonly paint: Paint;
  readonly active: number | undefined;
  readonly onActive: (leg: number | undefined) => void;
};

/** List of the steps in execution order. */
export function RouteSteps({ legs, nameOf, paint, active, onActive }: RouteStepsProps) {
  return (
    <ol class="steps" aria-label="Steps of the route">
      {legs.map((leg) => (
        <li
          key={leg.number}
          class={leg.number === active ? "step step-active" : "step"}
          onMouseEnter={() => onActive(leg.number)}
          onMouseLeave={() => onActive(undefined)}
        >
          <svg class={`step-number ${paintOfStep(paint, leg.step)}`} viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="10" />
            <text x="10" y="10" dy="0.36em" text-anchor="middle">
              {leg.number}
            </text>
          </svg>
          <span class="step-source">
            <bdi>{stepName(leg.step)}</bdi> <code title={leg.step.pool}>{shortAddress(leg.step.pool)}</code>
          </span>
          <span class="step-amounts">
            <Amount raw={leg.step.amount_in} token={nameOf(leg.step.token_in)} />
            <span class="step-arrow"> → </span>
            <Amount raw={leg.step.amount_out} token={nameOf(leg.step.token_out)} />
          </span>
          <span class="step-share">{shareText(leg.share)}</span>
        </li>
      ))}
    </ol>
  );
}

function Amount({ raw, token }: { readonly raw: string; readonly token: NamedToken }) {
  const value = BigInt(raw);
  return (
    <span title={`${exactAmount(value, token.decimals)} ${token.symbol}`}>
      {readableAmount(value, token.decimals)} <bdi>{token.symbol}</bdi>
    </span>
  );
}
