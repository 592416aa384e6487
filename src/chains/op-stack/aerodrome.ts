import type { Deployment } from "../../core/types.ts";

/** The three factories of Aerodrome's concentrated liquidity. */
export const aerodromeSlipstream: readonly Deployment[] = [
  {
    id: "aerodrome-slipstream",
    protocol: "uniswap-v3",
    name: "Aerodrome_Slipstream",
    factory: "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
    fromBlock: 13_843_704,
    trusted: false,
    facts: { keys: "tickSpacing" },
    source:
      "VeloraDEX/paraswap-dex-lib aa9c75fc and several public repositories agree; first block: DefiLlama dimension-adapters e7346b0, dexs/aerodrome-slipstream; not checked against the chain",
  },
  {
    id: "aerodrome-slipstream-2",
    protocol: "uniswap-v3",
    name: "Aerodrome_Slipstream_2",
    factory: "0xade65c38cd4849adba595a4323a8c7ddfe89716a",
    fromBlock: 36_953_918,
    trusted: false,
    facts: { keys: "tickSpacing" },
    source:
      "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama dimension-adapters e7346b0, dexs/aerodrome-slipstream; not checked against the chain",
  },
  {
    id: "aerodrome-slipstream-3",
    protocol: "uniswap-v3",
    name: "Aerodrome_Slipstream_3",
    factory: "0xf8f2eb4940cfe7d13603dddd87f123820fc061ef",
    fromBlock: 44_394_724,
    trusted: false,
    facts: { keys: "tickSpacing" },
    source:
      "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama dimension-adapters e7346b0, dexs/aerodrome-slipstream; not checked against the chain",
  },
];
