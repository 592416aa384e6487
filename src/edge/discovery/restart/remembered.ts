import type { Pool } from "../../../core/types.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";
import type { Why } from "../waking/awake.ts";

/** A pool that was in the market when the last run ended. */
export type Remembered = { readonly pool: Pool; readonly why: Why };

/** The same as it was kept. Its state is of the past: it tells what to read first, and no price. */
export type RememberedRow = Remembered & { readonly row: AwakeRow };
