import type { Address, Head, Hex } from "../../src/core/types.ts";
import type { Rpc } from "../../src/edge/node/transport/rpc.ts";
import { createProofPort } from "../../src/edge/proof/proof-port.ts";
import type { Rpc as PlainRpc } from "../soak/reference.ts";

/** A quote as it is run again. */
export type Runnable = {
  readonly to: Address;
  readonly calldata: Hex;
  readonly value: string;
  readonly token_in: Address;
  readonly amount_in: string;
  readonly block_hash: Hex;
};

/** Sends; an account that nobody has. */
const SENDER: Address = "0x00000000000000000000000000000000a9a19001";
/** Until a block that anvil was taking over is taken over. */
const SETTLED_MS = 2_000;

/**
 * Runs quotes on their own block once more. While anvil takes a block over, it answers reads of the block before with the state after
 * it; a later read tells the truth.
 *
 * @returns what the recipient gets; undefined where it reverts, or the node has not that block
 */
export function createAgain(rpc: PlainRpc, blockTimeMs: number) {
  const batch: Rpc["batch"] = (requests) =>
    Promise.all(
      requests.map(({ method, params }) =>
        rpc(method, params).then(
          (result) => ({ ok: true, result }) as never,
          (error: Error) => ({ ok: false, error: { message: error.message } }) as never,
        ),
      ),
    );
  const proof = createProofPort({ batch } as Rpc, { blockTimeMs });
  return async ({
    to,
    calldata,
    value,
    token_in,
    amount_in,
    block_hash,
  }: Runnable): Promise<bigint | undefined> => {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const block = await rpc<Record<keyof Head, Hex> | null>("eth_getBlockByHash", [block_hash, false]);
    if (block === null) return undefined;
    const run = await proof.run({
      ...{ swap: { to, data: calldata, value: BigInt(value) }, from: SENDER },
      ...{ token: token_in, amountIn: BigInt(amount_in), isSigned: false, isAble: false },
      head: { ...block, number: Number(block.number), timestamp: Number(block.timestamp) },
    });
    return run?.ok === true ? BigInt(run.data.slice(0, 66)) : undefined;
  };
}
