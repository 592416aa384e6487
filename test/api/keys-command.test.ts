import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openKeyRing } from "../../src/edge/access/key-ring.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/keys.ts", import.meta.url));
const FEES = "0x00000000000000000000000000000000000000Fe";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-keys-command-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function keys(...args: string[]) {
  const env = { ...process.env, DATA_DIR: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("npm run keys", () => {
  test("makes a key that a running service knows, lists it without its secret, and revokes it", () => {
    const ring = openKeyRing(folder, () => Math.floor(Date.now() / 1000), { error: () => {} });
    const limits = [
      "--tier",
      "standard",
      "--per-day",
      "9",
      "--per-address",
      "3",
      "--origin",
      "https://App.example/",
    ];
    const fees = ["--fee-recipient", FEES, "--buy-fee", "10"];
    const made = keys("create", "--name", "Wallet Ltd", ...limits, ...fees);
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^braid_[\w-]{43}\n$/)]);
    const secret = made.stdout.trim();
    ring.refresh();
    const key = ring.port.find(secret)!;
    expect(key).toMatchObject({
      ...{ tier: "standard", perMinute: 6_000, perDay: 9, perAddressPerMinute: 3 },
      ...{
        origins: ["https://app.example"],
        fees: { recipient: FEES.toLowerCase(), buyPermille: 10, sellPermille: 0 },
      },
    });
    ring.port.count(key.id, 4);
    ring.refresh();
    const listed = keys("list");
    expect(listed.stdout).toContain(`${key.id}  "Wallet Ltd"  standard  6000/min  9/day  3/min and address`);
    expect(listed.stdout).toContain("4 today, 4 in all");
    const json = keys("list", "--json").stdout;
    expect(JSON.parse(json)).toMatchObject([{ id: key.id, name: "Wallet Ltd", requestsToday: 4 }]);
    expect((listed.stdout + json).includes(secret) || /[0-9a-f]{64}/.test(json)).toBe(false);
    expect(keys("revoke", key.id)).toMatchObject({ status: 0, stdout: `Key ${key.id} is revoked.\n` });
    expect(keys("revoke", key.id).status).toBe(1);
    ring.refresh();
    expect(ring.port.find(secret)).toBeUndefined();
    ring.close();
  });

  test.each([
    [["create"], /--name is missing/],
    [
      ["create", "--name", "x", "--tier", "gold"],
      /--tier must be one of basic, standard, partner, not "gold"/,
    ],
    [["create", "--name", "x", "--per-day", "-1"], /per-day/],
    [
      ["create", "--name", "x", "--origin", "https://a.example/path"],
      /--origin must be .*not "https:\/\/a.example\/path"/,
    ],
    [["create", "--name", "x", "--origin", "*"], /--origin must be/],
    [["create", "--name", "x", "--buy-fee", "10"], /--fee-recipient/],
    [["create", "--name", "x", "--fee-recipient", "0x1"], /--fee-recipient must be an address/],
    [
      ["create", "--name", "x", "--fee-recipient", FEES, "--sell-fee", "501"],
      /--sell-fee must be .*not "501"/,
    ],
    [["revoke", "one", "two"], /revoke takes the id of one key, not "one two"/],
    [["list", "--data-dir", "no-such-folder"], /no folder no-such-folder/],
    [["revoke", "one", "--data-dir", "no-such-folder"], /no folder no-such-folder/],
    [["destroy"], /create .*list.*revoke/],
  ])("%j ends with 2 and says why", (args, why) => {
    expect(keys(...args)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(why) });
    expect(existsSync("no-such-folder")).toBe(false);
  });
});
