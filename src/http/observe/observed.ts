import { channel } from "node:diagnostics_channel";
import type { RouteResult } from "../../core/routing/types.ts";
import type { Deps, Stage } from "../../service/deps.ts";
import type { ServedChain } from "../../service/ports/ports.ts";

/** Receives measurements of the use cases. */
export type Observer = {
  stage(chainId: number, stage: Stage, ms: number): void;
  searched(chainId: number, result: RouteResult): void;
};

/**
 * Diagnostics channel with a `{ chainId, stage, ms }` message per finished stage, for tracers loaded with `--import`.
 */
const traced = channel("braid.stage");

/**
 * Wraps the dependencies so that the ports on which requests spend their time are measured. Call it once only, because
 * chains are compared by identity.
 */
export function observed(deps: Deps, observer: Observer): Deps {
  const stage: Observer["stage"] = (chainId, stage, ms) => {
    observer.stage(chainId, stage, ms);
    traced.publish({ chainId, stage, ms });
  };
  const told = { ...observer, stage };
  const chains = [...deps.chains].map(
    ([chainId, served]) => [chainId, observedChain(deps, chainId, served, told)] as const,
  );
  return { ...deps, chains: new Map(chains), onStage: stage };
}

function observedChain(deps: Deps, chainId: number, served: ServedChain, observer: Observer): ServedChain {
  const { market, node, proof, discovery } = served;
  const timed = async <T>(stage: Stage, work: () => Promise<T>): Promise<T> => {
    const start = deps.monotonicMs();
    try {
      return await work();
    } finally {
      observer.stage(chainId, stage, deps.monotonicMs() - start);
    }
  };
  const session: typeof market.session = (caller, work) => {
    let askedMs = deps.monotonicMs();
    return market.session(caller, ({ find, ...block }) =>
      work({
        ...block,
        async find(request) {
          const result = await find(request);
          const now = deps.monotonicMs();
          const ms = now - askedMs;
          askedMs = now;
          // Time that the search does not account for was spent in the queue.
          const found = result.kind === "found" ? result.search : { ms, settleMs: 0 };
          const searchMs = Math.min(ms, found.ms);
          const settleMs = Math.min(searchMs, found.settleMs);
          observer.stage(chainId, "search", searchMs - settleMs);
          observer.stage(chainId, "settle", settleMs);
          observer.stage(chainId, "wait", ms - searchMs);
          observer.searched(chainId, result);
          return result;
        },
      }),
    );
  };
  return {
    ...served,
    // `waitFor` is not timed: the use cases time what a request waits, and the service itself waits for every block.
    market: { ...market, session },
    node: { ...node, simulate: (run, on) => timed("simulate", () => node.simulate(run, on)) },
    proof: { ...proof, run: (request) => timed("simulate", () => proof.run(request)) },
    discovery: discovery && {
      ...discovery,
      cover: (tokens, timeoutMs, caller) => timed("wait", () => discovery.cover(tokens, timeoutMs, caller)),
    },
  };
}
