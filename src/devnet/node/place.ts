import type { Hex } from "../../core/types.ts";
import { DEPLOYER } from "../plan/addresses.ts";
import type { PlacedContract } from "../plan/plan.ts";
import type { Rpc } from "../rpc.ts";
import { mine } from "./mine.ts";

/**
 * Makes contracts stand at addresses that are not derived from their creation.
 *
 * The init code is put at the address and called: the answer is the runtime code with the immutables of that very
 * address, and a transaction of the same call runs the constructor's storage writes there.
 *
 * @throws Error naming the contract whose constructor failed
 */
export async function placeContracts(rpc: Rpc, contracts: readonly PlacedContract[]): Promise<void> {
  await setCodes(
    rpc,
    contracts.map(({ address, creationCode }) => [address, creationCode]),
  );
  // A contract begins to count its own creations at 1: what a constructor creates stands where it does on Ethereum.
  await rpc.batch(contracts.map(({ address }) => ({ method: "anvil_setNonce", params: [address, "0x1"] })));
  const runtimeCodes = await rpc.batch<Hex>(
    contracts.map(({ address }) => ({
      method: "eth_call",
      params: [{ from: DEPLOYER, to: address, gas: "0x2faf080" }, "latest"],
    })),
  );
  const empty = contracts.find((_, index) => runtimeCodes[index]?.length === 2);
  if (empty !== undefined) throw new Error(`The constructor at ${empty.address} answered no code.`);

  await mine(
    rpc,
    contracts.map(({ address }) => ({ to: address, data: "0x", gas: 16_000_000 })),
  );
  await setCodes(
    rpc,
    contracts.map(({ address }, index) => [address, runtimeCodes[index]!]),
  );
}

async function setCodes(rpc: Rpc, codes: readonly (readonly [string, Hex])[]): Promise<void> {
  await rpc.batch(codes.map((params) => ({ method: "anvil_setCode", params })));
}
