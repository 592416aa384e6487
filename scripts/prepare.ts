/** Builds the page after an install. A production install has no builder, and then serves the API alone. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync("node_modules/vite")) {
  process.stdout.write("The page is not built: the development dependencies are not installed.\n");
} else {
  const { status } = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "web", "--logLevel", "warn"], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
