import { REFERENCE, SITE } from "../site/pages.ts";
import { type ChainFacts, chainPart } from "./chain-part.ts";
import { times } from "./histograms.ts";
import { html } from "./html.ts";
import { type Samples, shown } from "./samples.ts";

export const STYLE = "/status/style.css";
export const SCRIPT = "/status/refresh.js";

type StatusFacts = {
  readonly version: string;
  readonly unixSeconds: number;
  readonly samples: Samples;
  readonly chains: readonly Omit<ChainFacts, "samples">[];
};

/** The status page as a complete HTML document with values of /metrics. It is readable without JavaScript. */
export function statusPage({ version, unixSeconds, samples, chains }: StatusFacts): string {
  const well = chains.filter(({ health }) => health.trouble === undefined).length;
  const time = new Date(unixSeconds * 1000).toISOString();
  const routes = times(samples, {
    caption: "Requests",
    name: "braid_http_request_seconds",
    labels: {},
    by: "route",
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${well === chains.length ? "" : "(!) "}Status · Braid</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${SITE}/style.css">
<link rel="stylesheet" href="${STYLE}">
<script src="${SCRIPT}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/">Braid</a> <a href="${SITE}">Documentation</a> <a href="${REFERENCE}">API reference</a></header>
<main id="content" class="status">
<h1>Status</h1>
<p>${well} of ${chains.length} ${chains.length === 1 ? "chain" : "chains"} can be priced. ${shown(samples.all("braid_searches_running", {})[0])} prices and quotes in work.
<span class="soft">Version ${version}, <time datetime="${time}">${time.slice(0, 19).replace("T", " ")} UTC</time>.
The same numbers: <a href="/metrics">/metrics</a>, <a href="/health">/health</a>. <a href="/status">Read again</a></span></p>
${chains.map((facts) => chainPart({ ...facts, samples }))}
<section class="card" aria-labelledby="all-chains">
<h2 id="all-chains">All chains</h2>
${routes}
</section>
</main>
</body>
</html>
`.html;
}
