import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Endpoint } from "../node/endpoint.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { BlockRef } from "../node/types.ts";
import { type ExpectedRouter, type Learnt, probeRouter, type RouterFinding } from "./router-probe.ts";

/** Watches by the endpoints of a chain whether the router is deployed and usable. */
export type RouterWatch = {
  /**
   * Handles a new head of an endpoint: probes the endpoint for the router where a probe is due.
   *
   * @param isNew whether the connection to the endpoint is new
   * @returns resolves after the first finding of the endpoint; at once where it has one already
   */
  seen(endpoint: Endpoint, block: BlockRef, isNew: boolean): Promise<void>;
  /** Why no swap can be executed; undefined where the router is usable. */
  trouble(): string | undefined;
};

/**
 * Shortest time between probes that find the router usable, milliseconds: another node may answer at the same URL
 * later.
 */
const AGAIN_MS = 300_000;
/**
 * Shortest time between probes that do not find it usable, milliseconds. A deployment is noticed as much later, and each
 * probe is a request (`npm run bench:bootstrap -- --only following`: 0.08 of the 4 that a mainnet block may take).
 */
const MISSING_AGAIN_MS = 120_000;
/** The same for a node on this machine, whose requests cost nothing. */
const MISSING_LOCALLY_AGAIN_MS = 1_000;

type Known = {
  finding: RouterFinding | undefined;
  askedAt: number;
  asking: Promise<void> | undefined;
  readonly learnt: Learnt;
};

type WatchRequest = {
  readonly router: ExpectedRouter;
  readonly attemptMs: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
};

export function createRouterWatch({ router, attemptMs, signal, log }: WatchRequest): RouterWatch {
  const known = new Map<Endpoint, Known>();
  const probe = async (endpoint: Endpoint, one: Known, block: BlockRef) => {
    one.askedAt = performance.now();
    const terms = { block, timeoutMs: attemptMs, signal, learnt: one.learnt };
    const finding = await probeRouter(endpoint, router, terms).catch((error: unknown): RouterFinding => {
      const isNodes = error instanceof NodeFailure;
      if (!isNodes) log.error({ err: error }, "the router cannot be looked for: a bug");
      // A failed request keeps the earlier finding.
      const why = isNodes ? `its node did not answer (${error.message})` : "it could not be looked for";
      return one.finding ?? { kind: "unknown", why };
    });
    report(endpoint, one.finding, finding, log);
    one.finding = finding;
    one.asking = undefined;
  };
  return {
    async seen(endpoint, block, isNew) {
      const one = known.get(endpoint) ?? {
        finding: undefined,
        askedAt: Number.NEGATIVE_INFINITY,
        asking: undefined,
        learnt: { runsCode: true },
      };
      known.set(endpoint, one);
      const missingMs = endpoint.isLocal ? MISSING_LOCALLY_AGAIN_MS : MISSING_AGAIN_MS;
      const pauseMs = one.finding?.kind === "usable" ? AGAIN_MS : missingMs;
      if (!isNew && performance.now() - one.askedAt < pauseMs) return;
      if (isNew) one.learnt.runsCode = true;
      one.asking ??= probe(endpoint, one, block);
      if (one.finding === undefined) await one.asking;
    },
    trouble: () =>
      troubleOf([...known].filter(([{ health }]) => !health.wrongChain).map(([, { finding }]) => finding)),
  };
}

/** The router is usable where at least one endpoint found it usable and none found it unusable. */
function troubleOf(findings: readonly (RouterFinding | undefined)[]): string | undefined {
  const told = findings.filter((finding) => finding !== undefined);
  const bad = told.find((finding) => finding.kind === "unusable");
  if (bad !== undefined) return bad.why;
  if (told.some(({ kind }) => kind === "usable")) return undefined;
  return (
    told.find((finding) => finding.kind === "unknown")?.why ?? "no node has said yet whether it is there"
  );
}

function report(
  { label: endpoint }: Endpoint,
  before: RouterFinding | undefined,
  finding: RouterFinding,
  log: Logger,
): void {
  if (before?.kind === finding.kind) return;
  if (finding.kind === "usable") log.info({ endpoint }, "the router is there");
  else
    log.warn(
      { endpoint, why: finding.why },
      "no router: prices are answered, quotes are not; `npm run deploy`",
    );
}
