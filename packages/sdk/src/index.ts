export { formatAmount, parseAmount } from "./amount.ts";
export {
  type Braid,
  type BraidOptions,
  createBraid,
  type Platform,
  type Source,
  type Token,
} from "./client.ts";
export { BraidError, type ClientReason, type ErrorDetail } from "./error.ts";
export type {
  AllowanceAnswer,
  AllowanceParameters,
  ApproveAnswer,
  ApproveParameters,
  Failure,
  GasPricesAnswer,
  HealthAnswer,
  PriceAnswer,
  PriceParameters,
  PricesAnswer,
  PricesParameters,
  QuoteAnswer,
  QuoteParameters,
} from "./generated/api.ts";
export { ROUTER } from "./generated/router.ts";
export { type Hex, NATIVE, PERMIT2 } from "./hex.ts";
export { type Asked, checkQuote, type Limits, quoteFaults } from "./quote/bounds.ts";
export { type DecodedSwap, decodeSwap, type SwapStep } from "./quote/calldata.ts";
export type { PermitKind, TypedData } from "./quote/typed-data.ts";
export type { CallOptions } from "./request.ts";
export type { SwapRequest, SwapResult, SwapStage } from "./swap/run.ts";
export {
  type AnyWallet,
  type Eip1193Provider,
  type EthersSigner,
  fromEthers,
  fromProvider,
  fromViem,
  type Transaction,
  type ViemWalletClient,
  type Wallet,
} from "./wallet/wallet.ts";
export type { WatchOptions } from "./watch.ts";
