import { expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { createBackOfficeStatus } from "./back-office-status.ts";

const catalogue = { currency: "DOP", products: {}, categories: {}, paymentMethods: {}, tables: {}, taxes: [] };

function depsOf(url: string, isReached = false, facts = { isNetworkDown: false, hasCatalogue: false }) {
  return {
    world: realWorld(createLog("silent")),
    reachability: {
      isUp: () => isReached,
      isNetworkDown: () => facts.isNetworkDown,
      lastContactAt: () => (isReached ? 1_000 : null),
    },
    own: { hasCredentials: true, refusal: () => null, isSignedIn: () => isReached },
    pos: { catalogue: () => (facts.hasCatalogue ? catalogue : null) },
    config: { backOffice: { url, db: "demo", credentials: null } },
    outages: { downSince: () => null, last: () => null },
  };
}

function statusOf(...about: Parameters<typeof depsOf>) {
  return createBackOfficeStatus(depsOf(...about), () => undefined);
}

it("the back-office's address is shown to managers, and to others only if it is a loopback [OP-182]", () => {
  for (const [url, shown] of [
    ["http://127.0.0.1:8069", true],
    ["http://localhost:8069", true],
    ["http://[::1]:8069", true],
    ["https://erp.laterraza.do", false],
    ["http://127.0.0.1.example.org", false],
    ["http://192.168.1.5:8069", false],
  ] as const) {
    expect(statusOf(url).read(true).address).toBe(url);
    expect(statusOf(url).read().address).toBe(shown ? url : null);
  }
});

it("a back-office that never answered is distinguished from one that did [OP-182]", () => {
  expect(statusOf("http://127.0.0.1:9").read()).toMatchObject({ state: "unreachable", everReached: false });
  expect(statusOf("http://127.0.0.1:9", true).read()).toMatchObject({ state: "reachable", everReached: true });
});

it("a missing network is recognized after a restart too [OP-205]", () => {
  const down = { isNetworkDown: true, hasCatalogue: true };
  expect(statusOf("https://erp.laterraza.do", false, down).read().cause).toBe("no_network");
  // A name that was never resolved is more likely a wrong one.
  const never = { ...down, hasCatalogue: false };
  expect(statusOf("https://erp.laterraza.do", false, never).read().cause).toBe("no_answer");
});

it("an expired session does not reset the time since which the back-office answers; an outage does [OP-577]", () => {
  const clock = manualClock();
  let now = { isUp: true, isSignedIn: true };
  const status = createBackOfficeStatus(
    {
      ...depsOf("https://erp.laterraza.do"),
      world: { ...realWorld(createLog("silent")), ...clock.world },
      reachability: { isUp: () => now.isUp, isNetworkDown: () => false, lastContactAt: () => null },
      own: { hasCredentials: true, refusal: () => null, isSignedIn: () => now.isSignedIn },
    },
    () => undefined,
  );
  const become = (isUp: boolean, isSignedIn: boolean) => {
    clock.advance(60_000);
    now = { isUp, isSignedIn };
    return status.read();
  };
  const begin = status.read().since;
  expect(become(true, false)).toMatchObject({ state: "signed_out" });
  expect(become(true, true)).toMatchObject({ state: "reachable", since: begin });
  expect(become(false, true)).toMatchObject({ state: "unreachable" });
  become(true, false);
  expect(Date.parse(become(true, true).since) - Date.parse(begin)).toBe(4 * 60_000);
});
