import { readFileSync } from "node:fs";
import Type from "typebox";
import { type ChainHealth, health, quarantinedOn } from "../../../service/health.ts";
import type { AccuracyReport } from "../../../service/ports/ports-accuracy.ts";
import type { App, Context } from "../../app-types.ts";
import { Maker, presentMaker } from "../../present/present-maker.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { SCRIPT, STYLE, statusPage } from "../../status-page/page.ts";
import { indexSamples } from "../../status-page/samples.ts";

const Abilities = Type.Object(
  {
    logs: Type.String({ description: "How logs of a block are asked for: by hash, by number or none" }),
    log_range_blocks: OrNull(
      Type.Integer({
        description: "Blocks of logs in one request, 10,000 where it takes these; null where it does not say",
      }),
    ),
    receipts: Type.String({
      description: "proven: they hash to the header, so that logs need not be believed; unproven or none",
    }),
    calls_by_hash: Type.Boolean(),
    overrides: Type.Boolean({ description: "Calls take a state override" }),
    call_gas: OrNull(Type.Integer({ description: "Gas that a call may use" })),
  },
  { description: "null until it was asked" },
);

const Endpoint = Type.Object({
  usable: Type.Boolean({ description: "Requests may go there now" }),
  trouble: OrNull(Type.String({ description: "Why it cannot be used, as its last answer was found" })),
  batch_size: Type.Integer({ description: "Most requests in one body, as far as it was learnt" }),
  offers: OrNull(Abilities),
});

function presentEndpoint({ usable, trouble, batchSize, abilities }: ChainHealth["endpoints"][number]) {
  const offers = abilities && {
    logs: abilities.logs,
    log_range_blocks: abilities.logRangeBlocks,
    receipts: abilities.receipts,
    calls_by_hash: abilities.callsByHash,
    overrides: abilities.overrides,
    call_gas: abilities.callGas,
  };
  return {
    usable,
    trouble: trouble ?? null,
    batch_size: Math.min(batchSize, 1_000_000),
    offers: offers ?? null,
  };
}

const Progress = Type.Object({
  chains: Type.Array(
    Type.Object({
      chainId: Type.Integer(),
      name: Type.String(),
      ready: Type.Boolean(),
      phase: Type.String({ examples: ["connecting", "hubs", "discovering", "complete"] }),
      step: Type.String({ description: "What is being read, in words" }),
      percent: OrNull(Type.Number({ description: "Of the step" })),
      pools_known: Type.Integer({ description: "Found, in the market or not" }),
      pools: Type.Integer({ description: "In the market" }),
      tokens: Type.Integer(),
      requests: Type.Integer({ description: "Items that the endpoints answered since the start" }),
      requests_per_second: OrNull(
        Type.Number({
          description: "What they take, as learnt from their refusals; null before the first",
        }),
      ),
      same_state_errors: Type.Integer({
        description:
          "Of the service's own quotes, run on their own block: those that paid something else, or reverted",
      }),
      loss_10s_bps: OrNull(
        Type.Number({
          description:
            "What one in twenty of its own quotes of deep pairs lost within ten seconds, or more; null without any",
        }),
      ),
      endpoints: Type.Array(Endpoint, { description: "In the order of the configuration" }),
      makers: Type.Array(Maker, { description: "In the order of the configuration" }),
    }),
  ),
});

function presentProgress(
  { chainId, name, phase, trouble, counts, coverage, endpoints, makers }: ChainHealth,
  accuracy: AccuracyReport | undefined,
) {
  const total = coverage?.total ?? 0;
  const rate = coverage?.perSecond;
  return {
    chainId,
    name,
    ready: trouble === undefined,
    phase: coverage?.phase ?? (phase === "live" ? "complete" : "connecting"),
    step: coverage?.step ?? trouble ?? "",
    percent: total === 0 ? null : Math.round((1000 * (coverage?.done ?? 0)) / total) / 10,
    pools_known: coverage?.pools ?? counts.pools,
    pools: counts.pools,
    tokens: coverage?.tokens ?? counts.tokens,
    requests: coverage?.requests ?? 0,
    requests_per_second: rate === undefined ? null : Math.round(rate * 10) / 10,
    endpoints: endpoints.map(presentEndpoint),
    makers: makers.map(presentMaker),
    ...presentAccuracy(accuracy),
  };
}

function presentAccuracy(accuracy: AccuracyReport | undefined) {
  const { differs = 0, reverted = 0 } = accuracy?.sameState.reference ?? {};
  const deep = accuracy?.replays.find(
    ({ source, pairClass, horizon }) => source === "reference" && pairClass === "deep" && horizon === "10s",
  );
  return { same_state_errors: differs + reverted, loss_10s_bps: deep?.loss.p95 ?? null };
}

const schema = {
  tags: ["operation"],
  operationId: "status",
  summary: "How much of every chain is known; for browsers a page of all that operators ask for",
  response: {
    200: {
      description: "The state of every chain",
      content: {
        "application/json": { schema: Progress },
        "text/html": { schema: Type.String({ description: "A page for people" }) },
      },
    },
  },
};

/** GET /status: JSON, or an HTML page where the client prefers HTML. Neither contains the URL of a node endpoint. */
export function statusRoute(app: App, { deps, metrics, version }: Context): void {
  app.get("/status", { schema }, async (request, reply) => {
    reply.header("vary", "Accept");
    const chains = health(deps);
    if (!prefersHtml(request.headers.accept))
      return { chains: chains.map((one) => presentProgress(one, deps.accuracy?.report(one.chainId))) };
    const page = statusPage({
      version,
      unixSeconds: deps.unixSeconds(),
      samples: indexSamples(await metrics.samples()),
      chains: chains.map((one) => ({ health: one, quarantined: quarantinedOn(deps, one.chainId) })),
    });
    return reply.type("text/html; charset=utf-8").send(page);
  });
  for (const [path, type, name] of [
    [STYLE, "text/css", "style.css"],
    [SCRIPT, "text/javascript", "refresh.js"],
  ] as const) {
    const text = readFileSync(new URL(`../../status-page/${name}`, import.meta.url), "utf8");
    const options = { schema: { hide: true }, config: { cacheSeconds: FILE_SECONDS } };
    app.get(path, options, async (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
  }
}

/** The max-age of the page's files, which change only with a new version of the program. */
const FILE_SECONDS = 300;

/**
 * Whether the Accept header names text/html with at least the weight of application/json. Wildcards do not count.
 *
 * @source RFC 9110 section 12.5.1
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? "").split(",").map((part): [string, number] => {
      const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith("q="));
      return [range, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  const wanted = weights.get("text/html") ?? 0;
  return wanted > 0 && wanted >= (weights.get("application/json") ?? 0);
}
