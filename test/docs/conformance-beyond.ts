import { type Group, row, type TestName } from "./conformance-rows.ts";

/** What is there beside the interface that clients are written for, and the test that holds each row. */

const accounts = (title: string): TestName => ["test/api/accounts.test.ts", title];
const access = (title: string): TestName => ["test/api/access.test.ts", title];
const stream = (title: string): TestName => ["test/api/stream.test.ts", title];
const maker = (title: string): TestName => ["src/edge/makers/seat.test.ts", title];
const orders = (title: string): TestName => ["src/service/makers/orders.test.ts", title];

export const beyondThePrice: readonly Group[] = [
  {
    title: "Makers",
    rows: [
      row(
        "levels",
        "are in the market while they are fresh, and only of makers that the operator allows",
        ["src/edge/makers/makers-file.test.ts", "a maker is read, and is a source of its name"],
        maker("go into the market with the inventory, and out of it when they are two seconds old"),
      ),
      row(
        "orders",
        "a signed order takes the place of the levels; without one the same answer has pools alone",
        orders("an order that replaces the levels pays what they promised, and the offer expires with it"),
        orders("with rfqOnly, makers that sign nothing lead to NO_ROUTE"),
        orders("after a search of %d ms makers have %d ms, so that they add at most 250 ms to the quote"),
      ),
      row(
        "contracts",
        "are asked whether a signature is their own, as Permit2 asks them",
        maker("a contract that says %s of an order that another account signed: %o"),
        [
          "src/edge/makers/contract-signature.test.ts",
          "the contract is asked as Permit2 asks it, on the newest block, in the time that is left",
        ],
      ),
      row(
        "reputation",
        "a maker that fades is blocked; what no node could check is nobody's fade",
        maker("a maker that never answers is late, and its second fade takes it out of the market"),
        maker("a contract whose signature no node can check does not fade, however often"),
      ),
    ],
  },
  {
    title: "Streams, wallets, keys and operation",
    rows: [
      row(
        "GET price/stream",
        "an offer a block where it changes; one search for all who ask the same, after everybody's",
        stream("begins with what price answers, and says more only where a block changes it"),
        stream("is searched for once for all who ask the same"),
        stream("a reader who comes back is told only what is new"),
        stream("a reader who does not read is given up, and nobody else notices"),
        [
          "test/api/stream-turns.test.ts",
          "none is made before nobody else waits, and a load that never ends leaves them a twentieth of the time",
        ],
      ),
      row(
        "GET balances, tokens/{address}, transaction/outcome",
        "balances and allowances in one call; a token by its address; what became of a transaction",
        accounts(
          "of the tokens asked for, in their order, with what the router may take and what it is worth",
        ),
        accounts("of no list, as its contract says, with the listed tokens that it may pose as"),
        accounts("what arrived is what the logs say that the recipient gained, fees apart"),
      ),
      row(
        "API keys",
        "tiers, limits, origins and fees of a key",
        access("a key is read from X-Api-Key, a bearer token or apiKey, in this order"),
        access("3001 UNAUTHORIZED for an unknown and for a revoked key, with how to authenticate"),
        access("3002 RATE_LIMITED for what a key has used up; other keys and addresses go on"),
        access("3003 FORBIDDEN for a page of an origin that the key does not list, and for none"),
      ),
      row(
        "GET metrics",
        "every stage of a request; all metrics are on the dashboard",
        [
          "test/docs/grafana.test.ts",
          "every stage of a request is counted, and named where the stages are shown",
        ],
        ["test/docs/grafana.test.ts", "every metric of the service is on the dashboard, and nothing else is"],
      ),
      row("traces", "OpenTelemetry by --import", [
        "test/process/opentelemetry.test.ts",
        "a quote is a span under its caller's, with its stages and the requests to nodes below it",
      ]),
    ],
  },
];
