/**
 * `npm run bench:http`: the service under load, over real sockets. Market, search threads, use cases and HTTP are the
 * service's; a node there is only on the devnet, so only prices are asked. Clients run in processes of their own on the same cores.
 *
 *   -- --markets 2000,devnet         numbers of pools of seeded markets; devnet; files of real pools
 *   -- --seconds 3                   how long each part is measured in each round
 *   -- --rounds 3                    rounds in which the services are asked by turns; their medians are printed
 *   -- --workers 0,1,2               numbers of search threads that are compared
 *   -- --changes 1000                pools that each block changes, but on the devnet
 *
 * Every market that the bars are about, within a quarter of an hour: --markets devnet,20000,100000,FILE --seconds 2
 *
 *   -- --page docs/benchmarks.md     writes the tables there too
 */

import { availableParallelism, cpus, loadavg } from "node:os";
import { numberAboveZero, readFlags, wholeNumber } from "../../scripts/command-line.ts";
import { createMarkets } from "./markets.ts";
import { measure } from "./measure.ts";
import { tableOf, writePage } from "./page.ts";
import { endAll, type Service, serveDevnet, serveFiles } from "./processes.ts";

const text = { type: "string" } as const;
const { values } = readFlags({
  options: {
    markets: { ...text, default: "2000" },
    seconds: { ...text, default: "3" },
    rounds: { ...text, default: "3" },
    workers: { ...text, default: "0,1,2" },
    changes: { ...text, default: "1000" },
    page: text,
  },
});
const durationMs = 1000 * numberAboveZero("seconds", values.seconds);
const rounds = wholeNumber("rounds", values.rounds, 1);
const counts = values.workers.split(",").map((count) => wholeNumber("workers", count, 0));
const changes = wholeNumber("changes", values.changes, 0);

const markets = createMarkets();
type Opened = { readonly name: string; readonly serve: (threads: number) => Promise<Service> };

function open(market: string): Opened {
  if (market === "devnet") return { name: "the devnet", serve: serveDevnet };
  const pools = Number(market);
  const files = Number.isInteger(pools) && pools > 0 ? markets.seeded(pools) : markets.real(market);
  return { name: files.name, serve: (threads) => serveFiles(files, threads, changes) };
}

const loadNow = () => loadavg()[0]!.toFixed(1);

async function tableFor({ name, serve }: Opened): Promise<string> {
  const services = new Map<number, Service>();
  try {
    for (const count of counts) services.set(count, await serve(count));
    return tableOf(name, await measure(services, { rounds, durationMs }));
  } finally {
    await Promise.all([...services.values()].map((service) => service.end()));
  }
}

const NOTES = [
  `Beside "one path": Fynd publishes 65 routes/s a worker for one path of 3 hops over about 10,000 directed edges, on another machine
(propeller-heads/fynd 2bdc25f). Here one path is 3 pools at most; the row of all paths, a thread, is the full search.`,
  `"The same of plain HTTP and empty threads" is what the main thread takes where it does nothing: the runtime's HTTP, and threads that
compute nothing for as long as a search takes and answer with a number; the row of /livez is measured beside them in the same way, and what it
shows the machine and the clients themselves wait for. An idle core has to be woken for each request, thread and answer; where
searches are short and requests many, nobody sleeps and the same costs a tenth.`,
  `Memory is wanted below 700 MB for the process and 250 MB more for each search thread, the spare one too, at 100,000 pools: "RSS MB" as
it stands under load. What a thread takes is its heap and its arrays.`,
];

try {
  const head = `Medians of ${rounds} rounds of ${values.seconds} s, by turns. ${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, load ${loadNow()} before, Node ${process.version}`;
  const tables: string[] = [];
  for (const market of values.markets.split(",")) {
    tables.push(await tableFor(open(market)));
    console.log(tables.at(-1));
  }
  console.log([head, ...NOTES].join("\n\n"));
  if (values.page !== undefined) writePage(values.page, "http", [head, ...NOTES, ...tables].join("\n\n"));
} finally {
  endAll();
  markets.remove();
}
