import type { Address, Deployment } from "../../core/types.ts";

/** Contracts that a factory clones, by the kind of their pools: two coins, or three and four, and either with rebasing coins. */
type Contracts = Readonly<
  Record<"plain-2" | "plain-2-balances" | "base" | "base-balances", readonly Address[]>
>;

/**
 * Curve's factory of 2021 on a chain other than Ethereum. Its contracts are those of curvefi/curve-factory 5272fd2 (the latest of its branch
 * base-deployment, a5a71c8, which differs in who sets the fee) after its pools of two coins divide D at once: July 2021, and the factory
 * for these chains is of September. Metapools are left out, since the pools below them are in no list, and so are pools whose rates
 * come from an oracle.
 */
function curveFactory(factory: Address, contracts: Contracts): Deployment {
  const implementations = Object.entries(contracts)
    .flatMap(([kind, addresses]) => addresses.map((address) => `${address} ${kind}`))
    .join(";");
  return {
    id: "curve-factory",
    protocol: "curve-stable",
    name: "Curve_Factory",
    factory,
    fromBlock: undefined,
    trusted: false,
    facts: { factory: "classic", implementations },
    source:
      "curvefi/curve-js 8cb9f82 (of Avalanche an earlier revision) src/constants (factory in network_constants.ts, implementations by the names of their ABIs in factory/stable.ts), with which VeloraDEX/paraswap-dex-lib aa9c75f src/dex/curve-v1-factory agrees on the chains that it lists; asked by pair; not checked against the chain",
  };
}

export const curveFactoryOnArbitrum = curveFactory("0xb17b674d9c5cb2e441f8e196a2f048a81355d031", {
  "plain-2": [
    "0x54e8a25d0ac0e4945b697c80b8372445fea17a62",
    "0x73ec37618683c274d0bbf5f5726aa856b2bdab81",
    "0x7da64233fefb352f8f501b357c018158ed8aa455",
    "0x0100fbf414071977b19fc38e6fc7c32fe444f5c9",
  ],
  "plain-2-balances": ["0xd68970e266ce1a015953897c7055a5e0bc657af8"],
  base: [
    "0xe381c25de995d62b453af8b931aac84fccaa7a62",
    "0xaae75faebcae43b9d541fd875622be48d9b4f5d0",
    "0x8866414733f22295b7563f9c5299715d2d76caf4",
    "0x8d53e5de033078367ad91527c53abfd1eb6bfa86",
    "0x89287c32c2cac1c76227f6d300b2dbbab6b75c08",
    "0x06e3c4da96fd076b97b7ca3ae23527314b6140df",
  ],
  "base-balances": [
    "0xc379ba7b8e1c6c48d64e1cf9dd602c97c9fd0f40",
    "0x2ac56cebc2d27c9bb51a11773355e44371eb88d3",
  ],
});

export const curveFactoryOnOptimism = curveFactory("0x2db0e83599a91b508ac268a6197b8b14f5e72840", {
  "plain-2": [
    "0xc2b1df84112619d190193e48148000e3990bf627",
    "0x73ec37618683c274d0bbf5f5726aa856b2bdab81",
    "0x4f3e8f405cf5afc05d68142f3783bdfe13811522",
    "0x0f9cb53ebe405d49a0bbdbd291a65ff571bc83e1",
  ],
  "plain-2-balances": ["0x16a7da911a4dd1d83f3ff066fe28f3c792c50d90"],
  base: [
    "0x78d0fc2b9d5ae65512db242e424a9c683f18c243",
    "0x6600e98b71dabfd4a8cac03b302b0189adb86afb",
    "0x6d65b498cb23deaba52db31c93da9bffb340fb8f",
    "0x445fe580ef8d70ff569ab36e80c647af338db351",
    "0x1aef73d49dedc4b1778d0706583995958dc862e6",
    "0x8474ddbe98f5aa3179b3b3f5942d724afcdec9f6",
  ],
  "base-balances": [
    "0x35796dac54f144dfbad1441ec7c32313a7c29f39",
    "0xf6bdc2619ffda72c537cd9605e0a274dc48cb1c9",
  ],
});

export const curveFactoryOnPolygon = curveFactory("0x722272d36ef0da72ff51c5a65db7b870e2e8d4ee", {
  "plain-2": [
    "0x571ff5b7b346f706aa48d696a9a4a288e9bb4091",
    "0xae00f57663f4c85fc948b13963cd4627daf01061",
    "0x8101e6760130be2c8ace79643ab73500571b7162",
  ],
  "plain-2-balances": ["0x8925d9d9b4569d737a48499def3f67baa5a144b9"],
  base: [
    "0x493084ca44c779af27a416ac1f71e3823bf21b53",
    "0xa9134fae98f92217f457918505375ae91fdc5e3c",
    "0xcc9fd96c26c450dd4580893aff75efd5cb6c12fc",
    "0x991b05d5316fa3a2c053f84658b84987cd5c9970",
    "0xf31bcdf0b9a5ecd7ab463eb905551fbc32e51856",
    "0xac273d5b4fc06625d8b1aba3be8de15bdfb8e39f",
  ],
  "base-balances": [
    "0x9b4ed6f8904e976146b3dc0233cd48cf81835240",
    "0xc7c46488566b9ef9b981b87e328939caa5ca152f",
  ],
});

