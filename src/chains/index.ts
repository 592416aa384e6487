import type { Chain } from "../core/types.ts";
import { ethereum } from "./ethereum/ethereum.ts";
import { avalanche } from "./layer-1/avalanche.ts";
import { bsc } from "./layer-1/bsc.ts";
import { polygon } from "./layer-1/polygon.ts";
import { base } from "./op-stack/base.ts";
import { optimism } from "./op-stack/optimism.ts";
import { arbitrum } from "./rollups/arbitrum.ts";

/** Real chains that can be served, ordered by id. A new chain needs a file in a folder here and an entry in this list. */
export const chains: readonly Chain[] = [ethereum, optimism, bsc, polygon, base, arbitrum, avalanche];
