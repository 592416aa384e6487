import type { Protocol, Registry } from "../core/protocol.ts";
import { algebra } from "./algebra/index.ts";
import { balancerV2 } from "./balancer-v2/index.ts";
import { balancerV3 } from "./balancer-v3/index.ts";
import { balancerV3Buffer } from "./balancer-v3-buffer/index.ts";
import { converter } from "./converter/index.ts";
import { curveCrypto } from "./curve-crypto/index.ts";
import { curveLlamma } from "./curve-llamma/index.ts";
import { curveStable } from "./curve-stable/index.ts";
import { dodo } from "./dodo/index.ts";
import { erc4626 } from "./erc4626/index.ts";
import { gyroscope } from "./gyroscope/index.ts";
import { liquidityBook } from "./liquidity-book/index.ts";
import { maverick } from "./maverick/index.ts";
import { solidly } from "./solidly/index.ts";
import { uniswapV2 } from "./uniswap-v2/index.ts";
import { uniswapV3 } from "./uniswap-v3/index.ts";
import { uniswapV4 } from "./uniswap-v4/index.ts";
import { woofi } from "./woofi/index.ts";
import { wrappedNative } from "./wrapped-native/index.ts";

/** Adding a DEX design = one folder beside this file + one line here. */
// biome-ignore format: one a line, so that two additions do not collide
const all: readonly Protocol[] = [
  algebra,
  balancerV2,
  balancerV3,
  balancerV3Buffer,
  converter,
  curveCrypto,
  curveLlamma,
  curveStable,
  dodo,
  erc4626,
  gyroscope,
  liquidityBook,
  maverick,
  solidly,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  woofi,
  wrappedNative,
];

export const protocols: Registry = new Map(all.map((protocol) => [protocol.name, protocol]));
