import { hasCredentials, type DesktopTest, type DesktopTestResult } from "@comanda/protocol";
import { BackOfficeError } from "@comanda/hub/back-office/back-office-error.ts";
import { createBackOfficeClient } from "@comanda/hub/back-office/client.ts";
import { pairingAddresses } from "@comanda/hub/operator/terminals/pairing.ts";
import { isLoopback } from "@comanda/hub/platform/loopback.ts";
import type { World } from "@comanda/hub/platform/world.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import { findFreePort, findPortHolder, testPort } from "../hub/port-holder.ts";

export interface TestDeps {
  world: World;
  /** The port of our own running hub, which counts as free. */
  ownPort: () => number | undefined;
  /** The address that the hub listens on. */
  host: () => string;
  /** The saved password for this back-office, database and login, used if the test has none. */
  passwordFor: (account: { url: string; database: string; login: string }) => string | null;
}

type Failed = Extract<DesktopTestResult, { ok: false }>;

/** Runs the wizard's live tests: is the port free, and can this user sign in to a back-office with a point of sale? */
export function testConnection(test: DesktopTest, deps: TestDeps): Promise<DesktopTestResult> {
  return test.what === "port" ? testHubPort(test.port, deps) : testBackOffice(test, deps);
}

async function testHubPort(port: number, { ownPort, host }: TestDeps): Promise<DesktopTestResult> {
  const code = port === ownPort() ? undefined : await testPort(port);
  if (code === undefined) {
    const found = pairingAddresses({ host: host(), port }).filter(({ kind }) => kind !== "loopback");
    return { ok: true, what: "port", addresses: found.map(({ url }) => url), localOnly: isLoopback(host()) };
  }
  const suggestedPort = await findFreePort(port);
  const offer = suggestedPort === undefined ? {} : { suggestedPort };
  if (code !== "EADDRINUSE") {
    const error = `The system does not let this app use port ${port} (${code}).`;
    return { ok: false, what: "port", reason: "port_not_allowed", error, ...offer };
  }
  const heldBy = await findPortHolder(port);
  const error = `Port ${port} is in use${heldBy === undefined ? "" : ` by ${heldBy}`}.`;
  return {
    ok: false,
    what: "port",
    reason: "port_taken",
    error,
    ...offer,
    ...(heldBy === undefined ? {} : { heldBy }),
  };
}

async function testBackOffice(
  test: Extract<DesktopTest, { what: "back_office" }>,
  { world, passwordFor }: TestDeps,
): Promise<DesktopTestResult> {
  if (hasCredentials(test.url)) {
    const error = "The address must be without user and password.";
    return { ok: false, what: "back_office", reason: "credentials_in_address", error };
  }
  const password = test.password ?? passwordFor(test);
  if (password === null) {
    const error = "The saved password is not for this address, database and user.";
    return { ok: false, what: "back_office", reason: "password_needed", error };
  }
  const url = test.url.replace(/\/+$/, "");
  const client = createBackOfficeClient({ world, url, db: test.database, onContact: () => undefined });
  let isSignedIn = false;
  try {
    const session = await client.authenticate(test.login, password);
    isSignedIn = true;
    const { config } = (await client.bootstrap(session.token)).value;
    return {
      ok: true,
      what: "back_office",
      userName: session.value.userName,
      tables: config.floors.reduce((sum, floor) => sum + floor.tables.length, 0),
      floors: config.floors.length,
      products: config.products.length,
      hubMode: config.hubMode,
    };
  } catch (error) {
    return { ok: false, what: "back_office", reason: reasonOf(error, isSignedIn), error: messageOf(error) };
  } finally {
    client.stop();
  }
}

function reasonOf(error: unknown, isSignedIn: boolean): Failed["reason"] {
  if (!(error instanceof BackOfficeError)) return "failed";
  const { kind, reason, errorCode } = error;
  if (reason === "second_factor" || reason === "unknown_database" || reason === "not_a_back_office") return reason;
  switch (kind) {
    case "login_refused":
      return "refused";
    case "unreachable":
      return "unreachable";
    case "session_dead":
      return "failed";
    case "refused":
      if (errorCode !== "NOT_FOUND") return "failed";
      // A server without sign-in, such as the hub itself, is not a back-office.
      return isSignedIn ? "no_pos" : "not_a_back_office";
  }
}
