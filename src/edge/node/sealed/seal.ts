import { keccak256 } from "viem";
import type { Hex } from "../../../core/types.ts";
import { fields, hex, quantity } from "../parse.ts";
import { listRoot } from "./list-root.ts";
import { bytes, bytesOf, encodeRlp, type Rlp } from "./rlp.ts";

/**
 * Whether what a node shows hashes to the name that it has. `unknown`: this form cannot be encoded here, such as headers
 * of a chain with fields of its own, so that nothing is said.
 */
export type Verdict = "fits" | "differs" | "unknown";

/**
 * Recomputes hashes of headers and roots of receipts. Which forms of a chain can be encoded is learnt: what has the fields
 * of a header that was seen to fit must fit as well, and so must receipts of types that were.
 */
export type Seals = {
  /** @param block as eth_getBlockByNumber shows it */
  header(block: unknown): Verdict;
  /** @param receipts of one block, as eth_getBlockReceipts shows them */
  receipts(receipts: readonly unknown[], root: Hex): Promise<Verdict>;
  /** Whether receipts of this chain were seen to fit their root. */
  provesReceipts(): boolean;
};

export function createSeals(): Seals {
  const headers = createForms();
  const receiptForms = createForms();
  return {
    header(block) {
      const own = headerHash(block);
      return own === undefined ? "unknown" : headers.verdict([formOf(block)], own === fields(block).hash);
    },
    async receipts(receipts, root) {
      const own = await rootOf(receipts);
      return own === undefined ? "unknown" : receiptForms.verdict(receipts.map(typeOf), own === root);
    },
    provesReceipts: receiptForms.isKnown,
  };
}

/** The forms that were seen to fit. */
function createForms() {
  const known = new Set<string>();
  return {
    isKnown: () => known.size > 0,
    verdict(forms: readonly string[], fits: boolean): Verdict {
      if (fits) for (const form of forms) known.add(form);
      if (fits) return "fits";
      return known.size > 0 && forms.every((form) => known.has(form)) ? "differs" : "unknown";
    },
  };
}

/** The fields that it has: one that another node leaves out, or a later fork adds, makes another form. */
function formOf(block: unknown): string {
  return Object.keys(fields(block)).sort().join(" ");
}

type Kind = "bytes" | "number";

/** In the order in which they are hashed; those behind the nonce came one after the other. @source EIP-1559, 4895, 4844, 4788, 7685 */
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

/** @returns undefined where a field is missing or is not what it should be */
function headerHash(block: unknown): Hex | undefined {
  try {
    const shown = fields(block);
    const later = LATER.filter(([name]) => shown[name] !== undefined && shown[name] !== null);
    return keccak256(encodeRlp([...HEADER, ...later].map(([name, kind]) => encoded(shown[name], kind))));
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

/** A deposit of a rollup's first layer. @source OP Stack specification, deposits: nonce and version are hashed with the receipt */
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
