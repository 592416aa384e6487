import { existsSync } from "node:fs";

/** The Chromium that the browser tests drive, where the machine has one. */
export const CHROMIUM: string | undefined = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
