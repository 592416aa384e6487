import { expect, test } from "vitest";
import { lateToSettle, learnPace, type Query } from "./request.ts";
import { emptyWorkspace } from "./workspace.ts";

test("the time reserved for settling rises at once with a longer measurement and falls slowly with shorter ones", () => {
  const workspace = emptyWorkspace();
  const left = 8;
  const query = { workspace, late: (aheadMs = 0) => aheadMs > left } as Query;
  expect(lateToSettle(query, 250)).toBe(false);

  learnPace(workspace, 200, 20);
  expect(lateToSettle(query, 70)).toBe(false);
  expect(lateToSettle(query, 99)).toBe(true);

  learnPace(workspace, 200, 2);
  expect(lateToSettle(query, 99)).toBe(true);
  for (let k = 0; k < 8; k++) learnPace(workspace, 200, 2);
  expect(lateToSettle(query, 99)).toBe(false);
});

test("a route of few legs does not change the measured time of a leg", () => {
  const workspace = emptyWorkspace();
  const { msALeg } = workspace.pace;
  learnPace(workspace, 3, 3);
  learnPace(workspace, 0, 1);
  expect(workspace.pace.msALeg).toBe(msALeg);
});
