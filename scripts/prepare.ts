/**
 * Builds the page into web/dist; `npm ci` runs it as `prepare`. An install that leaves the builder out (`--omit=dev`,
 * `--omit=optional`) is served without a page, and says so; a page that does not build fails the install.
 */
const vite = await import("vite").catch((cause: Error) => cause);

if (vite instanceof Error) {
  process.stderr.write(
    `!!! LEFT OUT: the page: this install has no builder (${vite.message.split("\n")[0]})\n`,
  );
} else {
  await vite.build({ root: "web", configFile: "web/vite.config.ts", logLevel: "warn" });
}
