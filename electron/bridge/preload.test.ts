import { readFileSync } from "node:fs";
import path from "node:path";
import { desktopChannels, desktopPushes, desktopTerminalChannels, desktopTerminalPushes } from "@comanda/protocol";
import { expect, it } from "vitest";

it.each([
  ["desktop", "preload.ts", desktopChannels, desktopPushes],
  ["desktopTerminal", "terminal-preload.ts", desktopTerminalChannels, desktopTerminalPushes],
])("[DESK-14] [DESK-83] names exactly the methods and pushes of the bridge: %s", (name, file, channels, pushes) => {
  const source = readFileSync(path.join(import.meta.dirname, file), "utf8");
  const list = /const methods = \[([^\]]+)\]/.exec(source)?.[1] ?? "";
  const methods = [...list.matchAll(/"(\w+)"/g)].map(([, method]) => method);
  expect(source).toContain(`exposeBridge("${name}"`);
  expect(methods).toEqual(Object.keys(channels));
  for (const [method, { channel }] of Object.entries(channels)) expect(channel).toBe(`${name}:${method}`);
  const subscribed = [...source.matchAll(/subscribe\("([^"]+)"\)/g)].map(([, channel]) => channel);
  expect(subscribed).toEqual(Object.values(pushes));
});
