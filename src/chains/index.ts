import type { Chain } from "../core/types.ts";
import { arbitrum } from "./arbitrum.ts";
import { avalanche } from "./avalanche.ts";
import { base } from "./base.ts";
import { bsc } from "./bsc.ts";
import { ethereum } from "./ethereum.ts";
import { optimism } from "./optimism.ts";
import { polygon } from "./polygon.ts";

/** Real chains that can be served, ordered by id. A new chain needs a file in this folder and an entry here. */
export const chains: readonly Chain[] = [ethereum, optimism, bsc, polygon, base, arbitrum, avalanche];
