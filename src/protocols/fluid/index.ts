import { addressAt, callData, hasWords } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { noJoint } from "../../core/math/sampling/joint-curves.ts";
import type { HintedPool, Protocol } from "../../core/protocol.ts";
import { type Address, type Deployment, type Hex, NATIVE, type Pool } from "../../core/types.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { ADDRESS, addressFact } from "../shared/record-address.ts";
import { curve, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import { idOf, type State } from "./state.ts";
import { GAS, trade } from "./swap.ts";

/** Logs after which the state is read again; none carries the reserves. */
const topics: readonly Hex[] = [
  // Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to), LogArbitrage(int256,uint256)
  "0xdc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7",
  "0x063def03d41a2957d43156b97c271f3e4adea600722defb2cf6ebf9a27650056",
  // LogDepositColLiquidity, LogDepositPerfectColLiquidity of three uint256, as all that follow
  "0xbfea92097a2487d6a5ccf7b7adc36b6002238f3106568ba4359770f4b67365a4",
  "0x255672effa3d8ba46e409fc964ae332b84d3107ba3a5096b22734606519528a3",
  // LogWithdrawColLiquidity, LogWithdrawPerfectColLiquidity, LogWithdrawColInOneToken
  "0xb61c7f3b23fe9335cc6c6a6e7036457758470877e61a19a5b4924e1ff8289624",
  "0x6f837572c1ef6e010a841ff938d593ec054984fefe29df2a0634bbf01f4db35b",
  "0xc98f37914e06db36c18654484db85c4bb864575a1b9f8181133ff33dea2d34f3",
  // LogBorrowDebtLiquidity, LogBorrowPerfectDebtLiquidity
  "0x7f81427bed699dc7e687c5ddae6061932938818f79fc0e68903d55ef75ca4561",
  "0x486d991947a88580130ff5acd9ec54dc37fb8da4bf6ab78871d5cd6fa5816df7",
  // LogPaybackDebtLiquidity, LogPaybackPerfectDebtLiquidity, LogPaybackDebtInOneToken
  "0xb69f152a70520703fe7ab4872a0cb3928386b68cf3c6c83c5d1fc08d196991e8",
  "0x03b77b44c2fe8816d55a2e4f90a87538c48d4148e35224c07049fd2304fa3a30",
  "0x97dfa84cbffcf65b8d034f057439472bc93868a66cc0e728c2faffb00f8b4923",
];
const known: ReadonlySet<string> = new Set(topics);

/** getPool(uint256 dexId) of the resolver: pool, both tokens, fee */
const GET_POOL: Hex = "0x068bcd8d";

function poolOf(deployment: Deployment, [address, ...tokens]: readonly Address[]): Pool {
  const id = idOf(address!);
  return {
    id,
    address: address!,
    protocol: "fluid",
    deployment: deployment.id,
    tokens,
    stateIds: [id],
    facts: { resolver: addressFact(deployment, "resolver") },
  };
}

/**
 * The pools that the record lists as `pool:token0:token1`, with commas between them; none if it counts them instead.
 *
 * @throws Error if the list is malformed, or the record has neither list nor count
 */
function seeds(deployment: Deployment): readonly Pool[] {
  const { pools, dexes } = deployment.facts;
  if (pools === undefined && typeof dexes === "number") return [];
  const listed = typeof pools === "string" ? pools.split(",").map((pool) => pool.split(":")) : [];
  const isGood = (pool: readonly string[]) => pool.length === 3 && pool.every((part) => ADDRESS.test(part));
  if (listed.length === 0 || !listed.every(isGood))
    throw new Error(`deployment ${deployment.id}: pools must be lists of three addresses, not ${pools}`);
  return listed.map((pool) => poolOf(deployment, pool as Address[]));
}

/** The factory numbers its pools from 1; numbers that it has not given yet have no pool. */
function hinted(deployment: Deployment): readonly HintedPool[] {
  const { dexes } = deployment.facts;
  const to = addressFact(deployment, "resolver");
  return Array.from({ length: typeof dexes === "number" ? dexes : 0 }, (_, k) => ({
    details: [{ to, data: callData(GET_POOL, k + 1) }],
    poolOf: ([answer = "0x"]) =>
      hasWords(answer, 3)
        ? poolOf(
            deployment,
            [0, 1, 2].map((word) => addressAt(answer, word)),
          )
        : undefined,
  }));
}

/**
 * Fluid DEX, first kind: pools whose reserves are deposits and debts at Fluid's liquidity layer.
 *
 * @source Instadapp/fluid-contracts-public contracts/protocols/dex/poolT1
 */
export const fluid: Protocol<State, Mirror> = {
  name: "fluid",
  topics,
  creations: [],
  byPair: () => undefined,
  hinted,
  bitmap: () => undefined,
  seeds,
  // The factory's log names no tokens.
  discover: () => undefined,
  touches: (log) => (known.has(log.topics[0]!) ? [idOf(log.address)] : []),
  reads,
  load,
  apply: (state, log) => (known.has(log.topics[0]!) ? "reload" : state),
  // Deposits and debts earn interest, and limits grow, each second.
  stale: (state, at) => state.readFor !== at.blockNumber,
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve,
  joint: noJoint,
  gas: () => GAS.one,
  encode: (pool, _state, i, j) => ({
    kind: stepKinds.fluid,
    target: pool.address,
    zeroForOne: i === 0,
    extra: "0x",
    intake: pool.tokens[i] === NATIVE ? "held" : "approval",
    // The native coin is sent with little gas; the router sends it with all that is left.
    paysAnyone: pool.tokens[j] !== NATIVE,
  }),
};
