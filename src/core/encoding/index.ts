export { type AirSwapOrder, airSwapExtra, airSwapTypedData, SWAP_ERC20_ADDRESS } from "./airswap.ts";
export { decodeUint, encodeAllowance, encodeApprove, encodeBalanceOf } from "./erc20.ts";
export type { WireRoute } from "./layout.ts";
export {
  attachPermit,
  attachPermit2,
  PERMIT2_ADDRESS,
  type Permit,
  type Permit2Request,
  permit2TypedData,
  type RfqOrder,
  rfqExtra,
  rfqTypedData,
  withContractV,
} from "./permits.ts";
export { type EncodingContext, planSteps } from "./plan.ts";
export { decodeRevert, type Revert } from "./revert.ts";
export { FORMER_ROUTERS, ROUTER_ADDRESS } from "./router-artifact.ts";
export { type DecodedSwap, decodeSwap, encodeSwap, type SwapTerms, withMinimum } from "./swap.ts";
export { domainFields, domainSeparator } from "./typed-domain.ts";
