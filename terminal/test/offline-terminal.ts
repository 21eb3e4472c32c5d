import { memoryStorage, openTerminalWith, trustingSchemas, type Terminal } from "@comanda/terminal";
import { onTestFinished } from "vitest";

/** Opens a terminal used by Ana that never reaches a hub. */
export async function offlineTerminal(): Promise<Terminal> {
  const storage = memoryStorage();
  await storage.saveCache([
    ["version", "1.0.0"],
    ["actor", { token: "t", user: { id: 1, name: "Ana" } }],
  ]);
  const terminal = await openTerminalWith(trustingSchemas, {
    url: "ws://127.0.0.1:9",
    deviceId: "tablet-1",
    token: "t",
    clientVersion: "1.0.0",
    storage,
    openSocket: () => {
      throw new Error("nobody connects");
    },
  });
  onTestFinished(terminal.stop);
  return terminal;
}
