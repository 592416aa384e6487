import { forgetOldest } from "../../../core/forget-oldest.ts";
import type { Hex } from "../../../core/types.ts";
import { createSlots } from "../pace/slots.ts";
import { fields, hex, quantity } from "../parse.ts";
import { keccakHex } from "./keccak.ts";
import { listRoot } from "./list-root.ts";
import { bytes, bytesOf, encodeRlp, type Rlp } from "./rlp.ts";

/**
 * Whether a node's answer hashes to the expected hash. `unknown`: the answer has a form that may not be encodable here,
 * such as a header of a chain with fields of its own, so that a mismatch proves nothing.
 */
export type Verdict = "fits" | "differs" | "unknown";

/**
 * Recomputes hashes of headers and roots of receipts. It learns which forms of a chain can be encoded: once a header
 * has fitted, every header with the same set of fields must fit, and likewise receipts of transaction types that have
 * fitted.
 */
export type Seals = {
  /** @param block as eth_getBlockByNumber answers it */
  header(block: unknown): Verdict;
  /** @param receipts of one block, as eth_getBlockReceipts answers them */
  receipts(receipts: readonly unknown[], root: Hex): Promise<Verdict>;
  /** Whether receipts of this chain have fitted their root at least once. */
  provesReceipts(): boolean;
};

export function createSeals(): Seals {
  const headers = createForms();
  const receiptForms = createForms();
  // One after another: each root yields the event loop, and several at a time would still hold it together.
  const slot = createSlots(1);
  return {
    header(block) {
      const own = headerHash(block);
      return own === undefined ? "unknown" : headers.verdict([formOf(block)], own === fields(block).hash);
    },
    async receipts(receipts, root) {
      await slot.take();
      try {
        const own = await rootOf(receipts);
        return own === undefined ? "unknown" : receiptForms.verdict(receipts.map(typeOf), own === root);
      } finally {
        slot.free();
      }
    },
    provesReceipts: receiptForms.isKnown,
  };
}

/**
 * Most forms that are remembered. A chain has a few, but an endpoint can add fields of any name to a header that fits, since
 * they are not hashed.
 */
const MOST_FORMS = 64;

/** Remembers the newest forms that have fitted, and gives verdicts by them. */
function createForms() {
  const known = new Set<string>();
  const renew = (form: string) => {
    known.delete(form);
    known.add(form);
  };
  return {
    isKnown: () => known.size > 0,
    verdict(forms: readonly string[], fits: boolean): Verdict {
      if (fits) {
        for (const form of forms) renew(form);
        forgetOldest(known, MOST_FORMS);
        return "fits";
      }
      return known.size > 0 && forms.every((form) => known.has(form)) ? "differs" : "unknown";
    },
  };
}

/**
 * A hash of the names of the block's fields, which may be long: a field that another node leaves out, or that a later fork
 * adds, makes another form.
 */
function formOf(block: unknown): string {
  return keccakHex(Buffer.from(Object.keys(fields(block)).sort().join(" ")));
}

type Kind = "bytes" | "number";

/**
 * Header fields in the order in which they are hashed. Those of LATER follow the nonce; forks added them in this order.
 * @source EIP-1559, 4895, 4844, 4788, 7685
 */
const HEADER: readonly (readonly [string, Kind])[] = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "number"],
  ["number", "number"],
  ["gasLimit", "number"],
  ["gasUsed", "number"],
  ["timestamp", "number"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
];
const LATER: readonly (readonly [string, Kind])[] = [
  ["baseFeePerGas", "number"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "number"],
  ["excessBlobGas", "number"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
];

/** @returns undefined where a field is missing or malformed */
function headerHash(block: unknown): Hex | undefined {
  try {
    const shown = fields(block);
    const later = LATER.filter(([name]) => shown[name] !== undefined && shown[name] !== null);
    return keccakHex(encodeRlp([...HEADER, ...later].map(([name, kind]) => encoded(shown[name], kind))));
  } catch {
    return undefined;
  }
}

function encoded(value: unknown, kind: Kind): Buffer {
  return kind === "bytes" ? bytes(hex(value)) : bytesOf(quantity(value));
}

function typeOf(receipt: unknown): string {
  return String(fields(receipt).type ?? "0x0");
}

async function rootOf(receipts: readonly unknown[]): Promise<Hex | undefined> {
  try {
    return await listRoot(receipts.map(encodeReceipt));
  } catch {
    return undefined;
  }
}

/**
 * Transaction type of a rollup's deposits from L1, whose nonce and version are hashed with the receipt.
 * @source OP Stack specification, deposits
 */
const DEPOSIT = 0x7e;

/** @source EIP-658, EIP-2718 */
function encodeReceipt(value: unknown): Buffer {
  const receipt = fields(value);
  const type = receipt.type === undefined ? 0 : Number(quantity(receipt.type));
  const outcome = receipt.status === undefined ? bytes(hex(receipt.root)) : bytesOf(quantity(receipt.status));
  const logs = (receipt.logs as unknown[]).map(encodeLog);
  const body: Rlp[] = [
    outcome,
    bytesOf(quantity(receipt.cumulativeGasUsed)),
    bytes(hex(receipt.logsBloom)),
    logs,
  ];
  if (type === DEPOSIT && receipt.depositReceiptVersion !== undefined) {
    body.push(bytesOf(quantity(receipt.depositNonce)), bytesOf(quantity(receipt.depositReceiptVersion)));
  }
  const list = encodeRlp(body);
  return type === 0 ? list : Buffer.concat([Buffer.from([type]), list]);
}

function encodeLog(value: unknown): Rlp {
  const log = fields(value);
  return [
    bytes(hex(log.address)),
    (log.topics as unknown[]).map((topic) => bytes(hex(topic))),
    bytes(hex(log.data)),
  ];
}
