import type { Address } from "../core/types.ts";

/**
 * Hub tokens by chain: the wrapped coin, stablecoins and major tokens, the most traded first. Discovery reads the pools
 * of all pairs of hubs first. Pools of any other token are looked up by its pairs with the first few hubs.
 *
 * All are from the shipped token list (src/edge/token-lists/data/tokens.json, which names its sources and licences).
 * The choice of hubs is this project's own and only decides what is read first.
 */
export const hubs = {
  ethereum: [
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // WETH
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // USDC
    "0xdac17f958d2ee523a2206206994597c13d831ec7", // USDT
    "0x6b175474e89094c44da98b954eedeac495271d0f", // DAI
    "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", // WBTC
    "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0", // wstETH
    "0x4c9edd5852cd905f086c759e8383e09bff1e68b3", // USDe
    "0xdc035d45d973e3ec169d2276ddab16f1e407384f", // USDS
    "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", // cbBTC
    "0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee", // weETH
    "0x514910771af9ca656af840dff83e8264ecf986ca", // LINK
    "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", // UNI
    "0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9", // AAVE
    "0x6982508145454ce325ddbe47a25d4ec3d2311933", // PEPE
    "0xd533a949740bb3306d119cc777fa900ba034cd52", // CRV
    "0x853d955acef822db058eb8505911ed77f175b99e", // FRAX
    "0xf939e0a03fb07f59a73314e73794be0e57ac1b4e", // crvUSD
    "0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f", // GHO
    "0x6c3ea9036406852006290770bedfcaba0e23a0e8", // PYUSD
    "0x9d39a5de30e57443bff2a8307a4256c8797a3497", // sUSDe
    "0xae7ab96520de3a18e5e111b5eaab095312d7fe84", // stETH
    "0xae78736cd615f374d3085123a210448e74fc6393", // rETH
    "0x5a98fcbea516cf06857215779fd812ca3bef1b32", // LDO
    "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2", // MKR
    "0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce", // SHIB
    "0x57e114b691db790c35207b2e685d4a43181e6061", // ENA
    "0x18084fba666a33d37592fa2633fd49a74dd93a88", // tBTC
    "0x5f98805a4e8be255a32880fdec7f6728c6568ba0", // LUSD
    "0xfaba6f8e4a5e8ab82f62fe7c39859fa577269be3", // ONDO
    "0x808507121b80c02388fad14726482e061b8da827", // PENDLE
    "0xc00e94cb662c3520282e6f5717214004a7f26888", // COMP
    "0xc18360217d8f7ab5e7c516566761ea12ce7f9d72", // ENS
    "0xc011a73ee8576fb46f5e1c5751ca3b9fe0af2a6f", // SNX
    "0xba100000625a3754423978a60c9317c58a424e3d", // BAL
    "0x455e53cbb86018ac2b8092fdcd39d8444affc3f6", // POL
    "0xbe9895146f7af43049ca1c1ae358b0541ea49704", // cbETH
    "0x4d224452801aced8b2f0aebe155379bb5d594381", // APE
    "0xec53bf9167f50cdeb3ae105f56099aaab9061f83", // EIGEN
    "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c", // EURC
    "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409", // FDUSD
  ],
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
  bsc: [
    "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c", // WBNB
    "0x55d398326f99059ff775485246999027b3197955", // BSC-USD
    "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d", // USDC
    "0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c", // BTCB
    "0x4db5a66e937a9f4473fa95b1caf1d1e1d62e29ea", // ETH
    "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409", // FDUSD
    "0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d", // USD1
    "0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82", // CAKE
    "0xe9e7cea3dedca5984780bafc599bd69add087d56", // BUSD
    "0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3", // DAI
    "0xa2e3356610840701bdf5611a53974510ae27e2e1", // WBETH
    "0x1d2f0da169ceb9fc7b3144628db156f3f6c60dbe", // XRP
    "0x3ee2200efb3400fabb9aacf31297cbdd1d435d47", // ADA
    "0xba2ae424d960c26247dd6c32edc70b295c744c43", // DOGE
    "0x4b0f1812e5df2a09796481ff14017e6005508003", // TWT
    "0xcf6bb5389c92bdda8a3747ddb454cb7a64626c63", // XVS
    "0xf8a0bf9cf54bb92f17374d9e9a321e6a111a51bd", // LINK
    "0xbf5140a22578168fd562dccf235e5d43a02ce9b1", // UNI
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDE
    "0x4338665cbb7b2485a8855a139b75d5e34ab0db94", // LTC
    "0x40af3827f39d0eacbf4a168f8d4ee67c121d11c9", // TUSD
    "0x04c0599ae5a44757c0af6f9ec3b93da8976c150a", // WEETH
    "0x90c97f71e18723b0cf0dfa30ee176ab653e89f40", // FRAX
    "0xb3ed0a426155b79b898849803e3b36552f7ed507", // PENDLE
    "0x25d887ce7a35172c62febfd67a1856f20faebb00", // PEPE
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a", // AUSD
    "0x6985884c4392d348587b19cb9eaaf157f13271cd", // ZRO
    "0x111111111117dc0aa78b770fa6a738034120c302", // 1INCH
    "0x8f86a15ec17cb3369d8b3e666dadbc11daa82b79", // APE
    "0x371c7ec6d8039ff7933a2aa28eb827ffe1f52f07", // JOE
    "0xecac9c5f704e954931349da37f60e39f515c11c1", // LBTC
    "0x0555e30da8f98308edb960aa94c0db47230d2b9c", // WBTC
  ],
  polygon: [
    "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", // WPOL
    "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", // USDC
    "0x9417669fbf23357d2774e9d421307bd5ea1006d2", // USDT
    "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", // DAI
    "0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6", // WBTC
    "0x5d49c278340655b56609fdf8976eb0612af3a0c3", // WBTC
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174", // USDC.e
    "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619", // WETH
    "0xd6df932a45c0f255f85145f286ea0b292b21c90b", // AAVE
    "0x53e0bca35ec356bd5dddfebbd1fc0fd03fabad39", // LINK
    "0x3a58a54c066fdc0f2d55fc9c89f0415c92ebf3c4", // stMATIC
    "0xfa68fb4628dff1028cfec22b4162fccd0d45efb6", // MaticX
    "0x03b54a6e9a984069379fae1a4fc4dbae93b3bccd", // wstETH
    "0x172370d5cd63279efa6d502dab29171933a610af", // CRV
    "0xb33eaad8d922b1083446dc23f610c2567fb5180f", // UNI
    "0xbbba073c31bf03b8acf7c28ef0738decf3695683", // SAND
    "0x385eeac5cb85a38a9a07a70c73e0a3271cfb54a7", // GHST
    "0x236aa50979d5f3de3bd1eeb40e81137f22ab794b", // tBTC
    "0xc4ce1d6f5d98d65ee25cf85e9f2e9dcfee6cb5d6", // CRVUSD
    "0x9a71012b13ca4d3d0cdc72a177df3ef03b0e76a3", // BAL
    "0xc3c7d422809852031b44ab29eec9f1eff2a58756", // LDO
    "0x50b728d8d964fd00c2d0aad81718b71311fef68a", // SNX
    "0x6f7c932e7684666c9fd1d44527765433e01ff61d", // MKR
    "0x0b3f868e0be5597d5db7feb59e1cadbb0fdda50a", // SUSHI
    "0xe5417af564e4bfda1c483642db72007871397896", // GNS
    "0x580a84c73811e1839f75d86d75d88cca0c241ff4", // QI
    "0x23001f892c0c82b79303edc9b9033cd190bb21c7", // LUSD
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // USDT0
    "0xe111178a87a3bff0c8d18decba5798827539ae99", // EURS
    "0xe0b52e49357fd4daf2c15e02058dce6bc0057db4", // EURA
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a", // AUSD
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
  avalanche: [
    "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7", // WAVAX
    "0xb24ca28d4e2742907115fecda335b40dbda07a4c", // USDC
    "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", // USDC
    "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7", // USDt
    "0xf0ff231e3f1a50f83136717f287adab862f89431", // USDT
    "0x152b9d0fdc40c096757f570a51e494bd4b943e50", // BTC.b
    "0x49d5c2bdffac6ce2bfdb6640f4f80f226bc10bab", // WETH.e
    "0x2b2c81e08f1af8835a78bb2a90ae924ace0ea4be", // sAVAX
    "0x6e84a6216ea6dacc71ee8e6b0a5b7322eebc0fdd", // JOE
    "0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664", // USDC.e
    "0xc7198437980c041c805a1edcba50c1ce5db95118", // USDT.e
    "0xd586e7f844cea2f87f50152665bcbc2c279d8d70", // DAI.e
    "0x50b7545627a5162f82a992c33b87adc75187b218", // WBTC.e
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a", // AUSD
    "0x8729438eb15e2c8b576fcc6aecda6a148776c0f5", // QI
    "0x62edc0692bd897d2295872a9ffcac5425011c661", // GMX
    "0x06d47f3fb376649c3a9dafe069b3d6e35572219e", // SAVUSD
    "0xd24c2ad096400b6fbcd2ad8b24e7acbc21a1da64", // FRAX
    "0xc891eb4cbdeff6e073e859e987815ed1505c2acd", // EURC
    "0xfc421ad3c883bf9e7c4f42de845c4e4405799e73", // GHO
    "0xfb98b335551a418cd0737375a2ea0ded62ea213b", // PENDLE
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // USDE
    "0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2", // SUSDE
    "0x5947bb275c521040051d82396192181b413227a3", // LINK.e
    "0x130966628846bfd36ff31a822705796e8cb8c18d", // MIM
    "0xce1bffbd5374dac86a2893119683f4911a2f7814", // SPELL
    "0xa659d083b677d6bffe1cb704e1473b896727be6d", // PEPE
    "0x58538e6a46e07434d7e7375bc268d3cb839c0133", // ENA
    "0x6985884c4392d348587b19cb9eaaf157f13271cd", // ZRO
    "0xe15bcb9e0ea69e6ab9fa080c4c4a5632896298c3", // BAL
    "0x0555e30da8f98308edb960aa94c0db47230d2b9c", // WBTC
  ],
} as const satisfies Record<string, readonly Address[]>;
