import { algebraDevnet } from "../protocols/algebra/devnet.ts";
import { balancerV2Devnet } from "../protocols/balancer-v2/devnet.ts";
import { balancerV3Devnet } from "../protocols/balancer-v3/devnet.ts";
import { balancerV3BufferDevnet } from "../protocols/balancer-v3-buffer/devnet.ts";
import { converterDevnet } from "../protocols/converter/devnet.ts";
import { curveCryptoDevnet } from "../protocols/curve-crypto/devnet.ts";
import { curveLlammaDevnet } from "../protocols/curve-llamma/devnet.ts";
import { curveStableDevnet } from "../protocols/curve-stable/devnet.ts";
import { dodoDevnet } from "../protocols/dodo/devnet.ts";
import { erc4626Devnet } from "../protocols/erc4626/devnet.ts";
import { gyroscopeDevnet } from "../protocols/gyroscope/devnet.ts";
import { liquidityBookDevnet } from "../protocols/liquidity-book/devnet.ts";
import { maverickDevnet } from "../protocols/maverick/devnet.ts";
import { solidlyDevnet } from "../protocols/solidly/devnet.ts";
import { uniswapV2Devnet } from "../protocols/uniswap-v2/devnet.ts";
import { uniswapV3Devnet } from "../protocols/uniswap-v3/devnet.ts";
import { uniswapV4Devnet } from "../protocols/uniswap-v4/devnet.ts";
import { woofiDevnet } from "../protocols/woofi/devnet.ts";
import { wrappedNativeDevnet } from "../protocols/wrapped-native/devnet.ts";
import { pancakeV3Devnet } from "./pancake-v3.ts";
import type { DevnetProtocol } from "./plan.ts";

/** Adding a design to the devnet = `devnet.ts` in its folder + one line here. */
export const devnetProtocols: readonly DevnetProtocol[] = [
  wrappedNativeDevnet,
  uniswapV2Devnet,
  uniswapV3Devnet,
  pancakeV3Devnet,
  uniswapV4Devnet,
  solidlyDevnet,
  curveStableDevnet,
  curveCryptoDevnet,
  curveLlammaDevnet,
  erc4626Devnet,
  dodoDevnet,
  liquidityBookDevnet,
  woofiDevnet,
  balancerV2Devnet,
  balancerV3Devnet,
  balancerV3BufferDevnet,
  converterDevnet,
  algebraDevnet,
  gyroscopeDevnet,
  maverickDevnet,
];
