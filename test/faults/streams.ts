import { protocols } from "../../src/protocols/index.ts";
import { type Chain, createChain } from "../chain/blocks/chain.ts";
import { mix } from "../chain/model/hash.ts";
import { createBackend } from "../chain/node/backend.ts";
import { profileOf } from "../chain/node/profiles.ts";
import { type Follower, follow } from "./follow.ts";
import { compareStates, recordOf } from "./mainnet.ts";

/** Random streams of blocks and reorgs of a fake mainnet, followed in this process, in which the chain moves while it is read. */
export type Streams = {
  /**
   * Plays one stream to its end and compares every state with the chain's own at that block's hash.
   *
   * @returns states compared
   * @throws Error that names the stream and the first state that differs
   */
  run(seed: number): Promise<number>;
};

const LIGHT = { swaps: 8, positions: 5, creationEvery: 3 };

export async function openStreams(seed: number): Promise<Streams> {
  const sizes = { v2: 300, v3: 150, v4: 80 };
  const chain = createChain({ seed, sizes, built: 40, busyHistory: false, traffic: LIGHT });
  let between: () => void = () => undefined;
  const follower = follow(createBackend(chain, profileOf("local")), {
    chain: recordOf(chain),
    beside: [...protocols.values()],
    before: () => between(),
    firstWindow: 100_000,
  });
  await follower.catchUp();
  return {
    async run(stream) {
      let asked = 0;
      between = () => {
        if (asked < 400 && mix(seed, stream, ++asked, 1) % 40 === 0) turn(chain, mix(seed, stream, asked));
      };
      const turns = 1 + (mix(seed, stream, 2) % 4);
      for (let k = 0; k < turns; k++) {
        turn(chain, mix(seed, stream, k, 3));
        if (mix(seed, stream, k, 4) % 2 === 0) await follower.catchUp();
      }
      between = () => undefined;
      await follower.catchUp();
      return compared(chain, follower, stream);
    },
  };
}

/** Some blocks, in a third of all turns after others were taken back. */
function turn(chain: Chain, salt: number): void {
  if (salt % 3 === 0) chain.rewind(1 + (mix(salt, 1) % 12));
  const blocks = 1 + (mix(salt, 2) % 3);
  for (let k = 0; k < blocks; k++) chain.mine();
}

function compared(chain: Chain, { market }: Follower, stream: number): number {
  const head = market.head();
  if (head?.hash !== chain.head().hash) throw new Error(`stream ${stream}: the newest head is not there`);
  const { compared: count, wrong } = compareStates(chain, {
    head: head.hash,
    view: market.book.view(),
    pools: market.book.pools.values(),
  });
  if (wrong.length > 0) throw new Error(`stream ${stream}: ${wrong.length} of ${count} states: ${wrong[0]}`);
  if (count < 100) throw new Error(`stream ${stream}: only ${count} states to compare`);
  return count;
}
