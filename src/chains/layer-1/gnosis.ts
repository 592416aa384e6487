import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnGnosis } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: graphprotocol/networks-registry e40e036.
 */
export const gnosis: Chain = {
  id: 100,
  name: "Gnosis",
  shortname: "gnosis",
  native: { symbol: "XDAI", name: "xDAI", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 5_000,
  explorer: "https://gnosisscan.io",
  genesis: "0x4f1dd23188aab3a76b463e4af801b52b1248ef073c648cbdc4c9333d3da79756",
  dollarTokens: [
    "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
    "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83",
    "0x2a22f9c3b484c3629090feed35f17ff8f88f76f0",
    "0x4ecaba5870353805a9f068101a40e0f32ed605c6",
  ],
  hubs: hubs.gnosis,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WXDAI",
      factory: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT) and cowprotocol (MIT or Apache-2.0), and npm sushi 7.3.15 (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0xe32f7dd7e3f098d518ff19a22d5f028e076489b1",
      fromBlock: 27_416_614,
      source:
        "npm sushi 7.3.15 (MIT), cowprotocol/services 6a3eb426 and VeloraDEX/paraswap-dex-lib aa9c75f, with the init code hash; first block: DefiLlama-Adapters 1eb4e81 projects/uniswap; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 14_735_904,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0xf78031cbca409f2fb6876bdfdbc1b2df24cf9bef",
      fromBlock: 27_232_871,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs 12eacc0 config; init code hash: that of Uniswap v3; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      id: "honeyswap",
      protocol: "uniswap-v2",
      name: "Honeyswap",
      factory: "0xa818b4f111ccac7aa31d0bcc0806d64f2e0737d7",
      fromBlock: 11_813_490,
      trusted: true,
      facts: { feePpm: 3000 },
      initCodeHash: "0x3f88503e8580ab941773b59034fb4b2a63e86dbc031b3633a925533ad3ed2b93",
      source:
        "cowprotocol/services 6a3eb426, with the init code hash, which predicts the pair of HNY and WXDAI, and VeloraDEX/paraswap-dex-lib aa9c75f, with the fee; first block: messari/subgraphs 2711ac9, honeyswap-gnosis; not checked against the chain",
    },
    {
      ...forks.balancerV2,
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 24_821_598,
      facts: {
        factories: writeNamed({
          "stable-v2": ["0xf23b4db826dba14c0e857029dff076b1c0264843"],
          weighted: [
            "0xf302f9f50958c5593770fdf4d4812309ff77414f",
            "0xc128a9954e6c874ea3d62ce62b468ba073093f25",
            "0x6cad2ea22bfa7f4c14aae92e47f510cd5c509bc7",
          ],
          "composable-stable": [
            "0x76578ecf9a141296ec657847fb45b0585bcda3a6",
            "0xc128468b7ce63ea702c1f104d55a2566b13d3abd",
            "0xd87f44df0159dc78029ab9ca7d7e57e7249f5acd",
            "0x4bdcc2fb18aeb9e2d281b0278d946445070eada7",
            "0x47b489bf5836f83abd928c316f8e39bc0587b020",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/gnosis.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    {
      ...forks.balancerV3,
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 37_360_338,
      facts: {
        factories: writeNamed({
          weighted: [
            "0xeb1eeabf0126d813589c3d2cfeffe410d9ae3863",
            "0x78ad1e1c10033b18ceaa20088e4e490be42a5417",
          ],
          stable: [
            "0x22625eedd92c81a219a83e1dc48f88d54786b017",
            "0x268e2ee1413d768b6e2dc3f5a4ddc9ae03d9af42",
            "0x161f4014c27773840ccb4ec1957113e6dd028846",
            "0x45fb5af0a1ad80ea16c803146eb81844d9972373",
            "0x9338f9484120fdfe8f8abea8e5d6d9d8d055962d",
            "0x59d55fa503faea8d95935a561f34153c273255dd",
          ],
          "gyro-e": [
            "0xea924b45a3fcdaadf4e5cfb1665823b8f8f2039b",
            "0x1c53af9d683a4424d03f61d70d9f6bc53af7fcc1",
          ],
          "reclamm-v1": ["0x1780e8185199dac45284039bb3e3b64060d943ab"],
          reclamm: ["0xc86ef81e57492be65bfca9b0ed53dcbafdbe6100"],
          lbp: [
            "0x6ee18fbb1bbcc5cf700cd75ea1aef2bb21e3cb3f",
            "0x53eff5068a1a3b39a9157da6ef5a18d555c479ef",
            "0x2faa140f90f76eeeebc191f4ef4b2634be1e4e91",
          ],
        }),
        hooks: writeNamed({
          "stable-surge": [
            "0xe4f1878ec9710846e2b529c1b5037f8ba94583b1",
            "0x90bd26fbb9db17d75b56e4ca3a4c438fa7c93694",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/gnosis.json at 6826feb; first block: balancer/balancer-subgraph-v3 ed5d6cb networks.json; not checked against the chain",
    },
    {
      id: "swapr-v3",
      protocol: "algebra",
      name: "Swapr_V3",
      factory: "0xa0864cca6e114013ab0e27cbd5b6f4c8947da766",
      fromBlock: 30_096_640,
      trusted: false,
      facts: { version: "v1.9" },
      initCodeHash: "0xbce37a54eab2fcd71913a0d40723e04238970e7fc1159bfd58ad5b79531697e7",
      poolDeployer: "0xc1b576ac6ec749d5ace1787bf9ec6340908ddb47",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75f (factory, deployer, init code hash, which is that of cryptoalgebra/AlgebraV1.9 779b568, compiled); it predicts the pool of GNO and WXDAI; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; not checked against the chain",
    },
    curveFactoryOnGnosis,
    curveStableNgOf2023("0xbc0797015fcfc47d9c1856639cae50d0e69fbee8", [
      "0xd2002373543ce3527023c75e7518c274a51ce712",
      "0xc9fe0c63af9a39402e8a5514f9c43af0322b665f",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xb47988ad49dce8d909c6f9cf7b26caf04e1445c8",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-js src/constants/network_constants.ts (the protocol's own)",
    ),
    {
      id: "sdai",
      protocol: "erc4626",
      name: "sDAI",
      factory: "0xaf204776c7245bf4147c2612bf6e5972ee483701",
      fromBlock: undefined,
      trusted: false,
      facts: { asset: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d", kind: "shares" },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75f src/dex/erc4626/config.ts and several public repositories agree; the vault is OpenZeppelin's ERC4626 over its balance of WXDAI (SavingsXDai.sol), which grows only when interest is paid in; not checked against the chain",
    },
  ],
};
