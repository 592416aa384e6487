import { hasWords, intAt, uintAt } from "../../../core/abi.ts";
import type { At, Hex, Log } from "../../../core/types.ts";
import { exchange } from "../exact/exchange.ts";
import type { State } from "../state.ts";
import { NEW_STABLE_SWAP_PAIR } from "./pools.ts";

/** TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought) */
const TOKEN_EXCHANGE = "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140";

/** TokenExchange of PancakeSwap's pools, with uint256 ids */
const TOKEN_EXCHANGE_UINT256 = "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98";
/** TokenSwap(address indexed buyer, uint256 tokensSold, uint256 tokensBought, uint128 soldId, uint128 boughtId) */
const TOKEN_SWAP = "0xc6c1e0630dbe9130cc068028486c0d118ddcea348550819defd5cb8c257f8a38";

/** Word indexes in the log of a swap. */
const swaps: Readonly<Record<Hex, { i: number; dx: number; j: number; dy: number }>> = {
  [TOKEN_EXCHANGE]: { i: 0, dx: 1, j: 2, dy: 3 },
  [TOKEN_EXCHANGE_UINT256]: { i: 0, dx: 1, j: 2, dy: 3 },
  [TOKEN_SWAP]: { i: 2, dx: 0, j: 3, dy: 1 },
};

/**
 * Logs after which a state is read again, since they carry no balances. By event, with the contracts' array sizes
 * side by side.
 */
