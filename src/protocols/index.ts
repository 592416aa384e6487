import type { Protocol, Registry } from "../core/protocol.ts";
import { algebra } from "./algebra/index.ts";
import { curveStable } from "./curve-stable/index.ts";
import { liquidityBook } from "./liquidity-book/index.ts";
import { solidly } from "./solidly/index.ts";
import { uniswapV2 } from "./uniswap-v2/index.ts";
import { uniswapV3 } from "./uniswap-v3/index.ts";
import { uniswapV4 } from "./uniswap-v4/index.ts";
import { wrappedNative } from "./wrapped-native/index.ts";

/** Adding a DEX design = one folder beside this file + one line here. */
const all: readonly Protocol[] = [
  uniswapV2,
  uniswapV3,
  uniswapV4,
  curveStable,
  algebra,
  solidly,
  liquidityBook,
  wrappedNative,
];

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
