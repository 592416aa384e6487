import type { Protocol, Registry } from "../core/protocol.ts";
import { balancerV2 } from "./balancer-v2/index.ts";
import { converter } from "./converter/index.ts";
import { curveStable } from "./curve-stable/index.ts";
import { dodo } from "./dodo/index.ts";
import { erc4626 } from "./erc4626/index.ts";
import { solidly } from "./solidly/index.ts";
import { uniswapV2 } from "./uniswap-v2/index.ts";
import { uniswapV3 } from "./uniswap-v3/index.ts";
import { woofi } from "./woofi/index.ts";
import { wrappedNative } from "./wrapped-native/index.ts";

/** Adding a DEX design = one folder beside this file + one line here. */
// biome-ignore format: one a line, so that two additions do not collide
const all: readonly Protocol[] = [
  uniswapV2,
  uniswapV3,
  solidly,
  curveStable,
  balancerV2,
  dodo,
  woofi,
  converter,
  erc4626,
  wrappedNative,
];

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
