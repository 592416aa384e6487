import type { BlockBody, BodiesPort } from "../../../service/ports/ports-bodies.ts";
import { fields, hex, integer } from "../parse.ts";
import { readHeader } from "../sealed/read-header.ts";
import { createSeals } from "../sealed/seal.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Rpc } from "../transport/rpc.ts";
import { asStale } from "./node-port.ts";

/** Long, since no caller waits for a body and a large one takes a slow endpoint seconds. */
const DEADLINE_MS = 20_000;

/**
 * Reads the bodies of blocks. A header whose fields do not hash to its hash is refused; the transactions are not
 * checked against the header.
 */
export function createBodiesPort(rpc: Rpc): BodiesPort {
  const seals = createSeals();
  return {
    async sentTo(contract, blockNumber) {
      const params = [`0x${blockNumber.toString(16)}`, true];
      try {
        const block = await rpc.request("eth_getBlockByNumber", params, {
          ...{ block: blockNumber, deadlineMs: DEADLINE_MS, urgency: "background" },
          doubt: (result) => void readHeader(result, seals),
        });
        return block === null ? undefined : bodyOf(block, contract, blockNumber);
      } catch (cause) {
        throw asStale(cause);
      }
    },
  };
}

function bodyOf(block: unknown, contract: string, blockNumber: number): BlockBody {
  const { number, hash, parentHash, timestamp, transactions } = fields(block);
  if (integer(number) !== blockNumber || !Array.isArray(transactions))
    throw new NodeFailure("refused", `not the block ${blockNumber} with its transactions`);
  return {
    number: blockNumber,
    hash: hex(hash, 32),
    parentHash: hex(parentHash, 32),
    timestamp: integer(timestamp),
    sent: transactions.flatMap((value: unknown, index) => {
      const { to, hash: own, input } = fields(value);
      const isOurs = typeof to === "string" && to.toLowerCase() === contract;
      return isOurs ? [{ hash: hex(own, 32), index, data: hex(input) }] : [];
    }),
  };
}
