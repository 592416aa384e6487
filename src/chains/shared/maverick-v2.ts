import type { Deployment } from "../../core/types.ts";

/** Maverick v2, whose factory has the same address on every chain. */
export const maverickV2 = (fromBlock: number): Deployment => ({
  id: "maverick-v2",
  protocol: "maverick-v2",
  name: "Maverick_V2",
  factory: "0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e",
  fromBlock,
  trusted: false,
  facts: {},
  source:
    "the factory agrees in several public repositories; first block: DefiLlama-Adapters, yield-server src/adaptors/maverick-v2; not checked against the chain",
});
