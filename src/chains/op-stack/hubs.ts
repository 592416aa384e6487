import type { Address } from "../../core/types.ts";

/** Hub tokens by chain, as `ethereum/hubs.ts` explains. */
export const hubs = {
  optimism: [
    "0x4200000000000000000000000000000000000006", // WETH
    "0x0b2c639c533813f4aa9d7837caf62653d097ff85", // USDC
    "0x7f5c764cbc14f9669b88837ca1490cca17c31607", // USDC
    "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58", // USDT
    "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", // DAI
    "0x68f180fcce6836688e9084f035309e29bf0a2095", // WBTC
    "0x4200000000000000000000000000000000000042", // OP
    "0x1f32b1c2345538c0c6f582fcb022739c4a194ebb", // wstETH
    "0x8c6f28f2f1a3c87f0f938b96d27520d9751ec8d9", // sUSD
    "0x8700daec35af8ff88c16bdf0418774cb3d7599b4", // SNX
    "0x350a791bfc2c21f9ed5d10980dad2e2638ffa7f6", // LINK
    "0xdc6ff44d5d932cbd77b52e5612ba0529dc6226f1", // WLD
    "0x9bcef72be871e61ed4fbbc7630889bee758eb81d", // rETH
    "0xaddb6a0412de1ba0f936dcaeb8aaa24578dcf3b2", // cbETH
    "0x2e3d870790dc77a83dd1d18184acc7439a53f475", // FRAX
    "0xc40f949f8a4e094d1b49a23ea9241d289b7b2819", // LUSD
    "0x6fd9d7ad17242c41f7131d257212c54a0e816691", // UNI
    "0x76fb31fb4af56892a25e32cfc43de717950c9278", // AAVE
    "0x0994206dfe8de6ec6920ff4d779b0d950605fb53", // CRV
    "0xfdb794692724153d1488ccdbe0c56c252596735f", // LDO
    "0x6c84a8f1c29108f47a79964b5fe888d4f4d0de40", // tBTC
    "0x9e1028f5f1d5ede59748ffcee5532509976840e0", // PERP
    "0xfe8b128ba8c78aabc59d4c64cee7ff28e9379921", // BAL
    "0x9046d36440290ffde54fe0dd84db8b1cfee9107b", // YFI
    "0xcb59a0a753fdb7491d5f3d794316f1ade197b21e", // TUSD
    "0xb153fb3d196a8eb25522705560ac152eeec57901", // MIM
  ],
  base: [
    "0x4200000000000000000000000000000000000006", // WETH
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // USDC
    "0x940181a94a35a4569e4529a3cdfb74e38fd98631", // AERO
    "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", // cbBTC
    "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", // USDbC
    "0x50c5725949a6f0c72e6c4a641f24049a917db0cb", // DAI
    "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", // USDT
    "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452", // wstETH
    "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22", // cbETH
    "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42", // EURC
    "0x4ed4e862860bed51a9570b96d89af5e1b0efefed", // DEGEN
    "0x532f27101965dd16442e59d40670faf5ebb142e4", // BRETT
    "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b", // VIRTUAL
    "0xb6fe221fe9eef5aba221c348ba20a1bf5e73624c", // rETH
    "0x820c137fa70c8691f0e44dc420a5e53c168921dc", // USDS
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDe
    "0x236aa50979d5f3de3bd1eeb40e81137f22ab794b", // tBTC
    "0xa88594d404727625a9437c3f886c7643872296ae", // WELL
    "0xbaa5cc21fd487b8fcc2f632f3f4e8d37262a0842", // MORPHO
    "0xecac9c5f704e954931349da37f60e39f515c11c1", // LBTC
    "0x2416092f143378750bb29b79ed961ab195cceea5", // ezETH
    "0x98d0baa52b2d063e780de12f615f963fe8537553", // KAITO
    "0x6985884c4392d348587b19cb9eaaf157f13271cd", // ZRO
    "0x417ac0e078398c154edfadd9ef675d30be60af93", // crvUSD
    "0x6bb7a212910682dcfdbd5bcbb3e28fb4e8da10ee", // GHO
    "0x88fb150bdc53a65fe94dea0c9ba0a6daf8c6e196", // LINK
    "0xc3de830ea07524a0761646a6a4e4be0e114a3c83", // UNI
    "0x63706e401c06ac8513145b7687a14804d17f814b", // AAVE
    "0x8ee73c484a26e0a5df2ee2a4960b789967dd0415", // CRV
    "0xa99f6e6785da0f5d6fb42495fe424bce029eeb3e", // PENDLE
    "0xcb585250f852c6c6bf90434ab21a00f02833a4af", // CBXRP
    "0x9e1028f5f1d5ede59748ffcee5532509976840e0", // COMP
    "0x22e6966b799c4d5b13be962e1d117b56327fda66", // SNX
    "0x368181499736d0c0cc614dbb145e2ec1ac86b8c6", // LUSD
    "0x4158734d47fc9692176b5085e0f52ee0da5d47f1", // BAL
    "0x9eaf8c1e34f05a589eda6bafdf391cf6ad3cb239", // YFI
    "0x5875eee11cf8398102fdad704c9e96607675467a", // sUSDS
    "0x2081ab0d9ec9e4303234ab26d86b20b3367946ee", // EIGEN
    "0x1bc71130a0e39942a7658878169764bbd8a45993", // rsETH
  ],
} as const satisfies Record<string, readonly Address[]>;
