import { type NamedAddresses, writeNamed } from "../../core/named-addresses.ts";
import type { Deployment } from "../../core/types.ts";
import { balancerHints } from "./balancer-hints.ts";

/**
 * Deployments that use Balancer's vaults besides Balancer's own pools: Gyroscope's pools in the v2 vault, and buffers
 * of ERC-4626 tokens in the v3 vault. A pool or buffer that contradicts its deployment is refused when it is read. No
 * address was checked against a chain.
 */

const VAULT_2 = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const VAULT_3 = "0xba1333333333a1ba1108e8412f11850a5c319ba9";

function gyroscope(fromBlock: number, factories: NamedAddresses, hints = ""): Deployment {
  return {
    ...{
      id: "gyroscope",
      protocol: "gyroscope",
      name: "Gyroscope",
      factory: VAULT_2,
      fromBlock,
      trusted: true,
    },
    facts: { factories: writeNamed(factories), ...(hints === "" ? {} : { hints }) },
    source:
      "cowprotocol/services' list of contracts and DefiLlama-Adapters projects/gyroscope agree on factories and first blocks; not checked against the chain",
  };
}

/** @param assets underlying tokens by their ERC-4626 wrapper */
function buffers(fromBlock: number, assets: NamedAddresses): Deployment {
  return {
    ...{ id: "balancer-v3-buffers", protocol: "balancer-v3-buffer", name: "Balancer_V3_Buffers" },
    ...{ factory: VAULT_3, fromBlock, trusted: true, facts: { buffers: writeNamed(assets) } },
    source:
      "balancer/code-review erc4626/registry.json at 0106e28: wrappers that were reviewed as safe, those of Aave and one more with a recorded swap; first block of the vault: cowprotocol/services; whether a buffer is open is read of the vault; not checked against the chain",
  };
}

export const gyroscopeOnEthereum = gyroscope(
  17_672_894,
  {
    eclp: ["0x412a5b2e7a678471985542757a6855847d4931d5"],
  },
  balancerHints("ethereum", "gyroscope"),
);
export const gyroscopeOnPolygon = gyroscope(
  31_556_084,
  {
    "2clp": ["0x5d8545a7330245150be0ce88f8afb0edc41dfc34"],
    "3clp": ["0x90f08b3705208e41dbeeb37a42fb628dd483adda"],
    eclp: ["0x1a79a24db0f73e9087205287761fc9c5c305926b"],
  },
  balancerHints("polygon", "gyroscope"),
);
export const gyroscopeOnArbitrum = gyroscope(
  124_858_976,
  {
    "2clp": ["0x7a36527a02d96693b0af2b70421f952816a4a088"],
    eclp: ["0xdca5f1f0d7994a32bc511e7dba0259946653eaf6"],
  },
  balancerHints("arbitrum", "gyroscope"),
);
export const gyroscopeOnOptimism = gyroscope(97_253_023, {
  eclp: ["0x9b683ca24b0e013512e2566b68704dbe9677413c"],
});
export const gyroscopeOnBase = gyroscope(12_940_659, {
  eclp: ["0x15e86be6084c6a5a8c17732d398dfbc2ec574cec"],
});
export const gyroscopeOnAvalanche = gyroscope(50_484_541, {
  eclp: ["0x41e9ac0bfed353c2de21a980da0ebb8a464d946a"],
});

export const buffersOnEthereum = buffers(21_332_121, {
  "0xd4fa2d31b7968e448877f69a96de69f5de8cd23e": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "0x0bfc9d54fc184518a81162f8fb99c2eaca081202": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  "0x7bc3485026ac48b6cf9baf0a377477fff5703af8": "0xdac17f958d2ee523a2206206994597c13d831ec7",
  "0x0fe906e030a44ef24ca8c7dc7b7c53a6c4f00ce9": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  "0x775f661b0bd1739349b9a2a3ef60be277c5d2d29": "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0",
  "0x5f9d59db355b4a60501544637b00e94082ca575b": "0x4c9edd5852cd905f086c759e8383e09bff1e68b3",
  "0xc71ea051a5f82c67adcf634c36ffe6334793d24c": "0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f",
  "0x7204b7dbf9412567835633b6f00c3edc3a8d6330": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
});

export const buffersOnArbitrum = buffers(297_810_187, {
  "0x4ce13a79f45c1be00bdabd38b764ac28c082704e": "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  "0xcdaa68ce322728fe4185a60f103c194f1e2c47bc": "0x35751007a407ca6feffe80b3cb397736d2cf4dbe",
  "0x52dc1feefa4f9a99221f93d79da46ae89b8c0967": "0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f",
  "0x7f6501d3b98ee91f9b9535e4b0ac710fb0f9e0bc": "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
  "0xe98fc055c99decd8da0c111b090885d5d15c774e": "0x5979d7b546e38e414f7e9822514be443a4800529",
  "0xa6d12574efb239fc1d2099732bd8b5dc6306897f": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
  "0xeab84053b99f2ec4433f5121a1cb1524c8c998f8": "0xf97f4df75117a78c1a5a0dbb814af92458539fb4",
  "0xf09edbf2655b2a56753bd60d22ceab2ac5d04188": "0x912ce59144191c1204e64559fe8253a0e49e6548",
  "0xbb8a61425dfe172aa3a6f882aafaba00b32b7d59": "0xec70dcb4a1efa46b8f2d97c310c9c4790ba5ffa8",
  "0xf253bd61aed0e9d62523ea76cd6f38b4a51da145": "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
  "0xe6d5923281c89dc989d00817387292387552d5c1": "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
  "0xd089b4cb88dacf4e27be869a00e9f7e2e3c18193": "0x7dff72693f6a4149b17e7c6314655f6a9f7c8b33",
});

export const buffersOnBase = buffers(25_343_854, {
  "0xe298b938631f750dd409fb18227c4a23dcdaab9b": "0x4200000000000000000000000000000000000006",
  "0x6acd0a165fd70a84b6b50d955ff3628700baaf4b": "0x04c0599ae5a44757c0af6f9ec3b93da8976c150a",
  "0xc768c589647798a6ee01a91fde98ef2ed046dbd6": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  "0xfa2a03b6f4a65fb1af64f7d935fdbf78693df9af": "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
  "0x0830820d1a9aa1554364752d6d8f55c836871b74": "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452",
  "0x5e8b674127b321dc344c078e58bbacc3f3008962": "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22",
  "0x74d4d1d440c9679b1013999bd91507eaa2fff651": "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
  "0xf8f10f39116716e89498c1c5e94137ada11b2bc7": "0x2416092f143378750bb29b79ed961ab195cceea5",
});