const RELOADING = [
  // TokenExchangeUnderlying(address,int128,uint256,int128,uint256)
  "0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b",
  // AddLiquidity(address,uint256[N],uint256[N],uint256,uint256), N = 2, 3, 4, and uint256[]
  "0x26f55a85081d24974e85c6c00045d0f0453991e95873f52bff0d21af4079a768",
  "0x423f6495a08fc652425cf4ed0d1f9e37e571d9b9529b1c1c23cce780b2e7df0d",
  "0x3f1915775e0c9a38a57a7bb7f1f9005f486fb904e1f84aa215364d567319a58d",
  "0x189c623b666b1b45b83d7178f39b8c087cb09774317ca2f53c2d3c3726f222a2",
  // RemoveLiquidity(address,uint256[N],uint256[N],uint256)
  "0x7c363854ccf79623411f8995b362bce5eddff18c927edc6f5dbbb5e05819a82c",
  "0xa49d4cf02656aebf8c771f5a8585638a2a15ee6c97cf7205d4208ed7c1df252d",
  "0x9878ca375e106f2a43c3b599fc624568131c4c9a4ba66a14563715763be9d59d",
  "0x347ad828e58cbe534d8f6b67985d791360756b18f0d95fd9f197a66cc46480ea",
  // RemoveLiquidityImbalance(address,uint256[N],uint256[N],uint256,uint256)
  "0x2b5508378d7e19e0d5fa338419034731416c4f5b219a10379956f764317fd47e",
  "0x173599dbf9c6ca6f7c3b590df07ae98a45d74ff54065505141e7de6c46a624c2",
  "0xb964b72f73f5ef5bf0fdc559b2fab9a7b12a39e47817a547f1f0aee47febd602",
  "0x3631c28b1f9dd213e0319fb167b554d76b6c283a41143eb400a0d1adb1af1755",
  // RemoveLiquidityOne(address,uint256,uint256), with a uint256 more, and (address,int128,uint256,uint256,uint256)
  "0x9e96dd3b997a2a257eec4df9bb6eaf626e206df5f543bd963682d143300be310",
  "0x5ad056f2e28a8cec232015406b843668c1e36cda598127ec3b8c59b8c72773a0",
  "0x6f48129db1f37ccb9cc5dd7e119cb32750cabdf75b48375d730d26ce3659bbe1",
  // RampA(uint256,uint256,uint256,uint256), StopRampA(uint256,uint256)
  "0xa2b71ec6df949300b59aab36b55e189697b750119dd349fcfa8c0f779e83c254",
  "0x46e22fb3709ad289f62ce63d469248536dbc78d82b84a3d7e74ad606dc201938",
  // NewFee(uint256,uint256), NewFee(uint256,uint256,uint256), ApplyNewFee(uint256,uint256), ApplyNewFee(uint256)
  // and, of stableswap-ng pools with an administrator of their own, ApplyNewAdminFee(uint256); of the factory's latest contracts, NewFee(uint256)
  "0xbe12859b636aed607d5230b2cc2711f68d70e51060e6cca1f575ef5d2fcc95d1",
  "0xcfca96e0fef3432146913b2a5a2268a55d3f475fe057e7ffde1082b77693f4f3",
  "0x750d10a7f37466ce785ee6bcb604aac543358db42afbcc332a3c12a49c80bf6d",
  "0xa8715770654f54603947addf38c689adbd7182e21673b28bcf306a957aaba215",
  "0xafd278a088f25853d83ca43da1e02bb10dd3a1fcfcf5abf9dd64aca5fa10f880",
  "0x63fe946ed58429ac3c5e64d4356ff92c26d7fa1e73586515df8ba9f059ab54a5",
  // PancakeSwap: DonateAdminFees(), Kill(), Unkill()
  "0x2c7203581ca666b8c5094c11c03f0b19b3750234a9d281bcbc88a260bcb006de",
  "0xbe26733c2bf6ff3ea5ba8cfe744422bd49052ff9ed5685c9e81e6f9321dbaddd",
  "0x061284ffa2814ace135f62907c78a7cff0f070efe7e6a0a42740ea1da2c8bdc8",
  // Saddle: RemoveLiquidity(address,uint256[],uint256), RemoveLiquidityOne(address,uint256,uint256,uint256,uint256)
  "0x88d38ed598fdd809c2bf01ee49cd24b7fdabf379a83d29567952b60324d58cef",
  "0x43fb02998f4e03da2e0e6fff53fdbf0c40a9f45f145dc377fc30615d7d7a8a64",
  // Saddle: FlashLoan(address,uint8,uint256,uint256,uint256), whose fee stays in the pool
  "0x7c186b2827b23e9024e7b29869cba58a97a4bac6567802a8ea6a8afa7b8c22f0",
  // Saddle: NewAdminFee(uint256), NewSwapFee(uint256), Paused(address), Unpaused(address)
  "0xab599d640ca80cde2b09b128a4154a8dfe608cb80f4c9399c8b954b01fd35f38",
  "0xd88ea5155021c6f8dafa1a741e173f595cdf77ce7c17d43342131d7f06afdfe5",
  "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258",
  "0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa",
] as const;

export const topics: readonly Hex[] = [
  TOKEN_EXCHANGE,
  TOKEN_EXCHANGE_UINT256,
  TOKEN_SWAP,
  ...RELOADING,
  NEW_STABLE_SWAP_PAIR,
];

const known: ReadonlySet<string> = new Set([...Object.keys(swaps), ...RELOADING]);

export function touches(log: Log): readonly string[] {
  return known.has(log.topics[0]!) ? [log.address] : [];
}

/**
 * The state after a log. An exchange is recomputed from the log's coins and input; if its output equals the log's, so
 * do the balances. Every other log makes the state be read again.
 */
export function apply(state: State, log: Log, at: At): State | "reload" {
  const topic = log.topics[0]!;
  if (!known.has(topic)) return state;
  const word = swaps[topic];
  // A metapool's swap depends on its base pool too, and a rebasing coin on the block.
  if (word === undefined || !hasWords(log.data, 4) || state.readAt !== 0 || state.base !== null)
    return "reload";
  const i = Number(intAt(log.data, word.i));
  const j = Number(intAt(log.data, word.j));
  if (state.balances[i] === undefined || state.balances[j] === undefined || i === j) return "reload";
  const done = exchange(state, { i, j, dx: uintAt(log.data, word.dx), timestamp: at.timestamp });
  return done?.dy === uintAt(log.data, word.dy) ? done.next : "reload";
}
