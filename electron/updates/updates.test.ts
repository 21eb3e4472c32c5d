import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { releaseChannel } from "@comanda/updater/client";
import { expect, it } from "vitest";
import { channelOf, installationOf, setupUpdates } from "./updates.ts";

const named = { COMANDA_UPDATE_URL: "http://127.0.0.1:8770", COMANDA_UPDATE_KEYS: "one, two" };

it("a packaged app trusts only the update channel it was built with [DESK-50]", () => {
  expect(channelOf(true, named)).toBe(releaseChannel);
  expect(channelOf(false, {})).toBe(releaseChannel);
  expect(channelOf(false, { COMANDA_UPDATE_URL: named.COMANDA_UPDATE_URL })).toBe(releaseChannel);
  expect(channelOf(false, named)).toEqual({ proxyUrl: "http://127.0.0.1:8770", publicKeys: ["one", "two"] });
});

it("a check for updates without a channel is reported as such [DESK-67]", async () => {
  const updates = setupUpdates({
    channel: releaseChannel,
    client: installationOf("1.3.0", "/opt/hub", { APPIMAGE: "/opt/hub.AppImage" }, "linux", "x64"),
  } as Parameters<typeof setupUpdates>[0]);
  expect(await updates.check()).toBe("no_channel");
  expect(updates.state()).toEqual({ name: "app" });
});

it("the kind of installation is recognised: AppImage by its variable, NSIS by its uninstaller, else MSI [UPD-66]", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "installed-"));
  const program = path.join(folder, "Comanda Hub.exe");
  const client = (env: Record<string, string>, platform: NodeJS.Platform) =>
    installationOf("1.3.0", program, env, platform, "x64");
  expect(client({}, "linux")).toBeUndefined();
  expect(client({ APPIMAGE: "/opt/hub.AppImage" }, "linux")).toMatchObject({ os: "linux", bundle: "appimage" });
  expect(client({}, "win32")).toMatchObject({ os: "windows", bundle: "msi" });
  writeFileSync(path.join(folder, "Uninstall Comanda Hub.exe"), "");
  expect(client({}, "win32")).toMatchObject({ os: "windows", bundle: "nsis", version: "1.3.0" });
  expect(client({}, "darwin")).toMatchObject({ os: "darwin", bundle: "dmg" });
  expect(client({}, "freebsd")).toBeUndefined();
});
