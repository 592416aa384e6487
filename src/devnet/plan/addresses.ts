import type { Address } from "../../core/types.ts";

/** Accounts 0 to 9 of the mnemonic `test test test test test test test test test test test junk`. */
export const ACCOUNTS: readonly Address[] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
  "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
  "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
  "0x976ea74026e726554db657fa54763abd0c3a0aa9",
  "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
];

/** Sender of all transactions of the build, and owner of contracts with an owner. The node impersonates it. */
export const DEPLOYER: Address = "0x00000000000000000000000000000000deb10e55";

/** Sender of the simulated trades. The node impersonates it. */
export const TRADER: Address = "0x000000000000000000000000000000007adeadd2";

/** Contracts of contracts/devnet that hold the initial liquidity of pairs and pools and add it. */
export const PAIR_SEEDER: Address = "0x000000000000000000000000000000005eed0002";
export const POOL_SEEDER: Address = "0x000000000000000000000000000000005eed0003";
export const VAULT_SEEDER: Address = "0x000000000000000000000000000000005eed0005";

/** Addresses on Ethereum. */
export const WETH: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const USDT: Address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
export const DAI: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
export const USDS: Address = "0xdc035d45d973e3ec169d2276ddab16f1e407384f";
export const SUSDS: Address = "0xa3931d71877c0e7a3148cb7eb4463524fec27fbd";
export const PYUSD: Address = "0x6c3ea9036406852006290770bedfcaba0e23a0e8";
export const WBTC: Address = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";
export const PERMIT2: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3";
export const BALANCER_VAULT: Address = "0xba12222222228d8ba445958a75a0704d566bf2c8";
export const MULTICALL3: Address = "0xca11bde05977b3631167028862be2a173976ca11";

/** A test token that burns 1 % of every transfer and is in no pool. */
export const FEE_TOKEN: Address = "0x00000000000000000000000000000000000fee01";

/** Models, from contracts/devnet, of protocols whose bytecode no package ships. */
export const SOLIDLY_FACTORY: Address = "0x00000000000000000000000000000000501d0000";
export const SOLIDLY_PAIRS: readonly Address[] = [
  "0x00000000000000000000000000000000501d0001",
  "0x00000000000000000000000000000000501d0002",
  "0x00000000000000000000000000000000501d0003",
  "0x00000000000000000000000000000000501d0004",
  "0x00000000000000000000000000000000501d0005",
];
export const CURVE_POOL: Address = "0x00000000000000000000000000000000c04e0001";
/** The model of Balancer's v3 vault, and the ERC-4626 wrapper of USDC for which the vault has a buffer. */
export const BALANCER_V3_VAULT: Address = "0x00000000000000000000000000000000ba130000";
export const USDC_WRAPPER: Address = "0x00000000000000000000000000000000ba134626";
export const DAI_VAULT: Address = "0x0000000000000000000000000000000046260001";
