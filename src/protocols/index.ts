import type { Protocol, Registry } from "../core/protocol.ts";
import { uniswapV2 } from "./uniswap-v2/index.ts";
import { uniswapV3 } from "./uniswap-v3/index.ts";
import { wrappedNative } from "./wrapped-native/index.ts";

/** Adding a DEX design = one folder beside this file + one line here. */
const all: readonly Protocol[] = [uniswapV2, uniswapV3, wrappedNative];

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
