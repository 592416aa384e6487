import { writeNamed } from "../../core/named-addresses.ts";

/**
 * Hooks of Uniswap v4's pools that are covered, by family, and the contracts beside them that their rules depend on.
 * No address was checked against the chain.
 *
 * @source Clanker: clanker-devco/v4-contracts b004c2e README.md, and clanker-devco/clanker-sdk b27721b
 *   src/utils/clankers.ts; Doppler: whetstoneresearch/doppler b4308a0 Deployments.md; Zora: ourzora/zora-protocol
 *   5f2aebad, all versions of packages/coins/addresses/8453.json and packages/coins-deployments/addresses/8453.json.
 *   Each hook is also listed by KyberNetwork/kyberswap-dex-lib ae6a99a pkg/liquidity-source/uniswap/v4/hooks.
 */

export const hooksOnEthereum = writeNamed({
  "clanker-static-v2": "0x6c24d0bcc264ef6a740754a11ca579b9d225e8cc",
  "clanker-converter": "0x00c4b21889145cf0d99f2e05919103e0c3991974",
  "doppler-scheduled": "0xc6a562cb5cbfa29bcb1bdccf903b8b8f2e4a2dc0",
});

export const hooksOnBsc = writeNamed({
  "clanker-static-v2": "0xc5d309026bcab6630888d51ce21154ad2f4828cc",
  "clanker-converter": "0x1166022e1becc70e7e9ab2250af1ac7842b9b420",
});

export const hooksOnArbitrum = writeNamed({
  "clanker-static": "0xf7ac669593d2d9d01026fa5b756dd5b4f7aaa8cc",
  "clanker-factory": "0xeb9d2a726edffc887a574dc7f46b3a3638e8e44f",
  "clanker-converter": "0xf3622742b1e446d92e45e22923ef11c2fcd55d68",
});

export const hooksOnBase = writeNamed({
  "clanker-static": "0xdd5eeaff7bd481ad55db083062b13a3cdf0a68cc",
  "clanker-static-v2": "0xb429d62f8f3bffb98cdb9569533ea23bf0ba28cc",
  "clanker-factory": "0xe85a59c628f7d27878aceb4bf3b35733630083a9",
  "clanker-locker": "0x29d17c1a8d851d7d4ca97fae97acadb398d9cce0",
  "clanker-converter": "0x63d2dfea64b3433f4071a98665bcd7ca14d93496",
  "doppler-multicurve": "0x892d3c2b4abeaaf67d52a7b29783e2161b7cad40",
  "doppler-scheduled": "0x3e342a06f9592459d75721d6956b570f02ef2dc0",
  "doppler-decay": "0xbb7784a4d481184283ed89619a3e3ed143e1adc0",
  "zora-factory": "0x777777751622c0d3258f214f9df38e35bf45baf3",
  "zora-coin": [
    "0xfff800b76768da8ab6aab527021e4a6a91219040",
    "0xfbce3d80c659c765bc6c55e29e87d839c7609040",
    "0x854f820475b229b7805a386f758cfb285023d040",
    "0x9301690be9ac901de52c5ebff883862bbfc99040",
    "0x5e5d19d22c85a4aef7c1fdf25fb22a5a38f71040",
    "0xd61a675f8a0c67a73dc3b54fb7318b4d91409040",
    "0x8218fa8d7922e22aed3556a09d5a715f16ad5040",
    "0x1258e5f3c71ca9dce95ce734ba5759532e46d040",
    "0xd3d133469adc85e01a4887404d8ac12d630e9040",
    "0xa1ebdd5ca6470bbd67114331387f2dda7bfad040",
    "0xb030fd8c2f8576f8ab05cfbbe659285e7d7a1040",
    "0xe61bdf0c9e665f02df20fede6dcef379cb751040",
    "0x81542dc43aff247eff4a0ecefc286a2973ae1040",
    "0x5bf219b3cc11e3f6dd8dc8fc89d7d1deb0431040",
    "0x9ea932730a7787000042e34390b8e435dd839040",
    "0xff74be9d3596ea7a33bb4983dd7906fb34135040",
    "0x2b15a16b3ef024005ba899bb51764fcd58cf9040",
    "0xc8d077444625eb300a427a6dfb2b1dbf9b159040",
  ],
});
