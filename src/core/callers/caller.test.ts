import { expect, test } from "vitest";
import { callerOf } from "./caller.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::6", "2001:db8:1:2::/64"],
  ["2001:db8::1:2:3", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["not an address", "not an address"],
])("%s counts as %s", (ip, caller) => {
  expect(callerOf(ip)).toBe(caller);
});
