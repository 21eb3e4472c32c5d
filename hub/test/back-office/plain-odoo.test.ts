import { expect, it } from "vitest";
import { startTestHub } from "../support/start-test-hub.ts";

it.each(["16.0", "17.0", "18.0"])(
  "roles of Odoo %s, which reports none, come from its groups [BO-111]",
  async (version) => {
    const hub = await startTestHub({ ownBackOffice: true });
    await hub.backOffice.control("POST", "/quirks", { hidePos: true, serverVersion: version });
    for (const [login, role] of [
      ["manager", "manager"],
      ["cashier", "waiter"],
      ["waiter", "waiter"],
    ] as const) {
      const { hello } = await hub.terminal({ login, deviceId: login });
      expect(hello.user).toMatchObject({ role, permissions: [] });
    }
  },
);
