import { existsSync } from "node:fs";

const installed = (...paths: readonly (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path));

const given = process.env.CHROMIUM_PATH;
const withWindows = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const shell = "/usr/bin/chromium-headless-shell";

/** The Chromium that users have, where the machine has one: what the bench of the page drives. */
export const CHROMIUM = installed(given, ...withWindows, shell);

/** What the tests drive: Chromium without windows and menus, which takes a third less time, where it is installed. */
export const HEADLESS_CHROMIUM = installed(given, shell, ...withWindows);
