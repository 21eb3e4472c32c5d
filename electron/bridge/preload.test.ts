import { readFileSync } from "node:fs";
import path from "node:path";
import { desktopChannels, desktopPushes } from "@comanda/protocol";
import { expect, it } from "vitest";

it("[DESK-14] names exactly the methods and pushes of the bridge", () => {
  const source = readFileSync(path.join(import.meta.dirname, "preload.ts"), "utf8");
  const list = /const methods = \[([^\]]+)\]/.exec(source)?.[1] ?? "";
  const methods = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(methods).toEqual(Object.keys(desktopChannels));
  for (const [name, { channel }] of Object.entries(desktopChannels)) expect(channel).toBe(`desktop:${name}`);
  const pushes = [...source.matchAll(/subscribe\("([^"]+)"\)/g)].map(([, channel]) => channel);
  expect(pushes).toEqual(Object.values(desktopPushes));
});
