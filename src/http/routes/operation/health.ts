import Type from "typebox";
import { BraidError } from "../../../core/errors.ts";
import { servedChain } from "../../../service/chain.ts";
import { type ChainHealth, health } from "../../../service/health.ts";
import { type App, type Context, checked } from "../../app-types.ts";
import { Maker, presentMaker } from "../../present/present-maker.ts";
import { OrNull } from "../../schemas/or-null.ts";
import { ChainParams, failureResponses } from "../../schemas/schemas.ts";

const ChainState = Type.Object({
  chainId: Type.Integer(),
  name: Type.String(),
  phase: Type.String({ examples: ["starting", "live"] }),
  trouble: OrNull(Type.String({ description: "Why it cannot be priced now" })),
  router_trouble: OrNull(
    Type.String({
      description: "Why nothing can be swapped: quote answers 4003, price goes on",
    }),
  ),
  block_number: OrNull(Type.Integer()),
  block_hash: OrNull(Type.String()),
  age_ms: OrNull(Type.Integer({ description: "Since the head was confirmed" })),
  pools: Type.Integer(),
  tokens: Type.Integer(),
  quarantined: Type.Integer({ description: "Pools that the chain or their own design contradicts" }),
  checks: Type.Record(Type.String(), Type.Integer(), {
    description: "Checks of pools that simulations disagreed with, by outcome; only `wrong` quarantines",
  }),
  refused: Type.Record(Type.String(), Type.Integer(), {
    description: "Pools that are not priced, by reason",
  }),
  doubted_endpoints: Type.Array(
    Type.Object({
      endpoint: Type.Integer({ description: "Its place in the configuration, from 0" }),
      why: Type.String(),
    }),
    {
      description:
        "Endpoints that said what cannot be true in the last 10 minutes, or what another one says otherwise",
    },
  ),
  makers: Type.Array(Maker, { description: "Makers of the configuration" }),
});

const Health = Type.Object({
  status: Type.String({ examples: ["ok", "degraded"] }),
  version: Type.String(),
  time: Type.Integer({ description: "Unix time" }),
  searches_running: Type.Integer(),
  chains: Type.Array(ChainState),
});

const Status = Type.Object({ status: Type.String() });
const tags = ["operation"];

function presentChain({ chainId, name, phase, head, ageMs, counts, checks, makers, ...more }: ChainHealth) {
  const { trouble, routerTrouble, endpoints } = more;
  return {
    chainId,
    name,
    phase,
    trouble: trouble ?? null,
    router_trouble: routerTrouble ?? null,
    block_number: head?.number ?? null,
    block_hash: head?.hash ?? null,
    age_ms: ageMs === undefined ? null : Math.round(ageMs),
    pools: counts.pools,
    tokens: counts.tokens,
    quarantined: counts.quarantined,
    checks: { ...checks },
    refused: { ...counts.refused },
    doubted_endpoints: endpoints.flatMap(({ doubt }, endpoint) =>
      doubt === undefined ? [] : [{ endpoint, why: doubt }],
    ),
    makers: makers.map(presentMaker),
  };
}

/** GET /health, /livez, /readyz, /metrics: for operators and load balancers, without a rate limit. */
export function healthRoutes(app: App, context: Context): void {
  const { deps, gate, metrics, version } = context;
  const schema = { tags, operationId: "health", summary: "The state of every chain" };
  app.get("/health", { schema: { ...schema, response: { 200: Health } } }, async () => {
    const chains = health(deps);
    return {
      status: chains.every(isWell) ? "ok" : "degraded",
      version,
      time: deps.unixSeconds(),
      searches_running: gate.running(),
      chains: chains.map(presentChain),
    };
  });
  const live = { tags, operationId: "livez", summary: "The process answers", response: { 200: Status } };
  app.get("/livez", { schema: live }, async () => ({ status: "alive" }));
  const ready = {
    tags,
    operationId: "readyz",
    summary:
      "Every served chain that ever was ready can be priced, and at least one is; or the one that is named",
    querystring: Type.Partial(Type.Object({ chain: ChainParams.properties.chainID })),
    response: { 200: Status, ...failureResponses },
  };
  app.get("/readyz", checked(ready), async ({ query }) => {
    requireReady(context, query.chain === undefined ? undefined : Number(query.chain));
    return { status: "ready" };
  });
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}

const isWell = ({ trouble, routerTrouble }: ChainHealth): boolean =>
  trouble === undefined && routerTrouble === undefined;

function requireReady({ deps, draining }: Context, chainId: number | undefined): void {
  if (chainId !== undefined) servedChain(deps, chainId, "chain");
  const chains = health(deps).filter((chain) => chainId === undefined || chain.chainId === chainId);
  const isSeen = ({ wasReady }: ChainHealth) => wasReady || chainId !== undefined;
  // A chain that was never ready does not make the service unready, unless no chain was ever ready.
  const counted = chains.some(isSeen) ? chains.filter(isSeen) : chains;
  const unfit = counted.filter((chain) => chain.trouble !== undefined);
  if (unfit.length === 0 && !draining()) return;
  const details = unfit.map(({ chainId, trouble }) => ({
    field: "chainID",
    reason: trouble ?? "",
    value: chainId,
  }));
  const why = draining()
    ? "the service is ending"
    : details.map(({ value, reason }) => `chain ${value}: ${reason}`).join("; ");
  throw new BraidError("STALE_STATE", `Not ready: ${why}.`, { details, retryAfterSeconds: 1 });
}
