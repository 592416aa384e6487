import type { ChainHealth } from "../../service/health.ts";
import type { QuarantinedPool } from "../../service/ports/ports.ts";
import { histogram, times } from "./histograms.ts";
import { bar, count, type Html, html, table, when } from "./html.ts";
import { duration, type Samples, shown } from "./samples.ts";

export type ChainFacts = {
  readonly health: ChainHealth;
  readonly quarantined: readonly QuarantinedPool[];
  readonly samples: Samples;
};

/** Most quarantined pools in the table. The log has all of them. */
const MOST_LISTED = 100;

/** The section of one chain: state, discovery progress, pools, endpoints, makers and timings. */
export function chainPart(facts: ChainFacts): Html {
  const { health, samples } = facts;
  const { chainId, name, trouble, routerTrouble } = health;
  const id = String(chainId);
  const state = trouble === undefined ? (routerTrouble === undefined ? "well" : "half") : "down";
  const words = { well: "priced and swapped", half: "priced, not swapped", down: "not priced" }[state];
  return html`<section class="card" aria-labelledby="chain-${id}">
<h2 id="chain-${id}">${name} <span class="soft">${id}</span> <span class="state state-${state}">${words}</span></h2>
${when(trouble !== undefined, () => html`<p class="wrong">${trouble ?? ""}</p>`)}
${when(routerTrouble !== undefined, () => html`<p class="wrong">${routerTrouble ?? ""}</p>`)}
${overview(facts)}
${shares(facts, "Pools by design", "braid_pools_by_design", "protocol")}
${quarantine(facts)}
${shares(facts, "Pools that are not priced, by reason", "braid_pools_refused", "reason")}
${endpoints(facts)}
${makers(facts)}
${shares(facts, "Checks of pools that simulations disagreed with", "braid_pool_checks", "outcome")}
${times(samples, { caption: "Stages of requests", name: "braid_stage_seconds", labels: { chain: id }, by: "stage" })}
${histogram(samples, {
  caption: "Gap to the proven bound",
  head: "Gap",
  name: "braid_optimality_gap_bps",
  labels: { chain: id },
  unit: (bound) => `${bound} bp`,
  none: "No route was asked for yet.",
})}
</section>`;
}

function overview({ health, samples }: ChainFacts): Html {
  const { chainId, coverage, head } = health;
  const chain = { chain: String(chainId) };
  const one = (name: string) => samples.all(name, chain)[0];
  const lines: readonly (readonly [string, Html])[] = [
    ["Newest block", shown(one("braid_chain_block"))],
    ["Confirmed", html`${shown(one("braid_chain_age_seconds"), duration)} ago`],
    ["Pools in memory", shown(one("braid_chain_pools"))],
    ["Tokens", shown(one("braid_chain_tokens"))],
    ["Quarantined", shown(one("braid_chain_quarantined"))],
    [
      "Rerouted quotes",
      shown(
        one("braid_quote_reroutes_total") ?? { name: "braid_quote_reroutes_total", labels: chain, value: 0 },
      ),
    ],
  ];
  return html`<dl class="facts">${lines.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${when(head !== undefined, () => html`<p class="soft">Block hash <code>${head?.hash ?? ""}</code></p>`)}
${when(coverage !== undefined, () => progress(coverage!))}`;
}

function progress(coverage: NonNullable<ChainHealth["coverage"]>): Html {
  const { phase, step, done, total, pools, requests, perSecond } = coverage;
  const share = total === 0 ? undefined : done / total;
  return html`<h3>Discovery: ${phase}</h3>
<p>${step}${share === undefined ? "" : `, ${(100 * share).toFixed(1)} %`}</p>
${when(share !== undefined, () => bar(share ?? 0))}
<p class="soft">${count(pools)} pools found; ${count(requests)} items read from the endpoints${perSecond === undefined ? "" : `, which take ${perSecond.toFixed(0)} a second`}.</p>`;
}

/** A table of the samples of a metric by one label, the largest first, each with a bar relative to the largest. */
function shares({ health, samples }: ChainFacts, caption: string, name: string, label: string): Html {
  const own = samples.all(name, { chain: String(health.chainId) }).filter(({ value }) => value > 0);
  const most = Math.max(1, ...own.map(({ value }) => value));
  const rows = [...own]
    .sort((a, b) => b.value - a.value)
    .map((sample) => [sample.labels[label] ?? "", shown(sample), bar(sample.value / most)]);
  return table({ caption, heads: [HEADS[label]!, "Count", "Share"], rows, none: "None." });
}

const HEADS: Readonly<Record<string, string>> = { protocol: "Design", reason: "Reason", outcome: "Outcome" };

function quarantine({ quarantined }: ChainFacts): Html {
  const rows = quarantined
    .slice(0, MOST_LISTED)
    .map(({ id, protocol, reason, untilBlock }) => [
      html`<code>${id}</code>`,
      protocol,
      reason,
      untilBlock === undefined ? "when it can be read" : `block ${count(untilBlock)}`,
    ]);
  const more = quarantined.length - rows.length;
  return html`${table({ caption: "Quarantined pools", heads: ["Pool", "Design", "Why", "Read again at"], rows, none: "None." })}
${when(more > 0, () => html`<p class="soft">and ${count(more)} more</p>`)}`;
}

/** Node endpoints, named by their index in the configuration, because their URLs may contain keys. */
function endpoints({ health, samples }: ChainFacts): Html {
  const chain = { chain: String(health.chainId) };
  const rows = samples.all("braid_node_usable", chain).map((usable) => {
    const own = { ...chain, endpoint: usable.labels.endpoint ?? "" };
    const failures = samples.all("braid_node_failures_total", own);
    const { trouble } = health.endpoints[Number(own.endpoint)] ?? {};
    const why = trouble === undefined ? "" : `: ${trouble}`;
    const latency = (quantile: string) =>
      shown(samples.all("braid_node_latency_seconds", { ...own, quantile })[0], duration);
    return [
      `#${own.endpoint}`,
      shown(usable, (value) => (value === 1 ? "yes" : `no${why}`)),
      latency("0.5"),
      latency("0.95"),
      shown(samples.all("braid_node_behind_blocks", own)[0]),
      failures.length === 0
        ? "none"
        : html`${failures.map((one) => html`${one.labels.kind ?? ""} ${shown(one)} `)}`,
    ];
  });
  const heads = ["Endpoint", "In use", "Half under", "95 of 100 under", "Blocks behind", "Failures"];
  return table({ caption: "Node endpoints", heads, rows, none: "Nothing is known of them." });
}

function makers({ health: { makers: known } }: ChainFacts): Html {
  if (known.length === 0) return html``;
  const rows = known.map(({ name, phase, pairs, orders, fadeRate, blockedForMs, trouble }) => [
    name,
    blockedForMs > 0 ? `${phase}, for ${duration(blockedForMs / 1000)}` : phase,
    count(pairs),
    Object.entries(orders)
      .map(([outcome, number]) => `${outcome} ${count(number)}`)
      .join(", "),
    `${(100 * fadeRate).toFixed(1)} %`,
    trouble ?? "none",
  ]);
  const heads = ["Maker", "State", "Pairs", "Orders", "Fades", "Trouble"];
  return table({ caption: "Makers", heads, rows, none: "None." });
}
