import type { Deployment } from "../../core/types.ts";

/**
 * Velodrome beyond Optimism, whose factories have the same addresses on every chain.
 *
 * @param blockSeconds seconds between two blocks of the chain
 */
export const velodrome = (blockSeconds: number): readonly Deployment[] => [
  {
    id: "velodrome-v2",
    protocol: "solidly",
    name: "Velodrome_V2",
    factory: "0x31832f2a97fd20664d76cc421207669b55ce4bc0",
    fromBlock: 0,
    trusted: true,
    facts: { solver: "nearestPlain", feeCall: "poolAndCurve" },
    source:
      "velodrome-finance/superchain-contracts deployment-addresses at 7e54588 and DefiLlama-Adapters 1eb4e81; first block unknown; not checked against the chain",
  },
  {
    id: "velodrome-slipstream",
    protocol: "uniswap-v3",
    name: "Velodrome_Slipstream",
    factory: "0x04625b046c69577efc40e6c0bb83cdbafab5a55f",
    fromBlock: 0,
    trusted: true,
    facts: { keys: "tickSpacing", blockSeconds },
    source:
      "velodrome-finance/superchain-slipstream script/deployParameters at 7d42e6f (the legacy factory) and DefiLlama-Adapters 1eb4e81; its swap is that of velodrome-finance/slipstream 193a6b8; first block unknown; not checked against the chain",
  },
  {
    id: "velodrome-slipstream-2",
    protocol: "uniswap-v3",
    name: "Velodrome_Slipstream_2",
    factory: "0x718e46d0962a66942e233760a8bd6038ce54edcd",
    fromBlock: 0,
    trusted: true,
    facts: { keys: "tickSpacing", blockSeconds },
    source:
      "velodrome-finance/superchain-slipstream deployment-addresses and README.md at 7d42e6f; its swap is that of velodrome-finance/slipstream 193a6b8; first block unknown; not checked against the chain",
  },
];
