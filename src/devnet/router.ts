import { concat, keccak256 } from "viem/utils";
import { CREATE2_DEPLOYER, type RouterArtifact } from "../core/encoding/router-artifact.ts";
import type { Hex } from "../core/types.ts";
import { mine } from "./node/mine.ts";
import type { Rpc } from "./rpc.ts";

const DEPLOY_GAS = 10_000_000;

/**
 * Deploys the router at its CREATE2 address unless the address has code.
 *
 * @returns whether it was deployed by this call
 * @throws Error when the deployed code is not that of the artifact
 */
export async function deployRouter(rpc: Rpc, artifact: RouterArtifact): Promise<boolean> {
  const codeAt = () => rpc.call<Hex>("eth_getCode", [artifact.address, "latest"]);
  if ((await codeAt()) !== "0x") return false;

  const data = concat([artifact.salt, artifact.initCode]);
  await mine(rpc, [{ to: CREATE2_DEPLOYER, data, gas: DEPLOY_GAS }]);
  if (keccak256(await codeAt()) !== artifact.runtimeCodeHash) {
    throw new Error(`The router at ${artifact.address} is not what its artifact says.`);
  }
  return true;
}
