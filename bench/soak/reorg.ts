import type { Rpc } from "./reference.ts";

const PAUSE_MS = 500;
/** Pauses in a row without a new block after which mining has stopped. On a busy machine a block may be seconds late; each pause delays the reorg. */
const RESTING_PAUSES = 5;
/** Pauses after which the soak gives up on a node that goes on mining. */
const TRIES = 40;

/**
 * Has a node replace its newest blocks by empty ones while it mines nothing else.
 *
 * A block that anvil mines while it rolls back stays in its chain with the states of before: its blocks tell one thing then
 * and its states another, which no client can make fit. So mining is stopped, and a block that was on its way is waited for.
 *
 * @param depth of the blocks that are replaced
 * @throws Error where the node fails, or mined all the same
 * @source foundry 1.7.1, crates/anvil/src/eth/backend/mem/mod.rs, `rollback` does not take the lock of `do_mine_block`; issue foundry-rs/foundry#16711
 */
export async function reorg(rpc: Rpc, depth: number): Promise<void> {
  const interval = await rpc<number>("anvil_getIntervalMining", []);
  await rpc("evm_setIntervalMining", [0]);
  try {
    const before = await restingHead(rpc);
    await rpc("anvil_reorg", [depth, []]);
    const after = await headOf(rpc);
    if (after.number !== before.number || after.hash === before.hash)
      throw new Error(`a reorg of ${depth} blocks led from block ${before.number} to ${after.number}`);
  } finally {
    await rpc("evm_setIntervalMining", [interval]);
  }
}

type Head = { readonly number: number; readonly hash: string };

async function headOf(rpc: Rpc): Promise<Head> {
  const { number, hash } = await rpc<{ number: string; hash: string }>("eth_getBlockByNumber", [
    "latest",
    false,
  ]);
  return { number: Number(number), hash };
}

/** The head once it stays the same for a while. @throws Error where it goes on all the same */
async function restingHead(rpc: Rpc): Promise<Head> {
  let head = await headOf(rpc);
  let resting = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const next = await headOf(rpc);
    resting = next.hash === head.hash ? resting + 1 : 0;
    if (resting === RESTING_PAUSES) return head;
    head = next;
  }
  throw new Error("the node goes on mining although it was told to stop");
}
