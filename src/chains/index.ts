import type { Chain } from "../core/types.ts";
import { ethereum } from "./ethereum/ethereum.ts";
import { avalanche } from "./layer-1/avalanche.ts";
import { berachain } from "./layer-1/berachain.ts";
import { bsc } from "./layer-1/bsc.ts";
import { gnosis } from "./layer-1/gnosis.ts";
import { hyperEvm } from "./layer-1/hyperevm.ts";
import { monad } from "./layer-1/monad.ts";
import { plasma } from "./layer-1/plasma.ts";
import { polygon } from "./layer-1/polygon.ts";
import { sonic } from "./layer-1/sonic.ts";
import { base } from "./op-stack/base.ts";
import { blast } from "./op-stack/blast.ts";
import { ink } from "./op-stack/ink.ts";
import { katana } from "./op-stack/katana.ts";
import { mode } from "./op-stack/mode.ts";
import { optimism } from "./op-stack/optimism.ts";
import { soneium } from "./op-stack/soneium.ts";
import { unichain } from "./op-stack/unichain.ts";
import { worldChain } from "./op-stack/world-chain.ts";
import { zora } from "./op-stack/zora.ts";
import { arbitrum } from "./rollups/arbitrum.ts";
import { linea } from "./rollups/linea.ts";
import { scroll } from "./rollups/scroll.ts";

/** Real chains that can be served, ordered by id. A new chain needs a file in a folder here and an entry in this list. */
export const chains: readonly Chain[] = [
  ethereum,
  optimism,
  bsc,
  gnosis,
  unichain,
  polygon,
  monad,
  sonic,
  worldChain,
  hyperEvm,
  soneium,
  base,
  plasma,
  mode,
  arbitrum,
  avalanche,
  ink,
  linea,
  berachain,
  blast,
  scroll,
  katana,
  zora,
];
