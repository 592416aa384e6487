/**
 * What an install weighs, by package and by what it is for: npm run size [-- --all]
 * On disk as it is now; the download is each package's archive in npm's cache, where it is still there.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readFlags } from "../command-line.ts";
import { sizeOf } from "./slim.ts";

const { values } = readFlags({ options: { all: { type: "boolean", default: false } } });

type Locked = {
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
};
type Row = { name: string; kind: Kind; disk: number; download: number | undefined };
type Kind = "service" | "devnet and node" | "development";

/** The goals: everything, and what `npm ci --omit=dev --omit=optional` leaves. */
const GOALS_MB = { everything: 450, service: 150 };
const SHOWN = 25;

const cache = join(process.env.npm_config_cache ?? join(homedir(), ".npm"), "_cacache", "content-v2");
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};

/** Bytes of the package's archive; undefined where the cache does not have it. */
function archive(integrity: string | undefined): number | undefined {
  const [algorithm, digest] = integrity?.split("-") ?? [];
  if (algorithm === undefined || digest === undefined) return undefined;
  const hex = Buffer.from(digest, "base64").toString("hex");
  const path = join(cache, algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function kindOf({ dev, optional, devOptional }: Locked): Kind {
  if (dev) return "development";
  return optional || devOptional ? "devnet and node" : "service";
}

const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.startsWith("node_modules/") && !link && existsSync(path),
);
const rows: Row[] = installed.map(([path, locked]) => {
  const nested = installed
    .filter(([other]) => other.startsWith(`${path}/node_modules/`))
    .map(([other]) => other);
  const inner = nested.filter((one) => !nested.some((other) => one.startsWith(`${other}/`)));
  const disk = sizeOf(path) - inner.reduce((sum, other) => sum + sizeOf(other), 0);
  return {
    name: path.replaceAll("node_modules/", ""),
    kind: kindOf(locked),
    disk,
    download: archive(locked.integrity),
  };
});
if (rows.length === 0) {
  process.stderr.write("Nothing is installed here: npm ci first.\n");
  process.exit(1);
}

const mb = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(8);
const downloads = (some: readonly Row[]) => {
  const known = some.filter(({ download }) => download !== undefined);
  return known.length < some.length ? "       ?" : mb(known.reduce((sum, row) => sum + row.download!, 0));
};
process.stdout.write("    disk  download  MB, by package\n");
const heaviest = rows.toSorted((a, b) => b.disk - a.disk);
for (const row of values.all ? heaviest : heaviest.slice(0, SHOWN))
  process.stdout.write(`${mb(row.disk)}  ${downloads([row])}  ${row.name} (${row.kind})\n`);
process.stdout.write("\n");
for (const kind of ["service", "devnet and node", "development"] as const) {
  const some = rows.filter((row) => row.kind === kind);
  const disk = some.reduce((sum, row) => sum + row.disk, 0);
  process.stdout.write(`${mb(disk)}  ${downloads(some)}  ${kind}, ${some.length} packages\n`);
}
const total = sizeOf("node_modules");
process.stdout.write(
  `${mb(total)}  ${downloads(rows)}  everything (goals: ${GOALS_MB.everything}; service alone ${GOALS_MB.service})\n`,
);
