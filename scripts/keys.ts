/**
 * `npm run keys -- create --name NAME [--tier T] [limits] [--origin URL]… [fees]`, `… list [--json]`, `… revoke ID`:
 * the API keys of the service whose DATA_DIR (or `--data-dir`) is given. A running service follows within a second.
 *
 * Ends with 2 where the command line is wrong, 1 where no such key exists.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type KeyStore, type NewKey, openKeyStore, type StoredKey } from "../src/edge/access/key-store.ts";
import { isTier, tiers } from "../src/edge/access/tiers.ts";
import { fault } from "../src/http/schemas/formats.ts";
import { lower } from "../src/http/schemas/texts.ts";

const USAGE = `npm run keys -- create --name NAME [options] | list [--json] | revoke ID

DATA_DIR names the service's folder, or --data-dir DIR.

create prints the key once; only its SHA-256 is kept.
  --name NAME          whom it is for
  --tier TIER          ${Object.entries(tiers)
    .map(
      ([name, { perMinute, perDay }]) => `${name} (${perMinute} a minute, ${perDay || "any number"} a day)`,
    )
    .join(", ")}; default basic
  --per-minute N       another limit than the tier's; 0 = none
  --per-day N          another quota than the tier's; 0 = none
  --per-address N      requests a minute from one address, for keys in public pages; 0 = none
  --origin URL         only pages of this origin may use it; may be repeated
  --fee-recipient A    wallet for the fees of requests that name none
  --buy-fee N          default fee on the token bought; 10 = 1 %
  --sell-fee N         default fee on the token sold; 10 = 1 %
`;

const text = { type: "string" } as const;
const options = {
  ...{ "data-dir": text, name: text, tier: text, "per-minute": text, "per-day": text, "per-address": text },
  ...{ "fee-recipient": text, "buy-fee": text, "sell-fee": text },
  origin: { type: "string", multiple: true },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

type Values = ReturnType<typeof readArguments>["values"];

function readArguments() {
  return parseArgs({ options, allowPositionals: true });
}

function count(values: Values, name: "per-minute" | "per-day" | "per-address"): number | undefined {
  const given = values[name];
  if (given !== undefined && !/^\d{1,12}$/.test(given))
    throw new Error(`--${name} must be a whole number of requests, not "${given}".`);
  return given === undefined ? undefined : Number(given);
}

/** An origin in the form in which browsers send it. */
function originOf(given: string): string {
  const origin = URL.canParse(given) ? new URL(given).origin : "null";
  if (origin === "null" || origin !== given.replace(/\/$/, "").toLowerCase())
    throw new Error(`--origin must be a scheme and a host, as https://app.example, not "${given}".`);
  return origin;
}

function feesOf(values: Values): NewKey["fees"] {
  const recipient = values["fee-recipient"];
  const buy = values["buy-fee"] ?? "0";
  const sell = values["sell-fee"] ?? "0";
  const faults = [
    recipient === undefined ? undefined : withName("fee-recipient", fault("account", recipient), recipient),
    withName("buy-fee", fault("permille", buy), buy),
    withName("sell-fee", fault("permille", sell), sell),
  ].filter((each) => each !== undefined);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  if (recipient === undefined) {
    if (Number(buy) + Number(sell) > 0)
      throw new Error("A fee needs --fee-recipient, the wallet it goes to.");
    return undefined;
  }
  return { recipient: lower(recipient), buyPermille: Number(buy), sellPermille: Number(sell) };
}

function withName(name: string, reason: string | undefined, value: string): string | undefined {
  return reason === undefined ? undefined : `--${name} ${reason}, not "${value}".`;
}

function newKeyOf(values: Values): NewKey {
  const { name, tier = "basic", origin = [] } = values;
  if (name === undefined || name.trim() === "") throw new Error("--name is missing: whom is the key for?");
  if (!isTier(tier))
    throw new Error(`--tier must be one of ${Object.keys(tiers).join(", ")}, not "${tier}".`);
  return {
    name: name.trim(),
    tier,
    perMinute: count(values, "per-minute"),
    perDay: count(values, "per-day"),
    perAddressPerMinute: count(values, "per-address") ?? 0,
    origins: origin.map(originOf),
    fees: feesOf(values),
  };
}

