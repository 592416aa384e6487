import type { Logger } from "pino";
import type { HintedPool, PairSource, Protocol, Registry } from "../../core/protocol.ts";
import type { Address, Chain, Deployment, Hex, Log, Pool, PoolId } from "../../core/types.ts";

/**
 * Passes logs and deployments to the protocols that they concern. A protocol that throws does not affect the others.
 */
export type Dispatch = {
  /** topic0 of every log that some protocol of this chain wants. */
  readonly topics: readonly Hex[];
  readonly factories: readonly { readonly address: Address; readonly fromBlock: number }[];
  /** topic0 of the logs that announce pools. */
  readonly creations: readonly Hex[];
  /** How factories are asked for the pools of two tokens, each with the id of its deployment. */
  readonly pairSources: readonly (PairSource & { readonly deployment: string })[];
  /** Pools that deployment records name. */
  readonly hinted: readonly HintedPool[];
  /** Pools that need no creation log. */
  seeds(): Pool[];
  /**
   * The pools that a log of a listed factory announces, at most one for each deployment record; none for other logs.
   */
  discover(log: Log): Pool[];
  /** Pools whose state a log may change, by the protocols that know its topic. */
  touched(log: Log): readonly (readonly [Protocol, readonly PoolId[]])[];
  /** Designs of which a log pauses, or opens again, every pool at the address of its emitter, a listed factory. */
  paused(log: Log): readonly Protocol[];
};

/**
 * Whether a log that names a pool may speak of it: its emitter is the pool, the contract at the pool's address, or a contract
 * among its facts. Anybody can emit a log with any pool's id, for a hundredth of the gas of a trade: without this check such
 * logs would have thousands of pools read again in each block.
 */
export function maySpeakOf(pool: Pool, log: Log, { fromAnyone }: Protocol): boolean {
  if (log.address === pool.address || pool.id.endsWith(log.address)) return true;
  return Object.values(pool.facts).includes(log.address) || fromAnyone?.includes(log.topics[0]!) === true;
}

type Place = { readonly deployment: Deployment; readonly protocol: Protocol };

const designOf = ({ protocol }: Place): Protocol => protocol;

export function createDispatch(chain: Chain, registry: Registry, log: Logger): Dispatch {
  const places = placesOf(chain, registry, log);
  const byFactory = Map.groupBy(places, ({ deployment }) => deployment.factory);
  const protocols = [...new Set(places.map(designOf))];
  const byTopic = new Map<Hex, Protocol[]>();
  for (const protocol of protocols) {
    for (const topic of protocol.topics) byTopic.set(topic, [...(byTopic.get(topic) ?? []), protocol]);
  }
  const faults = new Map<string, number>();
  const guarded: Guarded = (protocol, work, otherwise) => {
    try {
      return work();
    } catch (error) {
      const count = (faults.get(protocol.name) ?? 0) + 1;
      faults.set(protocol.name, count);
      if (isPowerOfTen(count))
        log.error({ protocol: protocol.name, count, err: error }, "protocol threw on a log");
      return otherwise;
    }
  };
  return {
    topics: [...byTopic.keys()],
    creations: [...new Set(protocols.flatMap(({ creations }) => creations))],
    ...asked(places, guarded),
    factories: places.flatMap(({ deployment: { factory, fromBlock } }) =>
      fromBlock === undefined ? [] : [{ address: factory, fromBlock }],
    ),
    seeds: () =>
      places.flatMap(({ protocol, deployment }) =>
        guarded(protocol, () => [...protocol.seeds(deployment)], []),
      ),
    // One vault announces pools of several designs with the same event, so each of its records is tried.
    discover: (entry) =>
      (byFactory.get(entry.address) ?? [])
        .filter(({ protocol }) => protocol.topics.includes(entry.topics[0] as Hex))
        .flatMap(({ protocol, deployment }) =>
          guarded(protocol, () => protocol.discover(entry, deployment) ?? [], []),
        ),
    paused: ({ address, topics: [topic] }) =>
      (byFactory.get(address) ?? []).map(designOf).filter(({ pauses }) => pauses?.includes(topic!)),
    touched: (entry) =>
      (byTopic.get(entry.topics[0] as Hex) ?? []).map((protocol) => [
        protocol,
        guarded(protocol, () => protocol.touches(entry), [entry.address]),
      ]),
  };
}

/** Runs `work` of a protocol; returns `otherwise` where it throws, and counts and logs the error. */
type Guarded = <T>(protocol: Protocol, work: () => T, otherwise: T) => T;

/** Sources of pools that need no logs. */
function asked(places: readonly Place[], guarded: Guarded): Pick<Dispatch, "pairSources" | "hinted"> {
  const sourcesOf = ({ protocol, deployment }: Place) => {
    const source = protocol.byPair(deployment);
    return source === undefined ? [] : [{ ...source, deployment: deployment.id }];
  };
  return {
    pairSources: places.flatMap((place) => guarded(place.protocol, () => sourcesOf(place), [])),
    hinted: places.flatMap(({ protocol, deployment }) =>
      guarded(protocol, () => [...protocol.hinted(deployment)], []),
    ),
  };
}

/** Deployments whose design this build knows. */
function placesOf(chain: Chain, registry: Registry, log: Logger): Place[] {
  return chain.deployments.flatMap((deployment) => {
    const protocol = registry.get(deployment.protocol);
    if (protocol !== undefined) return [{ deployment, protocol }];
    log.warn({ deployment: deployment.id, protocol: deployment.protocol }, "no such protocol: left out");
    return [];
  });
}

/** Limits log lines to the 1st, 10th, 100th … error: often enough to be seen, and too seldom to fill a disk. */
function isPowerOfTen(count: number): boolean {
  return Number.isInteger(Math.log10(count));
}
