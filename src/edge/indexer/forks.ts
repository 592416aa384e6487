import type { Logger } from "pino";
import { elapsedMs } from "../elapsed.ts";
import type { EndpointHead } from "../node/node.ts";
import type { ChainReader } from "../node/types.ts";
import { isReachable, lengthened } from "./floor.ts";
import { type Plan, planTo } from "./plan.ts";
import { indexOf, type Ring } from "./ring.ts";
import type { Target } from "./sync.ts";

/** Where the follower stands between the forks of its chain. */
export type Place = {
  ring: Ring;
  /** Whether the nodes were made to prove their chain, since one reported a fork below all kept blocks. */
  isDisputed: boolean;
  /** The head at which the market began; undefined where it was built from the logs of the whole chain. */
  began: Target | undefined;
  /** Whether the nodes were asked for the block before it. */
  isChecked: boolean;
  /** When the ring got its newest block, by `elapsedMs`. */
  movedAt: number;
};

type ForksRequest = {
  readonly heads: () => readonly EndpointHead[];
  readonly distrust: () => void;
  readonly disbelieve: (label: string, why: string) => void;
  readonly reader: ChainReader;
  readonly log: Logger;
};

/** How to get to a head, by blocks below the one at which the market began where that is needed. @throws NodeFailure */
export async function pathTo({ header }: Target, work: Place, reader: ChainReader): Promise<Plan> {
  const plan = await planTo(header, work.ring, reader);
  if (plan.kind !== "too-deep" || work.ring[0]?.header.hash !== work.began?.header.hash) return plan;
  work.ring = await lengthened(work.ring, reader);
  return planTo(header, work.ring, reader);
}

/** A chain that has had no block for this long is not preferred to another fork. */
const STANDSTILL_MS = 60_000;

/** Handles a head whose fork leaves all kept blocks. */
export function leave({ heads, disbelieve, distrust, log }: ForksRequest, work: Place, { by }: Target): void {
  const isKept = heads().some(({ label, head }) => label !== by && indexOf(work.ring, head.hash) >= 0);
  if (isKept && elapsedMs() - work.movedAt < STANDSTILL_MS)
    disbelieve(by, "its newest block is on a fork that leaves all kept blocks");
  else if (work.isDisputed) {
    log.warn("the chain left all kept blocks: reading everything again");
    Object.assign(work, { ring: [], isDisputed: false });
  } else {
    distrust();
    work.isDisputed = true;
  }
}

/** Drops the block at which the market began, where other endpoints report heads and no node has the block before it. */
export async function checkBeginning(
  { heads, disbelieve, reader }: ForksRequest,
  work: Place,
): Promise<void> {
  const { began } = work;
  if (began === undefined || work.isChecked || heads().every(({ label }) => label === began.by)) return;
  const isFalse = work.ring.length === 1 && !(await isReachable(began.header, reader));
  work.isChecked = true;
  if (!isFalse) return;
  disbelieve(began.by, "no node has the block before its newest one");
  work.ring = [];
}
