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
  linea: [
    "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f", // WETH
    "0x176211869ca2b568f2a7d4ee941e073a821ee1ff", // USDC
    "0xa219439258ca9da29e9cc4ce5596924745e12b93", // USDT
    "0x3aab2285ddcddad8edf438c1bab47e1a9d05a9b4", // WBTC
    "0x1789e0043623282d5dcc7f213d703c6d8bafbb04", // LINEA
    "0xb5bedd42000b71fdde22d3ee8a79bd49a568fc8f", // wstETH
    "0x4af15ec2a0bd43db75dd04e62faa3b8ef36b00d5", // DAI
    "0xaca92e438df0b2401ff60da7e4337b687a2435da", // mUSD
    "0x1bf74c010e6320bab11e2e5a532b5ac15e0b8aa6", // weETH
    "0x2416092f143378750bb29b79ed961ab195cceea5", // ezETH
    "0xd2671165570f41bbb3b0097893300b6eb6101e6c", // wrsETH
    "0xefd81eec32b9a8222d1842ec3d99c7532c31e348", // REX
    "0x5fbdf89403270a1846f5ae7d113a989f850d1566", // FOXY
    "0x1a51b19ce03dbe0cb44c1528e34a7edd7771e9af", // LYNX
    "0xaaaac83751090c6ea42379626435f805ddf54dc8", // NILE
    "0x78354f8dccb269a615a7e0a24f9b0718fdc3c7a7", // ZERO
    "0x6ef95b6f3b0f39508e3e04054be96d5ee39ede0d", // SIS
    "0xa18152629128738a5c081eb226335fed4b9c95e9", // LINK
    "0x636b22bc471c955a8db60f28d4795066a8201fa3", // UNI
    "0x3b2f62d42db19b30588648bf1c184865d4c3b1d6", // KNC
    "0x93f4d0ab6a8b4271f4a28db399b5e30612d21116", // STONE
    "0x7d43aabc515c356145049227cee54b608342c0ad", // BUSD
    "0x15eefe5b297136b8712291b632404b66a8ef4d25", // uniETH
    "0xb79dd08ea68a908a97220c76d19a6aa9cbde4376", // USD+
    "0x43e8809ea748eff3204ee01f08872f063e44065f", // MENDI
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDE
    "0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2", // sUSDe
    "0x3ff47c5bf409c86533fe1f4907524d304062428d", // EURe
    "0x808d7c71ad2ba3fa531b068a2417c63106bc0949", // STG
    "0xeb466342c4d449bc9f53a865d5cb90586f405215", // axlUSDC
  ],
  scroll: [
    "0x5300000000000000000000000000000000000004", // WETH
    "0x06efdbff2a14a7c8e15944d1f4a48f9f95f663a4", // USDC
    "0xf55bec9cafdbe8730f096aa55dad6d22d44099df", // USDT
    "0xf610a9dfb7c89644979b4a0f27063e9e7d7cda32", // wstETH
    "0xd29687c813d741e2f938f4ac377128810e217b1b", // SCR
    "0x3c1bca5a656e69edcd0d4e36bebb3fcdaca60cf1", // WBTC
    "0xca77eb3fefe3725dc33bccb54edefc3d9f764f97", // DAI
    "0x01f0a31698c4d065659b9bdc21b3610292a1c506", // weETH
    "0xa25b25548b4c98b0c7d3d27dca5d5ca743d68b7f", // wrsETH
    "0x53878b874283351d26d206fa512aece1bef6c0dd", // rETH
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDe
    "0x80137510979822322193fc997d400d5a6c747bf7", // STONE
    "0xecc68d0451e20292406967fe7c04280e5238ac7d", // frxETH
    "0x056a5fa5da84ceb7f93d36e545c5905607d8bd81", // ETHFI
    "0x95a52ec1d60e74cd3eb002fe54a2c74b185a4c16", // SKY
    "0xeb466342c4d449bc9f53a865d5cb90586f405215", // axlUSDC
    "0x65421ba909200b81640d98b979d07487c9781b66", // rsETH
    "0xdb9e8f82d6d45fff803161f2a5f75543972b229a", // USDQ
    "0x0a3bb08b3a15a19b4de82f8acfc862606fb69a2d", // iUSD
    "0x1467b62a6ae5cdcb10a6a8173cfe187dd2c5a136", // SIS
    "0x60d01ec2d5e98ac51c8b4cf84dfcce98d527c747", // iZi
  ],
} as const satisfies Record<string, readonly Address[]>;
