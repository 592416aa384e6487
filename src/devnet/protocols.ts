import { protocols } from "../protocols/index.ts";
import { pancakeV3Devnet } from "./pancake-v3.ts";
import type { DevnetProtocol } from "./plan/plan.ts";

/** @throws Error that names the file of a design that has none: the devnet and the printed pages need it */
async function ofDesign(name: string): Promise<DevnetProtocol> {
  try {
    const { devnet } = (await import(`../protocols/${name}/devnet.ts`)) as { devnet: DevnetProtocol };
    return devnet;
  } catch (cause) {
    const file = `src/protocols/${name}/devnet.ts`;
    throw new Error(`${file} cannot be loaded, and every design needs it: docs/recipes/add-a-dex.md`, {
      cause,
    });
  }
}

/** All protocols of the devnet: the `devnet.ts` of each protocol folder, and PancakeSwap v3 from its own package. */
export const devnetProtocols: readonly DevnetProtocol[] = [
  ...(await Promise.all([...protocols.keys()].map(ofDesign))),
  pancakeV3Devnet,
];
