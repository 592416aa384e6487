/**
 * The reference maker, for the devnet: npm run maker -- [--port 8090] [--rpc http://127.0.0.1:8545] [--account 9]
 * [--secret TEXT] [--push http://127.0.0.1:8091/levels] [--airswap] [--fade 0.1] [--slow 400] [--lie worse|signature|nonce|expired|fee]
 *
 * npm run -s maker -- --print [--chain 31337] prints the MAKERS_FILE that names a maker with the same flags, and ends.
 */
import { addressFlag, portNumber, readFlags, refuse, wholeNumber } from "../command-line.ts";
import { startMaker } from "./serve.ts";
import { devnetAccount, type Lie } from "./sign.ts";
import { DEVNET_PAIRS } from "./tokens.ts";

const LIES: readonly string[] = ["worse", "signature", "nonce", "expired", "fee"] satisfies readonly Lie[];

const { values } = readFlags({
  options: {
    port: { type: "string", default: "8090" },
    rpc: { type: "string", default: "http://127.0.0.1:8545" },
    account: { type: "string", default: "9" },
    secret: { type: "string" },
    push: { type: "string" },
    airswap: { type: "boolean", default: false },
    fade: { type: "string", default: "0" },
    slow: { type: "string", default: "0" },
    lie: { type: "string" },
    print: { type: "boolean", default: false },
    chain: { type: "string", default: "31337" },
  },
});
const fade = Number(values.fade);
const slowMs = wholeNumber("slow", values.slow, 0);
if (values.fade.trim() === "" || !(fade >= 0 && fade <= 1))
  refuse(`--fade: a share from 0 to 1 is wanted, not "${values.fade}"`);
if (values.lie !== undefined && !LIES.includes(values.lie))
  refuse(`--lie: one of ${LIES.join(", ")} is wanted, not "${values.lie}"`);

/** A shorter one is refused in the service's configuration. */
const LEAST_SECRET = 16;
/** Of a mnemonic. */
const MOST_ACCOUNT = 2 ** 31 - 1;
/** In the service's configuration. */
const NAME = "Reference";
if (values.push !== undefined && (values.secret === undefined || values.airswap))
  refuse("--push takes a --secret, and is not for --airswap");

addressFlag("rpc", values.rpc);
if (values.push !== undefined) addressFlag("push", values.push);
if (values.secret !== undefined && values.secret.length < LEAST_SECRET)
  refuse(`--secret: at least ${LEAST_SECRET} characters are wanted, not ${values.secret.length}`);
const index = wholeNumber("account", values.account, 0);
if (index > MOST_ACCOUNT)
  refuse(`--account: a whole number of at most ${MOST_ACCOUNT} is wanted, not "${index}"`);
const account = devnetAccount(index);
const port = portNumber(values.port);

if (values.print) {
  if (port === 0) refuse("--print: the port of the maker is wanted, not 0");
  const chainId = wholeNumber("chain", values.chain, 1);
  process.stdout.write(makersFile(chainId, `http://127.0.0.1:${port}`));
} else await run();

async function run(): Promise<void> {
  const chainId = Number(await rpc<string>("eth_chainId", []).catch(noNode));
  const maker = await startMaker({
    account,
    pairs: DEVNET_PAIRS,
    port,
    secret: values.secret,
    airSwap: values.airswap,
    manners: { fade, slowMs, lie: values.lie as Lie | undefined },
    random: Math.random,
  });
  await maker.quote(rpc, values.push === undefined ? undefined : { url: values.push, name: NAME });
  process.stdout.write(`MAKERS_FILE for it:\n${makersFile(chainId, maker.url)}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void maker.stop().then(() => process.exit(0)));
}

function makersFile(chainId: number, url: string): string {
  const entry = { name: NAME, chain_id: chainId, address: account.address, url };
  const pushes = values.push === undefined ? {} : { push: true };
  const more = values.airswap
    ? { protocol: "airswap", pairs: DEVNET_PAIRS }
    : { secret: values.secret, ...pushes };
  return `${JSON.stringify({ makers: [{ ...entry, ...more }] }, undefined, 2)}\n`;
}

async function rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(values.rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = (await response.json()) as { result: T; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** Addresses of providers hold keys: no more of them is printed than where they lead. */
function noNode(): never {
  const { origin } = new URL(values.rpc);
  process.stderr.write(`No node answers at ${origin}: start the devnet's with npm start, or set --rpc.\n`);
  process.exit(1);
}
