/**
 * `npm run snapshot -- export FILE --chain ID`, `… import FILE --chain ID`: which pools a chain has, from one operator to another.
 *
 * A snapshot is a hint. What it names is asked of the factories that the chain's own file lists before it is used, and no state, fee
 * or contract comes from it. The service of the folder must not be running.
 *
 * Ends with 2 where the command line is wrong, 1 where the file or the folder is.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { chains } from "../../src/chains/index.ts";
import { decodePlain } from "../../src/core/codec.ts";
import type { Hex, Pool } from "../../src/core/types.ts";
import { keyOfPoolFile, openPoolFile, type PoolFile } from "../../src/edge/store/pool-file.ts";
import { poolFilePath } from "../../src/edge/store/pool-store.ts";
import { readSnapshot, writeSnapshot } from "../../src/edge/store/snapshot-lines.ts";
import type { ChainKey } from "../../src/edge/store/token-store.ts";

const USAGE = `npm run snapshot -- export FILE --chain ID | import FILE --chain ID

DATA_DIR names the service's folder, or --data-dir DIR. The service must not be running.
import: --genesis HASH, the chain's first block, where neither the folder nor this program knows it`;

const text = { type: "string" } as const;
const options = { "data-dir": text, chain: text, genesis: text, help: { type: "boolean" } } as const;

function complain(message: string, code: 1 | 2): never {
  console.error(code === 2 ? `${message}\n\n${USAGE}` : message);
  process.exit(code);
}

type Asked = {
  readonly command: "export" | "import";
  readonly file: string;
  readonly folder: string;
  readonly chainId: number;
  readonly genesis: Hex | undefined;
};

function readArguments(): Asked {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help === true) {
    console.log(USAGE);
    process.exit(0);
  }
  const [command, file, more] = positionals;
  if (command !== "export" && command !== "import")
    throw new Error(`The command is export or import, not "${command ?? ""}".`);
  if (file === undefined || more !== undefined) throw new Error("Name one file.");
  const folder = values["data-dir"] ?? process.env.DATA_DIR;
  if (folder === undefined) throw new Error("Neither DATA_DIR nor --data-dir names a folder.");
  const chainId = Number(values.chain);
  if (!chains.some(({ id }) => id === chainId))
    throw new Error(
      `--chain must be one of ${chains.map(({ id }) => id).join(", ")}, not "${values.chain ?? ""}".`,
    );
  const { genesis } = values;
  if (genesis !== undefined && !/^0x[0-9a-f]{64}$/.test(genesis))
    throw new Error(`--genesis must be a hash in lower case, not "${genesis}".`);
  return { command, file, folder, chainId, genesis: genesis as Hex | undefined };
}

function keyOf(path: string, { chainId, genesis }: Asked): ChainKey {
  const kept = existsSync(path) ? keyOfPoolFile(path) : undefined;
  if (kept !== undefined && kept.chainId !== chainId)
    throw new Error(`${path} is of chain ${kept.chainId}, not ${chainId}.`);
  const known = kept?.genesis ?? genesis ?? chains.find(({ id }) => id === chainId)?.genesis;
  if (known === undefined)
    throw new Error(
      `Chain ${chainId}: its first block is not known; name it by --genesis, or start the service once.`,
    );
  return { chainId, genesis: known };
}

function* poolsOf(file: PoolFile): Generator<Pool> {
  for (let after = 0; ; ) {
    const rows = file.pools({ after, count: 1_000 });
    if (rows.length === 0) return;
    for (const { body } of rows) yield decodePlain(body) as Pool;
    after = rows.at(-1)!.n;
  }
}

async function run(asked: Asked): Promise<void> {
  const path = poolFilePath(asked.folder, asked.chainId);
  if (asked.command === "export" && !existsSync(path))
    throw new Error(`${path}: there is no such checkpoint.`);
  const key = keyOf(path, asked);
  // A file that is refused is refused before the folder is touched.
  const lines = asked.command === "import" ? await readSnapshot(asked.file, key) : [];
  const file = openPoolFile(path, key);
  try {
    if (file.opened.dropped !== undefined)
      throw new Error(`The checkpoint was dropped: ${file.opened.dropped}.`);
    if (asked.command === "import") {
      file.putHints(lines);
      console.log(
        `${lines.length} pools of ${asked.file} are checked when the service of ${asked.folder} starts.`,
      );
    } else {
      const count = await writeSnapshot(asked.file, key, poolsOf(file));
      console.log(`${count} pools of chain ${key.chainId} are in ${asked.file}.`);
    }
  } finally {
    file.close();
  }
}

const asked = ((): Asked => {
  try {
    return readArguments();
  } catch (error) {
    return complain((error as Error).message, 2);
  }
})();
await run(asked).catch((error: Error) => complain(error.message, 1));
