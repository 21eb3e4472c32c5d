import { createHubHttpWith, memoryStorage, openTerminalWith, openWebSocket, trustingSchemas } from "@comanda/terminal";
import { version } from "../../package.json";
import { account } from "../../lib/device/account.ts";
import { hubAddress, hubSocketAddress } from "../../lib/device/hub-address.ts";
import { watchTerminal, type LiveTerminal } from "../../lib/connection/live-terminal.ts";
import { practicePin } from "../../practice/practice-pin.tsx";
import { randomText } from "../../lib/device/random-text.ts";

/** The real hub, asked as the person who is signed in on this device. */
const hub = createHubHttpWith(trustingSchemas, { url: hubAddress(), token: () => account.get()?.token ?? null });

/**
 * Lets this page in and connects it with the practice hub. It is a device that never was before, and keeps nothing: what
 * was not sent in a practice is worth nothing after it. Throws TerminalRefusal or HubUnreachableError.
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
  // Nothing has to be kept, so nobody is warned that nothing is.
  const pos = watchTerminal(terminal, { isKept: true });
  terminal.start();
  return pos;
}

/** Restarts the practice, for everybody who is in it. Throws TerminalRefusal or HubUnreachableError. */
export async function resetPractice(): Promise<void> {
  await hub.resetPractice();
}
