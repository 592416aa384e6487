import artifact from "../../../contracts/out/Router.json" with { type: "json" };
import type { Address, Hex } from "../types.ts";

/** The deployed router: one init code, hence the same CREATE2 address on every chain and for every operator. */
export type RouterArtifact = {
  /** CREATE2 salt, the deployer's first argument. */
  readonly salt: Hex;
  readonly address: Address;
  /** Addresses of earlier routers; approvals of these have no use any more. */
  readonly formerAddresses: readonly Address[];
  readonly initCode: Hex;
  readonly initCodeHash: Hex;
  /** Hash of the runtime code expected at the address. */
  readonly runtimeCodeHash: Hex;
};

export const routerArtifact = artifact as unknown as RouterArtifact;

export const ROUTER_ADDRESS: Address = routerArtifact.address;

/** Routers of earlier releases. Wallets may still have approvals of them, which have no use any more. */
export const FORMER_ROUTERS: readonly Address[] = routerArtifact.formerAddresses;

/** The deterministic deployer: called with salt ++ init code, it deploys by CREATE2. */
export const CREATE2_DEPLOYER: Address = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
