import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { bigNumberOf, bitsOf } from "../shared/packed-word.ts";
import {
  type Half,
  isOn,
  type Limit,
  NO_HALF,
  type Oracle,
  type Pair,
  type Scale,
  type State,
} from "./state.ts";

const GET_POOL_RESERVES_ADJUSTED: Hex = "0xbd964d38";
const READ_FROM_STORAGE: Hex = "0xb5c736e4";
const CONSTANTS_VIEW2: Hex = "0x1595cbd3";

/** The pool's two words of packed variables. */
const VARIABLES = 0n;
const VARIABLES2 = 1n;

/**
 * Words of the resolver's answer: pool, both tokens, fee, centre price; real and imaginary reserves of the collateral
 * half; both debts, real and imaginary reserves of the debt half; three words for each of four limits.
 *
 * @source Instadapp/fluid-contracts-public contracts/periphery/resolvers/dexReserves/structs.sol PoolWithReserves
 */
const WORDS = 27;
const TOKENS = 1;
const CENTER_PRICE = 4;
const COLLATERAL = 5;
const DEBTS = 9;
const DEBT = 11;
const WITHDRAWABLE = 15;
const BORROWABLE = 21;

/** Bits of a stored price. */
const PRICE_BITS = 40;

/** Above these the contract's arithmetic might overflow. */
const MOST_RESERVE = 2n ** 96n;
const MOST_PRICE = 2n ** 128n;
const MOST_SCALE = 10n ** 24n;

/**
 * The resolver's answer, the pool's packed variables and its scales. The resolver has the pool compute its prices, which
 * writes to storage and reverts.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const to = pool.address;
  return [
    {
      to: pool.facts.resolver as Hex,
      data: callData(GET_POOL_RESERVES_ADJUSTED, BigInt(to)),
      mayWrite: true,
    },
    { to, data: callData(READ_FROM_STORAGE, VARIABLES) },
    { to, data: callData(READ_FROM_STORAGE, VARIABLES2) },
    { to, data: CONSTANTS_VIEW2 },
  ];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const [reserves = "0x", variables = "0x", variables2 = "0x", constants = "0x"] = answers;
  const isRead = hasWords(reserves, WORDS) && hasWords(variables, 1) && hasWords(variables2, 1);
  if (!isRead || !hasWords(constants, 4)) return { refusal: "a read of the pool failed" };
  if (pool.tokens.some((token, k) => addressAt(reserves, TOKENS + k) !== token))
    return { refusal: "the tokens are not those on record" };
  const scales = scalesOf(constants);
  if (scales === undefined) return { refusal: "the decimals of a token cannot be" };
  const packed = uintAt(variables2, 0);
  const centerPrice = uintAt(reserves, CENTER_PRICE);
  const collateral = bitsOf(packed, [0, 1]) === 1n ? halfAt(reserves, COLLATERAL) : NO_HALF;
  const debt = bitsOf(packed, [1, 1]) === 1n ? halfAt(reserves, DEBT) : NO_HALF;
  const isWhole =
    isOn(collateral) === (bitsOf(packed, [0, 1]) === 1n) && isOn(debt) === (bitsOf(packed, [1, 1]) === 1n);
  const isPriced = centerPrice > 0n && centerPrice < MOST_PRICE && fits(collateral) && fits(debt);
  return {
    collateral,
    debt,
    debts: [uintAt(reserves, DEBTS), uintAt(reserves, DEBTS + 1)],
    withdrawable: [withdrawable0(reserves), limitAt(reserves, WITHDRAWABLE + 3)],
    borrowable: [limitAt(reserves, BORROWABLE), limitAt(reserves, BORROWABLE + 3)],
    scales,
    centerPrice,
    fee: bitsOf(packed, [2, 17]),
    revenueCut: bitsOf(packed, [19, 7]),
    oracle: oracleOf(uintAt(variables, 0)),
    readAt: at.timestamp,
    readFor: at.blockNumber,
    // The states of closed pools are read again like all others: a refusal would outlast the pause.
    isOpen: isWhole && isPriced && bitsOf(packed, [255, 1]) === 0n,
  };
}

/** @source contracts/protocols/dex/poolT1/common/variables.sol dexVariables */
function oracleOf(word: bigint): Oracle {
  return {
    time: Number(bitsOf(word, [121, 33])),
    price: bigNumberOf(word, [41, PRICE_BITS]),
    before: bigNumberOf(word, [1, PRICE_BITS]),
    center: bigNumberOf(word, [81, PRICE_BITS]),
  };
}

function scalesOf(constants: Hex): Pair<Scale> | undefined {
  const [first, second] = [0, 2].map((k): Scale => {
    return { numerator: uintAt(constants, k), denominator: uintAt(constants, k + 1) };
  }) as [Scale, Scale];
  const isGood = ({ numerator, denominator }: Scale) =>
    (numerator === 1n || denominator === 1n) &&
    numerator > 0n &&
    denominator > 0n &&
    numerator * denominator <= MOST_SCALE;
  return isGood(first) && isGood(second) ? [first, second] : undefined;
}

function halfAt(answer: Hex, index: number): Half {
  return {
    real: [uintAt(answer, index), uintAt(answer, index + 1)],
    imaginary: [uintAt(answer, index + 2), uintAt(answer, index + 3)],
  };
}

function fits({ real, imaginary }: Half): boolean {
  return [...real, ...imaginary].every((amount) => amount < MOST_RESERVE);
}

function limitAt(answer: Hex, index: number): Limit {
  return {
    available: uintAt(answer, index),
    expandsTo: uintAt(answer, index + 1),
    seconds: uintAt(answer, index + 2),
  };
}

/**
 * The resolver compares what may be withdrawn of token 0 with the limit of token 1, and may therefore leave token 0's
 * limit out of `available`. That shows where the limit still grows but nothing is missing: what is available is then
 * unknown, and taken as what has grown since the read.
 *
 * @source contracts/periphery/resolvers/dexReserves/main.sol getDexLimits
 */
function withdrawable0(answer: Hex): Limit {
  const limit = limitAt(answer, WITHDRAWABLE);
  const isLeftOut = limit.seconds > 0n && limit.available >= limit.expandsTo;
  return isLeftOut ? { ...limit, available: 0n } : limit;
}
