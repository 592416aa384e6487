import type { Fact } from "./offer-facts.ts";

/** One line of an offer. */
export function FactLine({ fact }: { readonly fact: Fact }) {
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
