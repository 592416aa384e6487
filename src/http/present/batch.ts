import Type, { type Static } from "typebox";
import type { Detail } from "../../core/errors.ts";
import type { PriceRequest } from "../../service/pricing/price.ts";
import { slippageOrOne, swapQuery, swapRequest, swapRules } from "../schemas/swap-query.ts";
import { invalid, parametersIn, type Rule, textsOf } from "../schemas/validation.ts";

/** The body of POST prices: a list of price requests, and parameters that all of them share. */

export const MOST_REQUESTS = 64;

const Entry = Type.Object({ ...swapQuery, slippage: slippageOrOne });

export const PricesBody = Type.Object(
  {
    requests: Type.Array(Type.Partial(Entry), {
      minItems: 1,
      maxItems: MOST_REQUESTS,
      description: "What to price. A parameter that an entry leaves out is taken from beside the list",
    }),
    ...Type.Partial(Entry).properties,
  },
  {
    description:
      "Parameters of price, as text or as JSON numbers and booleans; those beside the list are of all entries. " +
      "All are priced at one block, which is none older than the highest min_block",
    examples: [
      {
        fromTokenAddress: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
        toTokenAddress: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
        requests: [{ amount: "1000000000000000000" }, { amount: "2000000000", side: "BUY" }],
      },
    ],
  },
);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses and validates the body.
 *
 * @throws BraidError VALIDATION with a detail for every bad field, such as `requests[3].amount`
 */
export function readBatch(
  chainID: string,
  body: unknown,
): { requests: PriceRequest[]; minBlock: number | undefined } {
  if (!isObject(body)) throw invalid([{ field: "body", reason: "must be an object with requests" }]);
  const { requests } = body;
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MOST_REQUESTS)
    throw invalid([listFault(requests)]);
  const faults = new Map<string, Detail>();
  const note = (detail: Detail) => void faults.set(detail.field, detail);
  const shared = parametersIn(Entry, body);
  const read = requests.map((entry: unknown, index) => readEntry(entry, `requests[${index}]`, shared, note));
  if (faults.size > 0) throw invalid([...faults.values()]);
  const entries = read.map((texts) => swapRequest(chainID, texts!));
  const blocks = entries.flatMap(({ minBlock }) => minBlock ?? []);
  return {
    requests: entries.map((entry) => ({ ...entry, minBlock: undefined })),
    minBlock: blocks.length === 0 ? undefined : Math.max(...blocks),
  };
}

function listFault(requests: unknown): Detail {
  const reason = `must be a list of 1 to ${MOST_REQUESTS} prices to ask for`;
  return Array.isArray(requests)
    ? { field: "requests", reason, value: requests.length }
    : { field: "requests", reason };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parameters of one entry. A fault of a shared parameter is reported under its plain name, and so only once. */
function readEntry(
  entry: unknown,
  path: string,
  shared: Fields,
  note: (detail: Detail) => void,
): Static<typeof Entry> | undefined {
  if (!isObject(entry)) return void note({ field: path, reason: "must be an object" });
  const noteHere = ({ field, ...detail }: Detail) => {
    const isShared = entry[field] == null && shared[field] != null;
    note({ ...detail, field: isShared ? field : `${path}.${field}` } as Detail);
  };
  const texts = textsOf(Entry, { ...shared, ...parametersIn(Entry, entry) }, noteHere);
  for (const rule of swapRules as readonly Rule[]) for (const detail of rule(texts)) noteHere(detail);
  return texts as Static<typeof Entry>;
}
