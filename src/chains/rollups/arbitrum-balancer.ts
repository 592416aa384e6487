import { writeNamed } from "../../core/named-addresses.ts";
import type { Deployment } from "../../core/types.ts";
import { balancerHints } from "../shared/balancer-hints.ts";
import { forks } from "../shared/forks.ts";

/** Balancer's pools on Arbitrum. No address was checked against the chain. */
export const balancerOnArbitrum: readonly Deployment[] = [
  {
    ...forks.balancerV2,
    factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
    fromBlock: 222_832,
    facts: {
      hints: balancerHints("arbitrum", "v2"),
      factories: writeNamed({
        "weighted-v1": [
          "0x7dfdef5f355096603419239ce743bfaf1120312b",
          "0xcf0a32bbef8f064969f21f7e02328fb577382018",
        ],
        weighted: [
          "0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c",
          "0xf1665e19bc105be4edd3739f88315cc699cc5b65",
          "0xc7e5ed1054a24ef31d827e6f86caa58b3bc168d7",
        ],
        stable: ["0x2433477a10fc5d31b9513c638f19ee85caed53fd"],
        metastable: ["0xebfd5681977e38af65a7487dc70b8221d089ccad"],
        "stable-v2": ["0xef44d6786b2b4d544b7850fe67ce6381626bf2d6"],
        "composable-stable": [
          "0xaeb406b0e430bf5ea2dc0b9fe62e4e53f74b3a33",
          "0x85a80afee867adf27b50bdb7b76da70f1e853062",
          "0x1c99324edc771c82a0dccb780cc7dda0045e50e7",
          "0x2498a2b0d6462d2260eac50ae1c3e03f4829ba95",
          "0xa8920455934da4d853faac1f94fe7bef72943ef1",
          "0x4bdcc2fb18aeb9e2d281b0278d946445070eada7",
        ],
      }),
    },
    source:
      "balancer/balancer-deployments addresses/arbitrum.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
  },
  {
    ...forks.balancerV3,
    factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
    fromBlock: 297_810_187,
    facts: {
      hints: balancerHints("arbitrum", "v3"),
      factories: writeNamed({
        weighted: [
          "0xd961e30156c2e0d0d925a0de45f931cb7815e970",
          "0x83bf399fa3dc49af8fb5c34031a50c7c93f56129",
        ],
        stable: [
          "0xeb1eeabf0126d813589c3d2cfeffe410d9ae3863",
          "0x86e67e115f96df37239e0479441303de0de7bc2b",
          "0x44d33798dddcdabc93fe6a40c80588033dc502d3",
          "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc",
          "0x1fc7f1f84cfe61a04224ac8d3f87f56214fec08c",
          "0x8a8b9f35765899b3a0291700141470d79ea2ea88",
        ],
        "gyro-e": [
          "0x88ed12a90142fdbfe2a28f7d5b48927254c7e760",
          "0xe31715e75207acc8bfadd96902ff522058928479",
        ],
        "reclamm-v1": ["0xa1d0791a41318c775707c56eae247af81a05322c"],
        reclamm: ["0x355bd33f0033066bb3de396a6d069be57353ad95"],
        lbp: [
          "0x4bb42f71cab7bd13e9f958da4351b9fa2d3a42ff",
          "0x8d217cb74f675b46cc2767c8cf0aab53be1c4818",
          "0xf9309a99836b5f07a2440c177c049b0f0a9a2c33",
        ],
      }),
      hooks: writeNamed({
        "stable-surge": [
          "0x0fa0f9990d7969a7ae6f9961d663e4a201ed6417",
          "0x7c1b7a97bfacd39975de53e989a16c7bc4c78275",
        ],
      }),
    },
    source:
      "balancer/balancer-deployments addresses/arbitrum.json at 6826feb; first block of the vault: cowprotocol/services; not checked against the chain",
  },
];
