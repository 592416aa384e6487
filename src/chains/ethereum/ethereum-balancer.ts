import { writeNamed } from "../../core/named-addresses.ts";
import type { Deployment } from "../../core/types.ts";
import { balancerHints } from "../shared/balancer-hints.ts";

/** Balancer's own pools on Ethereum. No address was checked against the chain. */
export const balancerOnEthereum: readonly Deployment[] = [
  {
    id: "balancer-v2",
    protocol: "balancer-v2",
    name: "Balancer_V2",
    factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
    fromBlock: 12_272_146,
    trusted: true,
    facts: {
      hints: balancerHints("ethereum", "v2"),
      factories: writeNamed({
        "weighted-v1": [
          "0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9",
          "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0",
        ],
        weighted: [
          "0xcc508a455f5b0073973107db6a878ddbdab957bc",
          "0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b",
          "0x897888115ada5773e02aa29f775430bfb5f34c51",
        ],
        stable: ["0xc66ba2b6595d3613ccab350c886ace23866ede24"],
        metastable: ["0x67d27634e44793fe63c467035e31ea8635117cd4"],
        "stable-v2": ["0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c"],
        "composable-stable": [
          "0xf9ac7b9df2b3454e841110cce5550bd5ac6f875f",
          "0x85a80afee867adf27b50bdb7b76da70f1e853062",
          "0xdba127fbc23fb20f5929c546af220a991b5c6e01",
          "0xfada0f4547ab2de89d1304a668c39b3e09aa7c76",
          "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a",
          "0x5b42ec6d40f7b7965be5308c70e2603c0281c1e9",
        ],
      }),
    },
    source:
      "balancer/balancer-deployments addresses/mainnet.json at 6826feb; first block: the vault's first factory in public indexers; not checked against the chain",
  },
  {
    id: "balancer-v3",
    protocol: "balancer-v3",
    name: "Balancer_V3",
    factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
    fromBlock: 21_332_121,
    trusted: true,
    facts: {
      hints: balancerHints("ethereum", "v3"),
      factories: writeNamed({
        weighted: [
          "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc",
          "0x332694ef46d880df6ea9593e04cb8abee5f81d99",
        ],
        stable: [
          "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14",
          "0xd53f5d8d926fb2a0f7be614b16e649b8ac102d83",
          "0xe42c2e153bb0a8899b59c73f5ff941f9742f1197",
          "0x355bd33f0033066bb3de396a6d069be57353ad95",
          "0x4efcd8bce8ac9b94bd76648e2c85bef6c40f3228",
          "0x187a05fb9e4234dd310ae74215743560d1baa6ac",
        ],
        "gyro-e": [
          "0xe9b0a3bc48178d7fe2f5453c8bc1415d73f966d0",
          "0x04d584195a96dffc7f8b695aa3c9d3c1606b69d1",
        ],
        "reclamm-v1": ["0x5939ab16fdf1991b0ef603c639b6b501a7841fab"],
        reclamm: ["0xdaa273aeec06e9ccb7428a77e2abb1e4659b16d2"],
        lbp: [
          "0x4eff2d77d9ffbaefb4b141a3e494c085b3ff4cb5",
          "0x02916d8f0891309806fcb347bf4191692cbddcaf",
          "0xd5584b37d1845ffed958c2d94bc675603ddcce68",
        ],
      }),
      hooks: writeNamed({
        "stable-surge": [
          "0xb18fa0cb5de8cecb8899aae6e38b1b7ed77885da",
          "0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1",
        ],
      }),
    },
    source:
      "balancer/balancer-deployments addresses/mainnet.json at 6826feb; first block of the vault: cowprotocol/services; not checked against the chain",
  },
];
