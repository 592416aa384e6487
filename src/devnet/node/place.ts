import type { Hex } from "../../core/types.ts";
import { DEPLOYER } from "../plan/addresses.ts";
import type { PlacedContract } from "../plan/plan.ts";
import type { Rpc } from "../rpc.ts";
import { mine } from "./mine.ts";

/**
 * Deploys contracts at given addresses, such as those on mainnet.
 *
 * The init code is set as the code of the address and called. The return data is the runtime code, with immutables for
 * this address, and a transaction with the same call makes the constructor's storage writes there. Then the runtime
 * code is set.
 *
 * @throws Error naming the contract whose constructor failed
 */
export async function placeContracts(rpc: Rpc, contracts: readonly PlacedContract[]): Promise<void> {
  await setCodes(
    rpc,
    contracts.map(({ address, creationCode }) => [address, creationCode]),
  );
  // A new contract has nonce 1, so contracts that the constructor creates get the same addresses as on Ethereum.
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
