import { encodeAbiParameters, keccak256, numberToHex } from "viem";
import { encodeAllowance } from "../../core/encoding/index.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import type { Rpc } from "../node/rpc.ts";

/** Storage slot that holds what an owner lets a spender take. */
export type AllowanceSlot = (owner: Address, spender: Address) => Hex;

/** Slots of a contract's own variables that are tried; see `findBalanceSlot`. */
const PLAIN_SLOTS = 110;

/** @source OpenZeppelin ERC20Upgradeable.sol: `_allowances` follows `_balances` in `ERC20StorageLocation` */
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace01n;

const words = [{ type: "uint256" }, { type: "uint256" }] as const;
const hashed = (first: bigint, second: bigint): bigint =>
  BigInt(keccak256(encodeAbiParameters(words, [first, second])));

/** Layouts of `mapping(address => mapping(address => uint256))`: Solidity hashes a key before the slot, Vyper behind it. */
function layouts(): AllowanceSlot[] {
  const places = [...Array.from({ length: PLAIN_SLOTS }, (_, slot) => BigInt(slot)), NAMESPACED];
  const slot = (value: bigint): Hex => numberToHex(value, { size: 32 });
  return places.flatMap((place): AllowanceSlot[] => [
    (owner, spender) => slot(hashed(BigInt(spender), hashed(BigInt(owner), place))),
    (owner, spender) => slot(hashed(hashed(place, BigInt(owner)), BigInt(spender))),
  ]);
}

/** Above what is allowed by chance, and within the 96 bits that some tokens keep. */
const FIRST_MARK = 2n ** 90n;

type Asked = { readonly rpc: Rpc; readonly head: Head; readonly deadlineMs: number };

/**
 * Finds where a token keeps allowances, as `findBalanceSlot` finds balances: every candidate slot is overridden with a
 * number of its own, and the number that `allowance` answers names the slot.
 *
 * @returns undefined where the node takes no overrides, or no known layout answers
 * @throws NodeFailure where no node answers
 */
export async function findAllowanceSlot(
  token: Address,
  pair: { readonly owner: Address; readonly spender: Address },
  { rpc, head, deadlineMs }: Asked,
): Promise<AllowanceSlot | undefined> {
  const candidates = layouts();
  const stateDiff: Record<Hex, Hex> = {};
  for (const [k, slotOf] of candidates.entries())
    stateDiff[slotOf(pair.owner, pair.spender)] = numberToHex(FIRST_MARK + BigInt(k), { size: 32 });
  const call = { to: token, data: encodeAllowance(pair.owner, pair.spender) };
  const params = [call, { blockHash: head.hash }, { [token]: { stateDiff } }];
  const [answer] = await rpc.batch([{ method: "eth_call", params }], { block: head.number, deadlineMs });
  const result = answer?.ok === true ? answer.result : undefined;
  if (typeof result !== "string" || result.length !== 66) return undefined;
  return candidates[Number(BigInt(result) - FIRST_MARK)];
}
