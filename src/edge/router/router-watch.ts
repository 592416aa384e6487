import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Endpoint } from "../node/endpoint.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { BlockRef } from "../node/types.ts";
import { type ExpectedRouter, type Learnt, probeRouter, type RouterFinding } from "./router-probe.ts";

/** What the endpoints of a chain say of the router. */
export type RouterWatch = {
  /**
   * Takes notice of an endpoint's head: asks it for the router where that is due.
   *
   * @param isNew whether the connection is
   * @returns once the endpoint said something, where it never did before; else at once
   */
  seen(endpoint: Endpoint, block: BlockRef, isNew: boolean): Promise<void>;
  /** Why nothing can be swapped; undefined where the router is there. */
  trouble(): string | undefined;
};

/** A router that is there is asked for again this often: behind one URL another node may answer tomorrow. */
const AGAIN_MS = 300_000;
/** One that is not there, with new blocks and this often at most: it may be deployed any time. */
const MISSING_AGAIN_MS = 60_000;
/** The same of a node on this machine, which asking costs nothing. */
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
      // A connection that broke says nothing new.
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

/** One endpoint that saw the router is enough, and one that saw it missing is too much. */
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
