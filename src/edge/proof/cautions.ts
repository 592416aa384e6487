import { encodeFunctionData, parseAbi } from "viem/utils";
import { forgetOldest } from "../../core/forget-oldest.ts";
import type { Address } from "../../core/types.ts";
import type { ProofPort, TransferProbe } from "../../service/ports/ports.ts";
import { fields, hex, integer, quantity } from "../node/parse.ts";
import type { Rpc } from "../node/transport/rpc.ts";

/** Checks of accounts and tokens that accompany a proof, with the same deadline as the steps of a proof. */

const DEADLINE_MS = 500;
/** Most transfer fees that are cached. */
const MOST_KNOWN = 2_000;
/** Blocks for which a transfer fee is cached: a token's owner may change it. */
const KNOWN_BLOCKS = 50;
const BPS = 10_000n;

/** Unused address that receives the transfer of a probe. */
const RECEIVER: Address = "0x0000000000000000000000000000000000fee7e5";
/** Code prefix of an EIP-7702 delegation: such an account still has a key, so it does not count as a contract. */
const DELEGATED = "0xef0100";

const token = parseAbi([
  "function transfer(address, uint256)",
  "function balanceOf(address) view returns (uint256)",
]);

type Known = { readonly block: number; readonly feeBps: number };

/**
 * Cache key of a probe. A caller chooses the amount, and by the sources also the pool that it moves from. A fee of one
 * unit rounds to nothing and a pool may be exempt, so a fee is only valid for the same pool and amounts of the same
 * number of bits.
 */
const keyOf = ({ token, holder, amount }: TransferProbe): string =>
  `${token} ${holder} ${amount.toString(2).length}`;

export function createCautions(rpc: Rpc): Pick<ProofPort, "isContract" | "transferFeeBps"> {
  const known = new Map<string, Known>();
  return {
    async isContract(account, { number, hash }) {
      const request = { method: "eth_getCode", params: [account, { blockHash: hash }] };
      const [answer] = await rpc.batch([request], { block: number, deadlineMs: DEADLINE_MS });
      if (answer?.ok !== true) return undefined;
      const code = hex(answer.result);
      return code !== "0x" && !code.startsWith(DELEGATED);
    },
    async transferFeeBps(probe) {
      const key = keyOf(probe);
      const before = known.get(key);
      if (before !== undefined && probe.head.number - before.block < KNOWN_BLOCKS) return before.feeBps;
      const feeBps = await probed(rpc, probe);
      // The amount may be more than the pool holds, which says nothing of other amounts.
      if (feeBps === undefined) return undefined;
      known.delete(key);
      known.set(key, { block: probe.head.number, feeBps });
      forgetOldest(known, MOST_KNOWN);
      return feeBps;
    },
  };
}

/**
 * Simulates a transfer by a holder of the token, and derives the fee, in basis points rounded down, from what arrives.
 */
async function probed(
  rpc: Rpc,
  { token: to, holder, amount, head }: TransferProbe,
): Promise<number | undefined> {
  const transfer = {
    from: holder,
    to,
    data: encodeFunctionData({ abi: token, args: [RECEIVER, amount], functionName: "transfer" }),
  };
  const look = { to, data: encodeFunctionData({ abi: token, functionName: "balanceOf", args: [RECEIVER] }) };
  const params = [{ blockStateCalls: [{ calls: [look, transfer, look] }] }, { blockHash: head.hash }];
  const [answer] = await rpc.batch([{ method: "eth_simulateV1", params }], {
    block: head.number,
    deadlineMs: DEADLINE_MS,
  });
  if (answer?.ok !== true) return undefined;
  try {
    const [before, sent, after] = callsOf(answer.result);
    if (integer(sent!.status) !== 1) return undefined;
    const arrived = quantity(after!.returnData) - quantity(before!.returnData);
    return arrived >= amount || arrived < 0n ? 0 : Number(((amount - arrived) * BPS) / amount);
  } catch {
    return undefined;
  }
}

function callsOf(result: unknown) {
  const { calls } = fields(Array.isArray(result) ? result[0] : undefined);
  return (calls as readonly unknown[]).map(fields);
}
