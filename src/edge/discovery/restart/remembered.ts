import type { Pool } from "../../../core/types.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";
import type { Why } from "../waking/awake.ts";

/** A pool that was in the market when the last run ended. */
export type Remembered = { readonly pool: Pool; readonly why: Why };

/**
 * A remembered pool with its stored row. The state in the row is outdated: it helps to choose what to read first, and
 * never gives a price.
 */
export type RememberedRow = Remembered & { readonly row: AwakeRow };
