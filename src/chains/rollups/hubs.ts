import type { Address } from "../../core/types.ts";

/** Hub tokens by chain, as `ethereum/hubs.ts` explains. */
export const hubs = {
  arbitrum: [
    "0x82af49447d8a07e3bd95bd0d56f35241523fbab1", // WETH
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831", // USDC
    "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8", // USDC
    "0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f", // WBTC
    "0x912ce59144191c1204e64559fe8253a0e49e6548", // ARB
    "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", // DAI
    "0x5979d7b546e38e414f7e9822514be443a4800529", // wstETH
    "0x35751007a407ca6feffe80b3cb397736d2cf4dbe", // weETH
    "0xf97f4df75117a78c1a5a0dbb814af92458539fb4", // LINK
    "0xfc5a1a6eb076a2c7ad06ed22c90d7e710e35ad0a", // GMX
    "0x0c880f6761f1af8d9aa9c466984b80dab9a8c9e8", // PENDLE
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDe
    "0xfa7f8980b0f1e64a2062791cc3b0871572f1f7f0", // UNI
    "0xba5ddd1f9d7f570dc94a51479a000e3bce967196", // AAVE
    "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", // USD₮0
    "0x18c11fd286c5ec11c3b683caa813b77f5163a122", // GNS
    "0x7dff72693f6a4149b17e7c6314655f6a9f7c8b33", // GHO
    "0xec70dcb4a1efa46b8f2d97c310c9c4790ba5ffa8", // rETH
    "0x498bf2b1e120fed3ad3d42ea2165e9b73f99c1e5", // CRVUSD
    "0x11cdb42b0eb46d95f990bedd4695a6e3fa034978", // CRV
    "0x13ad51ed4f1b7e9dc168d8a00cb3f4ddd85efa60", // LDO
    "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", // CBBTC
    "0x2416092f143378750bb29b79ed961ab195cceea5", // ezETH
    "0x4186bfc76e2e237523cbc30fd220fe055156b41f", // rsETH
    "0x6985884c4392d348587b19cb9eaaf157f13271cd", // ZRO
    "0x354a6da3fcde098f8389cad84b0182725c6c91de", // COMP
    "0x93b346b6bc2548da6a1e7d98e9a421b42541425b", // LUSD
    "0x4d15a3a2286d883af0aa1b3f21367843fac63e07", // TUSD
    "0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2", // SUSDE
    "0x040d1edc9569d4bab2d15287dc5a4f10f56a56b8", // BAL
    "0x9623063377ad1b27544c965ccd7342f7ea7e88c7", // GRT
    "0x863708032b5c328e11abcbc0df9d79c71fc52a48", // EURC
    "0xcba56cd8216fcbbf3fa6df6137f3147cbca37d60", // SNX
    "0x606c3e5075e5555e79aa15f1e9facb776f96c248", // EIGEN
  ],
} as const satisfies Record<string, readonly Address[]>;
