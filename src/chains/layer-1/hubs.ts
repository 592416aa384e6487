import type { Address } from "../../core/types.ts";

/** Hub tokens by chain, as `ethereum/hubs.ts` explains. */
export const hubs = {
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
