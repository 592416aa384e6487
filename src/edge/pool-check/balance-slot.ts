import { encodeAbiParameters, keccak256, numberToHex } from "viem";
import { decodeUint, encodeBalanceOf } from "../../core/encoding/index.ts";
import type { Address, Head, Hex } from "../../core/types.ts";
import type { Rpc } from "../node/rpc.ts";

/** Storage slot that holds an account's balance, by account; undefined where no known layout answers `balanceOf`. */
export type BalanceSlot = (account: Address) => Hex;

/** Slots of a contract's own variables that are tried: tokens behind proxies keep gaps before their balances. */
const PLAIN_SLOTS = 110;

/**
 * Where OpenZeppelin's upgradeable tokens keep their balances.
 *
 * @source OpenZeppelin/openzeppelin-contracts-upgradeable contracts/token/ERC20/ERC20Upgradeable.sol, `ERC20StorageLocation`
 */
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;

const words = [{ type: "uint256" }, { type: "uint256" }] as const;

/** Layouts of `mapping(address => uint256)`: Solidity hashes the key before the slot, Vyper behind it. */
function layouts(): BalanceSlot[] {
  const places = [...Array.from({ length: PLAIN_SLOTS }, (_, slot) => BigInt(slot)), NAMESPACED];
  return places.flatMap((place): BalanceSlot[] => [
    (account) => keccak256(encodeAbiParameters(words, [BigInt(account), place])),
    (account) => keccak256(encodeAbiParameters(words, [place, BigInt(account)])),
  ]);
}

/** Above what an account can have by chance, and within the 96 bits that some tokens keep. */
const FIRST_MARK = 2n ** 90n;

type Asked = { readonly rpc: Rpc; readonly head: Head; readonly deadlineMs: number };

/**
 * Finds where a token keeps balances: every candidate slot of an account is overridden with a number of its own in one
 * `balanceOf` at the block, and the number that comes back names the slot.
 *
 * @returns undefined where the node takes no overrides, or the token works balances out from something else
 * @throws NodeFailure where no node answers
 */
export async function findBalanceSlot(
  token: Address,
  account: Address,
  { rpc, head, deadlineMs }: Asked,
): Promise<BalanceSlot | undefined> {
  const candidates = layouts();
  const stateDiff: Record<Hex, Hex> = {};
  for (const [k, slotOf] of candidates.entries())
    stateDiff[slotOf(account)] = numberToHex(FIRST_MARK + BigInt(k), { size: 32 });
  const call = { to: token, data: encodeBalanceOf(account) };
  const params = [call, { blockHash: head.hash }, { [token]: { stateDiff } }];
  const [answer] = await rpc.batch([{ method: "eth_call", params }], { block: head.number, deadlineMs });
  if (answer?.ok !== true || typeof answer.result !== "string" || answer.result.length !== 66)
    return undefined;
  return candidates[Number(decodeUint(answer.result as Hex) - FIRST_MARK)];
}
