import { protocols } from "../protocols/index.ts";
import { pancakeV3Devnet } from "./pancake-v3.ts";
import type { DevnetProtocol } from "./plan/plan.ts";

async function ofDesign(name: string): Promise<DevnetProtocol> {
  const { devnet } = (await import(`../protocols/${name}/devnet.ts`)) as { devnet: DevnetProtocol };
  return devnet;
}

/** All protocols of the devnet: the `devnet.ts` of each protocol folder, and PancakeSwap v3 from its own package. */
export const devnetProtocols: readonly DevnetProtocol[] = [
  ...(await Promise.all([...protocols.keys()].map(ofDesign))),
  pancakeV3Devnet,
];
