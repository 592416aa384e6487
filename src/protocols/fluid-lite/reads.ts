import { encodeAbiParameters, getContractAddress, keccak256 } from "viem/utils";
import { callData, hasWords, uintAt } from "../../core/abi.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { bitsOf } from "../shared/packed-word.ts";
import { FIELDS, ID_SHIFT, type Pair, type State } from "./state.ts";

const READ_FROM_STORAGE: Hex = "0xb5c736e4";
/** centerPrice(address token0, address token1) */
const CENTER_PRICE: Hex = "0x02c59a68";

/** Slots of the mappings of a pool's four words. @source contracts/libraries/dexLiteSlotsLink.sol */
const MAPPINGS = [2n, 3n, 4n, 5n];
const WORDS = [{ type: "uint256" }, { type: "uint256" }] as const;

export type Facts = {
  /** The last word of the pool's key. */
  readonly salt: Hex;
  /** The account whose contracts name centre prices, each by the number of its creation. */
  readonly deployer: Address;
};

/** The four words, and then the price that another contract names if the first word names such a contract. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length === 0)
    return MAPPINGS.map((mapping) => ({
      to: pool.address,
      data: callData(READ_FROM_STORAGE, slotOf(BigInt(pool.id), mapping)),
    }));
  const [variables = "0x"] = answers;
  if (answers.length > MAPPINGS.length || !hasWords(variables, 1)) return [];
  const number = bitsOf(uintAt(variables, 0), FIELDS.namer);
  return number === 0n ? [] : [namerCall(pool, number)];
}

/** The slot of a pool's word. @param dexId the number that its 8 bytes are */
export function slotOf(dexId: bigint, mapping: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters(WORDS, [dexId << ID_SHIFT, mapping])));
}

/** A contract that names prices may write while it does. */
function namerCall({ facts, tokens }: Pool, number: bigint): Call {
  const { deployer } = facts as Facts;
  const to = getContractAddress({ from: deployer, nonce: number }).toLowerCase() as Address;
  const [token0, token1] = tokens as Pair<Address>;
  return { to, data: callData(CENTER_PRICE, BigInt(token0), BigInt(token1)), mayWrite: true };
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const words = answers.slice(0, MAPPINGS.length);
  if (words.length < MAPPINGS.length || !words.every((answer) => hasWords(answer, 1)))
    return { refusal: "a read of the pool failed" };
  const [variables, centerShift, rangeShift, thresholdShift] = words.map((answer) => uintAt(answer, 0)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const isNamed = bitsOf(variables, FIELDS.namer) > 0n;
  const named = answers[MAPPINGS.length] ?? "0x";
  if (variables === 0n) return { refusal: "the pool does not exist" };
  if (isNamed && !hasWords(named, 1)) return { refusal: "the contract that names the centre price failed" };
  if (!hasDecimals(variables)) return { refusal: "the decimals of a token cannot be" };
  return {
    contract: pool.address,
    ...{ variables, centerShift, rangeShift, thresholdShift },
    named: isNamed ? uintAt(named, 0) : 0n,
    readAt: at.blockNumber,
    isClosed: false,
  };
}

/** Of more the contract cannot convert any amount. @source contracts/protocols/dexLite/core/helpers.sol _tenPow */
const MOST_DECIMALS = 18n;

function hasDecimals(variables: bigint): boolean {
  return [FIELDS.decimals0, FIELDS.decimals1].every((field) => bitsOf(variables, field) <= MOST_DECIMALS);
}
