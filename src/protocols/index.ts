import type { Protocol, Registry } from "../core/protocol.ts";
import { uniswapV2 } from "./uniswap-v2/index.ts";

/** Adding a DEX design = one folder beside this file + one line here. */
const all: readonly Protocol[] = [uniswapV2];

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