export const curveFactoryOnGnosis = curveFactory("0xd19baeadc667cf2015e395f2b08668ef120f41f5", {
  "plain-2": [
    "0x04e39ef8332e979cf8e4f8891e64934ff65f231b",
    "0x2b70a5b878665ffdb4a06ba40a264d6c70f68f4b",
    "0x2d036f0ff6f440db623e0d9d3b5daa509e5500c3",
  ],
  "plain-2-balances": ["0xc9438d8928486bd9621d326002f4672bf684187a"],
  base: [
    "0xec9cebe650e181079576c1b6d0d2e092b1edff13",
    "0x114c4042b11a2b16f58fe1bfe847589a122f678a",
    "0x4244eb811d6e0ef302326675207a95113db4e1f8",
    "0x66b5792ed50a2a7405ea75c4b6b1913ef4e46661",
    "0xc1c49622b63b961ce1d352ecb7d8261ab5556695",
    "0x0e2615ce69cd3dc3ff6f66a975bea0655f3ba7b9",
  ],
  "base-balances": [
    "0xe8269b33e47761f552e1a3070119560d5fa8bbd6",
    "0xcb4eb43e31c830e22baf764c64f11f32c280496c",
  ],
});

export const curveFactoryOnBase = curveFactory("0x3093f9b57a428f3eb6285a589cb35bea6e78c336", {
  "plain-2": [
    "0xd166eedf272b860e991d331b71041799379185d5",
    "0x22d710931f01c1681ca1570ff016ed42eb7b7c2a",
    "0xa50d9a424a14af0b9e7e9243dc1597d977f6cb09",
  ],
  "plain-2-balances": ["0x5c627d6925e448ae418bc8a45d56b31fe5009bea"],
  base: [
    "0xed49979026dc44dc7e83b1471794ec9b2a365ea2",
    "0x0a31527a8de2ee97bbd8cce14db8e8826a0b6c4f",
    "0x1086f023146f9026a9bb22983ce866813c59518a",
    "0x1621e58d36eb5ef26f9768ebe9db77181b1f5a02",
    "0x50e09ee7080b32aef3e92346891dd2dd389b5faf",
    "0x44d9b3f4ee15ac81feb918501fca0ddc9d83c976",
  ],
  "base-balances": [
    "0x0cc51c9786f3777a6d50961cebb2bb6e69ec5e07",
    "0x2fddedf2d842f23da2b81b9144e75cecb691bf19",
  ],
});

export const curveFactoryOnBsc = curveFactory("0xefde221f306152971d8e9f181bfe998447975810", {
  "plain-2": [
    "0xb90b9b1f91a01ea22a182cd84c1e22222e39b415",
    "0x5bd917879e04cf18ec79285a1c960c5fba7f5ea3",
    "0x630c7ad3998f397df0c0a8ffdb7a65b61ec5539e",
  ],
  "plain-2-balances": ["0x7cde88e96e9445d986537074b1bfd32c5623c71f"],
  base: [
    "0xd166eedf272b860e991d331b71041799379185d5",
    "0x22d710931f01c1681ca1570ff016ed42eb7b7c2a",
    "0xa50d9a424a14af0b9e7e9243dc1597d977f6cb09",
    "0xed49979026dc44dc7e83b1471794ec9b2a365ea2",
    "0x0a31527a8de2ee97bbd8cce14db8e8826a0b6c4f",
    "0x1086f023146f9026a9bb22983ce866813c59518a",
  ],
  "base-balances": [
    "0x5c627d6925e448ae418bc8a45d56b31fe5009bea",
    "0x0cc51c9786f3777a6d50961cebb2bb6e69ec5e07",
  ],
});

export const curveFactoryOnAvalanche = curveFactory("0xb17b674d9c5cb2e441f8e196a2f048a81355d031", {
  "plain-2": [
    "0x697434ca761d4f86b553784b69f4f37f5edf54df",
    "0x64448b78561690b70e17cbe8029a3e5c1bb7136e",
    "0x09672362833d8f703d5395ef3252d4bfa51c15ca",
  ],
  "plain-2-balances": ["0xbdff0c27dd073c119ebcb1299a68a6a92ae607f0"],
  base: [
    "0x1de7f0866e2c4adac7b457c58cc25c8688cda1f2",
    "0xf1f85a74ad6c64315f85af52d3d46bf715236adc",
    "0xaa82ca713d94bba7a89ceab55314f9effeddc78c",
    "0x7544fe3d184b6b55d6b36c3fca1157ee0ba30287",
    "0x0eb0f1faf5f509ac53fa224477509ead167cf410",
    "0xce94d3e5b0d80565d7b713a687b39a3dc81780ba",
  ],
  "base-balances": [
    "0x094d12e5b541784701fd8d65f11fc0598fbc6332",
    "0x7d86446ddb609ed0f5f8684acf30380a356b2b4c",
  ],
});
