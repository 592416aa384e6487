import { expect, test } from "vitest";
import { isPublicAddress, publicLookup } from "./public-addresses.ts";

test.each(["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "172.32.0.1", "100.128.0.1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fc00::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "maker.example",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("a host name that resolves to this machine is refused before a connection is opened", async () => {
  const error = await new Promise((done) => publicLookup("localhost", {}, (failure) => done(failure)));
  expect(String(error)).toMatch(/localhost has no public address/);
});
