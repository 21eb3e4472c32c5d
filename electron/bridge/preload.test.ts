import { readFileSync } from "node:fs";
import path from "node:path";
import { desktopPushes, desktopTerminalPushes } from "@comanda/protocol";
import { expect, it } from "vitest";

// That it names every method, and no other, is a matter of types.
it.each([
  ["desktop", "preload.ts", desktopPushes],
  ["desktopTerminal", "terminal-preload.ts", desktopTerminalPushes],
])("[DESK-14] [DESK-83] names exactly the methods and pushes of the bridge: %s", (name, file, pushes) => {
  const source = readFileSync(path.join(import.meta.dirname, file), "utf8");
  expect(source).toContain(`exposeBridge("${name}", Object.keys(methods), `);
  const subscribed = [...source.matchAll(/subscribe\("([^"]+)"\)/g)].map(([, channel]) => channel);
  expect(subscribed).toEqual(Object.values(pushes));
});
