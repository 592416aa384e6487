import artifact from "../../../contracts/out/Router.json" with { type: "json" };
import type { Address, Hex } from "../types.ts";

/** The router as it is deployed: one init code, so one CREATE2 address on every chain and for every operator. */
export type RouterArtifact = {
  /** Argument of the deterministic deployer. */
  readonly salt: Hex;
  readonly address: Address;
  /** Where earlier routers lie; an approval of one of them is of no use any more. */
  readonly formerAddresses: readonly Address[];
  readonly initCode: Hex;
  readonly initCodeHash: Hex;
  /** Hash of the code that must lie at the address. */
  readonly runtimeCodeHash: Hex;
};

export const routerArtifact = artifact as unknown as RouterArtifact;

export const ROUTER_ADDRESS: Address = routerArtifact.address;

/** Routers of earlier releases: wallets may have left approvals with them, which are of no use any more. */
export const FORMER_ROUTERS: readonly Address[] = routerArtifact.formerAddresses;

/** The deterministic deployer: called with salt ++ init code, it creates by CREATE2. */
export const CREATE2_DEPLOYER: Address = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