const now = () => Math.floor(Date.now() / 1000);
const DAY_SECONDS = 86_400;
const timeOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;

/** A key without its hash, with what it was used for. */
function shown(store: KeyStore, { hash: _, ...key }: StoredKey) {
  const usage = store.usage().filter(({ id }) => id === key.id);
  const today = usage.find(({ day }) => day === Math.floor(now() / DAY_SECONDS))?.requests ?? 0;
  const total = usage.reduce((sum, { requests }) => sum + requests, 0);
  return { ...key, requestsToday: today, requestsTotal: total };
}

function lineOf(key: ReturnType<typeof shown>): string {
  const { id, name, tier, perMinute, perDay, perAddressPerMinute, origins, fees } = key;
  const parts = [
    ...[id, JSON.stringify(name), tier, `${perMinute || "no limit"}/min`, `${perDay || "no quota"}/day`],
    ...(perAddressPerMinute > 0 ? [`${perAddressPerMinute}/min and address`] : []),
    ...(origins.length > 0 ? [origins.join(" ")] : []),
    ...(fees === undefined
      ? []
      : [`fees ${fees.buyPermille}+${fees.sellPermille} permille to ${fees.recipient}`]),
    `${key.requestsToday} today, ${key.requestsTotal} in all`,
    `made ${timeOf(key.createdAt)}`,
    ...(key.revokedAt === undefined ? [] : [`revoked ${timeOf(key.revokedAt)}`]),
  ];
  return parts.join("  ");
}

/** Refuses a command line before a folder is touched: a key that is to be revoked must not seem to be unknown. */
function checkWords([command, ...words]: readonly string[], folder: string): void {
  if (command !== "create" && command !== "list" && command !== "revoke")
    throw new Error(`The command is create, list or revoke, not "${command ?? ""}".\n\n${USAGE}`);
  if (folder === "") throw new Error("Set DATA_DIR, or --data-dir: keys live in the service's folder.");
  if (command === "revoke" && words.length !== 1)
    throw new Error(`revoke takes the id of one key, not "${words.join(" ")}".`);
  if (command !== "revoke" && words.length > 0)
    throw new Error(`${command} takes options only, not "${words.join(" ")}".`);
  if (command !== "create" && !existsSync(folder))
    throw new Error(`There is no folder ${folder}: DATA_DIR or --data-dir names the service's.`);
}

/** @returns the exit code */
function run(store: KeyStore, command: string, id: string, values: Values): number {
  if (command === "create") {
    const made = store.create(newKeyOf(values), now());
    process.stdout.write(`${made.secret}\n`);
    process.stderr.write(`Key ${made.id}. It is shown this once: only its SHA-256 is kept.\n`);
    return 0;
  }
  if (command === "list") {
    const keys = store.all().map((key) => shown(store, key));
    const lines = values.json === true ? [JSON.stringify(keys, undefined, 2)] : keys.map(lineOf);
    process.stdout.write(lines.length === 0 ? "There are no keys.\n" : `${lines.join("\n")}\n`);
    return 0;
  }
  const isRevoked = store.revoke(id, now());
  const said = isRevoked ? `Key ${id} is revoked.` : `No valid key has the id ${JSON.stringify(id)}.`;
  process.stdout.write(`${said}\n`);
  return isRevoked ? 0 : 1;
}

try {
  const { values, positionals } = readArguments();
  const folder = values["data-dir"] ?? process.env.DATA_DIR ?? "";
  if (values.help === true) process.stdout.write(USAGE);
  else {
    checkWords(positionals, folder);
    const store = openKeyStore(folder);
    try {
      process.exitCode = run(store, positionals[0]!, positionals[1] ?? "", values);
    } finally {
      store.close();
    }
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
