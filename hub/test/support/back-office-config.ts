import { send } from "./send.ts";
import type { TestHub } from "./start-test-hub.ts";

/** Reads the back-office's configuration. */
export async function readBackOfficeConfig(
  hub: TestHub,
): Promise<Record<string, unknown> & { products: Record<string, unknown>[]; taxes: Record<string, unknown>[] }> {
  const headers = { Cookie: `session_id=${await hub.signIn("manager")}` };
  return (await send(hub.backOffice.url, "POST", "/pos-api/v1/bootstrap", { headers, body: {} })).body.config;
}

/** Makes the back-office return this configuration from now on. */
export async function setBackOfficeConfig(hub: TestHub, config: Record<string, unknown>): Promise<void> {
  const body = { config, session: { id: 1, name: "POS/1", state: "opened" }, minClientVersion: null };
  const fault = { path: "/pos-api/v1/bootstrap", action: "status", status: 200, body };
  await hub.backOffice.control("POST", "/faults", { faults: [fault] });
}
