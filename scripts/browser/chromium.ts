import { existsSync } from "node:fs";

const installed = (...paths: readonly (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path));

/** The Chromium that users have, where the machine has one: what the bench of the page drives. */
export const CHROMIUM = installed(
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
);

/** What the tests drive: Chromium without its own windows and menus, a third cheaper, where it is installed. */
export const HEADLESS_CHROMIUM = installed(
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium-headless-shell",
  CHROMIUM,
);
