import type { Hex } from "../../core/types.ts";
import { DEPLOYER } from "../plan/addresses.ts";
import type { SeedTransaction } from "../plan/plan.ts";
import { quantity, type Rpc } from "../rpc.ts";

type Receipt = { status: Hex; transactionHash: Hex };

/**
 * Sends transactions from the deployer and mines them in order in one block.
 *
 * @throws Error when one is not in the block or has reverted
 */
export async function mine(rpc: Rpc, transactions: readonly SeedTransaction[]): Promise<void> {
  const nonce = Number(await rpc.call<Hex>("eth_getTransactionCount", [DEPLOYER, "latest"]));
  const hashes = await rpc.batch<Hex>(
    transactions.map(({ to, data, gas }, index) => ({
      method: "eth_sendTransaction",
      params: [{ from: DEPLOYER, to, data, gas: quantity(gas), nonce: quantity(nonce + index) }],
    })),
  );
  await rpc.call("evm_mine");

  const receipts = await rpc.call<Receipt[]>("eth_getBlockReceipts", ["latest"]);
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  hashes.forEach((hash, index) => {
    const status = byHash.get(hash)?.status;
    if (status === "0x1") return;
    const problem = status === undefined ? "was not mined" : "failed";
    throw new Error(`Transaction ${index} of the devnet's build, to ${transactions[index]?.to}, ${problem}.`);
  });
}
