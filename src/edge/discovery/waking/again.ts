import { setImmediate } from "node:timers/promises";
import type { Pool } from "../../../core/types.ts";
import { chunks } from "../../node/pace/pace.ts";
import type { Known } from "../known/known.ts";
import type { Awake, Why } from "./awake.ts";

type Lost = {
  readonly awake: Pick<Awake, "all">;
  readonly known: Pick<Known, "get">;
  /** Whether a pool is in the market. */
  readonly isThere: (id: Pool["id"]) => boolean;
};

/** Pools handled before the event loop is yielded. */
const POOLS_IN_A_ROW = 600;

/**
 * Brings back the pools that should be in the market and are not, part by part; there are such pools only after it
 * restarted.
 */
export async function wakeAgain(
  { awake, known, isThere }: Lost,
  bring: (pools: readonly Pool[], why: Why) => Promise<void>,
): Promise<void> {
  const lost = [...awake.all()].filter(([id]) => !isThere(id));
  for (const why of ["deep", "asked"] as const) {
    const ids = lost.filter((one) => one[1] === why).map(([id]) => id);
    for (const part of chunks(ids, POOLS_IN_A_ROW)) {
      await bring(
        part.map((id) => known.get(id)).filter((pool) => pool !== undefined),
        why,
      );
      await setImmediate();
    }
  }
}
