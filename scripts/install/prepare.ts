/**
 * Builds the page into web/dist; `npm ci` runs it as `prepare`. An install that leaves the builder out (`--omit=dev`,
 * `--omit=optional`) is served without a page, and says so; a page that does not build fails the install. Then it deletes
 * what nothing reads of the packages (`slim.ts`).
 */
import { slim } from "./slim.ts";

const vite = await import("vite").catch((cause: Error) => cause);

if (vite instanceof Error) {
  process.stderr.write(
    `!!! LEFT OUT: the page: this install has no builder (${vite.message.split("\n")[0]})\n`,
  );
} else {
  await vite.build({ root: "web", configFile: "web/vite.config.ts", logLevel: "warn" });
}

if (process.env.SLIM !== "0") {
  const freed = slim("node_modules");
  if (freed > 0)
    process.stdout.write(`${Math.round(freed / 1e6)} MB of packages that nothing reads are deleted\n`);
}
