import { encodeAbiParameters, keccak256, numberToHex } from "viem/utils";
import { encodeAllowance, encodeBalanceOf } from "../../core/encoding/index.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import type { Rpc } from "../node/transport/rpc.ts";

/** Storage slot that holds an account's balance. */
export type BalanceSlot = (account: Address) => Hex;

/** Storage slot that holds the allowance of an owner for a spender. */
export type AllowanceSlot = (owner: Address, spender: Address) => Hex;

/**
 * Number of declared slots that are tried as the mapping's own: tokens behind proxies reserve gaps before their
 * balances.
 */
const PLAIN_SLOTS = 110;

/**
 * Slot of the balances mapping of OpenZeppelin's upgradeable tokens; the allowances mapping has the next slot.
 *
 * @source OpenZeppelin/openzeppelin-contracts-upgradeable contracts/token/ERC20/ERC20Upgradeable.sol, `ERC20StorageLocation`
 */
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;

const words = [{ type: "uint256" }, { type: "uint256" }] as const;
const hashed = (first: bigint, second: bigint): bigint =>
  BigInt(keccak256(encodeAbiParameters(words, [first, second])));
const slot = (value: bigint): Hex => numberToHex(value, { size: 32 });

const places = (namespaced: bigint): readonly bigint[] => [
  ...Array.from({ length: PLAIN_SLOTS }, (_, place) => BigInt(place)),
  namespaced,
];

/** Layouts of `mapping(address => uint256)`: Solidity hashes key and then slot, Vyper slot and then key. */
const balanceLayouts = (): readonly BalanceSlot[] =>
  places(NAMESPACED).flatMap((place): BalanceSlot[] => [
    (account) => slot(hashed(BigInt(account), place)),
    (account) => slot(hashed(place, BigInt(account))),
  ]);

/** Layouts of `mapping(address => mapping(address => uint256))`, in both orders of hashing. */
const allowanceLayouts = (): readonly AllowanceSlot[] =>
  places(NAMESPACED + 1n).flatMap((place): AllowanceSlot[] => [
    (owner, spender) => slot(hashed(BigInt(spender), hashed(BigInt(owner), place))),
    (owner, spender) => slot(hashed(hashed(place, BigInt(owner)), BigInt(spender))),
  ]);

/**
 * First of the marks: above any real balance or allowance, and within the 96 bits in which some tokens store amounts.
 */
const FIRST_MARK = 2n ** 90n;

type Asked = { readonly rpc: Rpc; readonly head: Head; readonly deadlineMs: number };

/**
 * Finds the storage slot in which a token keeps balances. One `balanceOf` call at the block overrides every candidate
 * slot of an account with a mark of its own; the mark that is answered names the slot.
 *
 * @returns undefined where the node supports no overrides, or the token does not store balances as such
 * @throws NodeFailure where no node answers
 */
export async function findBalanceSlot(
  token: Address,
  account: Address,
  asked: Asked,
): Promise<BalanceSlot | undefined> {
  const layouts = balanceLayouts();
  const slots = layouts.map((slotOf) => slotOf(account));
  return layouts[await answeredFrom({ to: token, data: encodeBalanceOf(account) }, slots, asked)];
}

/**
 * Finds the storage slot in which a token keeps allowances, as `findBalanceSlot` does for balances, by a call of
 * `allowance`.
 *
 * @returns undefined where the node supports no overrides, or the token has none of the known layouts
 * @throws NodeFailure where no node answers
 */
export async function findAllowanceSlot(
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
  asked: Asked,
): Promise<AllowanceSlot | undefined> {
  const layouts = allowanceLayouts();
  const slots = layouts.map((slotOf) => slotOf(owner, spender));
  return layouts[await answeredFrom({ to: token, data: encodeAllowance(owner, spender) }, slots, asked)];
}

/**
 * The index of the slot that a call's answer was read from.
 *
 * @returns -1 where the answer is not a word; an index that is out of range where the answer is none of the marks
 */
async function answeredFrom(
  call: { readonly to: Address; readonly data: Hex },
  slots: readonly Hex[],
  { rpc, head, deadlineMs }: Asked,
): Promise<number> {
  const marks = slots.map((one, index) => [one, slot(FIRST_MARK + BigInt(index))] as const);
  const params = [call, { blockHash: head.hash }, { [call.to]: { stateDiff: Object.fromEntries(marks) } }];
  const [answer] = await rpc.batch([{ method: "eth_call", params }], { block: head.number, deadlineMs });
  const result = answer?.ok === true ? answer.result : undefined;
  if (typeof result !== "string" || result.length !== 66) return -1;
  return Number(BigInt(result) - FIRST_MARK);
}
