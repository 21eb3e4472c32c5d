import { createHubHttpWith, memoryStorage, openTerminalWith, openWebSocket, trustingSchemas } from "@comanda/terminal";
import { version } from "../../package.json";
import { account } from "../../lib/device/account.ts";
import { hubAddress, hubSocketAddress } from "../../lib/device/hub-address.ts";
import { watchTerminal, type LiveTerminal } from "../../lib/connection/live-terminal.ts";
import { practicePin } from "../../practice/practice-pin.tsx";
import { randomText } from "../../lib/device/random-text.ts";

/** The real hub, with the token of the account on this device. */
const hub = createHubHttpWith(trustingSchemas, { url: hubAddress(), token: () => account.get()?.token ?? null });

/**
 * Enters the practice and connects this page to its hub, as a new device that stores nothing: unsent changes have no value
 * after a practice. Throws TerminalRefusal or HubUnreachableError.
 */
export async function openPractice(): Promise<LiveTerminal> {
  const { token, pin } = await hub.enterPractice();
  practicePin.set(pin);
  const terminal = await openTerminalWith(trustingSchemas, {
    url: async () => `${await hubSocketAddress()}/practice/`,
    httpUrl: `${hubAddress()}/practice`,
    deviceId: `practica-${randomText(6)}`,
    token,
    storage: memoryStorage(),
    openSocket: openWebSocket,
    clientVersion: version,
    proposes: false,
  });
  // Nothing has to be stored, so no warning is due.
  const pos = watchTerminal(terminal, { isPersistent: true });
  terminal.start();
  return pos;
}

/** Restarts the practice for all its users. Throws TerminalRefusal or HubUnreachableError. */
export async function resetPractice(): Promise<void> {
  await hub.resetPractice();
}
