import type { Pool } from "../../../core/types.ts";
import type { Why } from "../waking/awake.ts";

/** A pool that was in the market when the last run ended. `state` is of the past: it tells what to read first, and no price. */
export type Remembered = { readonly pool: Pool; readonly state: unknown; readonly why: Why };
