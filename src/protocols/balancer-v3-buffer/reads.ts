import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import { RAY } from "../../core/math/ray.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { previewCalls, priceOf, pricesOfTotals } from "../shared/share-price.ts";
import type { State } from "./state.ts";

const GET_BUFFER_ASSET: Hex = "0x0387587d";
const GET_BUFFER_BALANCE: Hex = "0x4021fe0f";
const ARE_BUFFERS_PAUSED: Hex = "0x55cba7fe";
const GET_MINIMUM_WRAP: Hex = "0x53956aa2";
const ASSET: Hex = "0x38d52e0f";
const TOTAL_ASSETS: Hex = "0x01e1d114";
const TOTAL_SUPPLY: Hex = "0x18160ddd";
const MAX_DEPOSIT: Hex = "0x402d267d";
const MAX_REDEEM: Hex = "0xd905777e";
const PREVIEW_REDEEM: Hex = "0x4cdad506";

/** Number of answers before the previews. */
const HEAD = 10;

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const [vault, wrapper] = [pool.address, pool.tokens[1]!];
  return [
    { to: vault, data: callData(GET_BUFFER_ASSET, BigInt(wrapper)) },
    { to: vault, data: callData(GET_BUFFER_BALANCE, BigInt(wrapper)) },
    { to: vault, data: ARE_BUFFERS_PAUSED },
    { to: vault, data: GET_MINIMUM_WRAP },
    ...[ASSET, TOTAL_ASSETS, TOTAL_SUPPLY].map((data) => ({ to: wrapper, data })),
    { to: wrapper, data: callData(MAX_DEPOSIT, BigInt(vault)) },
    { to: wrapper, data: callData(MAX_REDEEM, BigInt(vault)) },
    // Wrappers of lending pools have rates of 27 digits, whatever their totals.
    { to: wrapper, data: callData(PREVIEW_REDEEM, RAY) },
    ...previewCalls(wrapper),
  ];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (!answers.every((answer, k) => hasWords(answer, k === 1 ? 2 : 1)))
    return { refusal: "a read of the vault or of the wrapper failed" };
  const value = (index: number, word = 0) => uintAt(answers[index]!, word);
  const isAsset = (index: number) => addressAt(answers[index]!, 0) === (pool.tokens[0] as Address);
  if (!isAsset(0)) return { refusal: "the vault has no buffer of the wrapper for the asset on record" };
  if (!isAsset(4)) return { refusal: "asset() is not the asset on record" };
  if (value(2) !== 0n) return { refusal: "the vault's buffers are paused" };
  const formulas = [
    ...pricesOfTotals(value(5), value(6)).map((price) => ({ ...price, moves: true })),
    { assets: value(9), shares: RAY, moves: false },
  ];
  const price = priceOf(formulas, answers.slice(HEAD));
  if (price === undefined) return { refusal: "previews follow no formula that is known, or more than one" };
  return {
    ...price,
    underlying: value(1, 0),
    wrapped: value(1, 1),
    room: value(7),
    redeemable: value(8),
    least: value(3),
    readFor: at.blockNumber,
  };
}
