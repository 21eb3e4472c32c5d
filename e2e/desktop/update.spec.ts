import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { UpdateState } from "@comanda/protocol";
import { bridge, expect, quit, test, type Desktop, type Launch } from "./desktop-test.ts";
import { freePort } from "../../hub/test/support/free-port.ts";
import { newFolder, startBackOffice } from "./programs.ts";
import { savedProfile } from "./saved-profile.ts";
import {
  cutOff,
  dropSignature,
  flipOneByte,
  makeSigningKey,
  publishRelease,
  startHost,
  startProxy,
  type Release,
  type SigningKey,
} from "./release-kit.ts";

test.skip(
  process.platform !== "linux",
  "an installed AppImage is rehearsed, the one installer that needs no installing",
);

let key: SigningKey;
test.beforeAll(() => {
  key = makeSigningKey();
});

/** Launches the app as an installed AppImage with an update channel. */
async function launchInstalled(launch: Launch, proxyUrl: string, { env = {}, profile = savedProfile() } = {}) {
  const appImage = path.join(newFolder("appimage"), "Comanda Hub.AppImage");
  writeFileSync(appImage, "the installed version", { mode: 0o755 });
  const channel = { COMANDA_UPDATE_URL: proxyUrl, COMANDA_UPDATE_KEYS: key.publicKey, APPIMAGE: appImage };
  const desktop = await launch({ profile, env: { ...channel, XDG_CACHE_HOME: newFolder("cache"), ...env } });
  return { desktop, appImage, installed: () => readFileSync(appImage) };
}

/** Records the states that the page is shown from now on: their names without repeats, and the values of the progress. */
async function recordStates({ page }: Desktop) {
  const states: UpdateState[] = [];
  page.on("console", (message) => {
    const [, text] = /^update (.*)$/.exec(message.text()) ?? [];
    if (text !== undefined) states.push(JSON.parse(text) as UpdateState);
  });
  await page.evaluate(() => {
    const { desktop } = globalThis as unknown as { desktop: { onUpdate(listener: (state: unknown) => void): void } };
    // eslint-disable-next-line no-console -- the page reports to the spec
    desktop.onUpdate((state) => console.log(`update ${JSON.stringify(state)}`));
  });
  return {
    names: () => states.map((state) => state.name).filter((name, index, all) => name !== all[index - 1]),
    progress: () =>
      states.flatMap((state) => (state.name === "downloading" && state.progress !== null ? [state.progress] : [])),
  };
}

const expectState = ({ page }: Desktop, name: UpdateState["name"]) =>
  expect.poll(async () => (await bridge(page, "getUpdate")).name).toBe(name);

/** Returns the overlay that covers the whole window. */
const overlay = ({ page }: Desktop) => page.getByRole("dialog", { name: "There is a new version: 9.9.9" });

const press = ({ page }: Desktop, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a newer release is offered, downloaded, verified, installed and started [UPD-70] [DESK-52] [DESK-173] [DESK-179]", async ({
  launch,
}) => {
  const release = publishRelease("9.9.9", key);
  const proxy = await startProxy(release);
  const { desktop, appImage, installed } = await launchInstalled(launch, proxy.url);
  await expect(overlay(desktop)).toContainText("Faster tables.");
  // Recording starts only here: how long the check takes depends on the machine.
  const shown = await recordStates(desktop);
  await desktop.page.keyboard.press("Escape");
  await expect(overlay(desktop)).toBeVisible();
  const offered = await bridge(desktop.page, "getUpdate");
  expect(offered).toMatchObject({
    offer: { version: "9.9.9", notes: "Faster tables." },
    action: "install",
    problem: null,
  });
  expect(JSON.stringify(offered)).not.toContain(proxy.url);

  await press(desktop, "Install Update");
  expect(await desktop.exit).toBe(0);
  expect(installed().equals(release.content)).toBe(true);
  const started = `${appImage}.started`;
  await expect.poll(() => existsSync(started)).toBe(true);
  expect(readFileSync(started, "utf8").split("\n")).toContain(`--profile-dir=${desktop.profile}`);
  expect(shown.names()).toEqual(["downloading", "verifying", "installing"]);
  expect(shown.progress().at(-1)?.totalBytes).toBe(release.content.length);
  await proxy.stop();
});

test("the update overlay shows the download's progress and cannot be dismissed [UPD-60]", async ({ launch }) => {
  const release = publishRelease("9.9.9", key);
  const hold = Promise.withResolvers<void>();
  const host = await startHost("9.9.9", release, { hold: hold.promise });
  const { desktop, installed } = await launchInstalled(launch, host.url);
  await expect(overlay(desktop)).toBeVisible();
  await press(desktop, "Install Update");
  const downloading = desktop.page.getByRole("dialog", { name: "Downloading version 9.9.9" });
  await expect(downloading.getByRole("progressbar")).toBeVisible();
  await expect(downloading).toContainText(/1\.5\s?MB of 3\s?MB/i);
  await expect(downloading.getByRole("button")).toHaveCount(0);
  await desktop.page.keyboard.press("Escape");
  await bridge(desktop.page, "chooseUpdate", "later");
  await expect(downloading).toBeVisible();
  hold.resolve();
  expect(await desktop.exit).toBe(0);
  expect(installed().equals(release.content)).toBe(true);
  await host.stop();
});

test("'Later' hides the update overlay until the next launch [UPD-73]", async ({ launch }) => {
  const proxy = await startProxy(publishRelease("9.9.9", key));
  const first = await launchInstalled(launch, proxy.url);
  await expect(overlay(first.desktop)).toBeVisible();
  await press(first.desktop, "Later");
  await expect(overlay(first.desktop)).toHaveCount(0);
  await expect(first.desktop.page.getByRole("navigation").first()).toBeVisible();
  await quit(first.desktop);
  expect(await first.desktop.exit).toBe(0);
  expect(first.installed().toString()).toBe("the installed version");
  const second = await launchInstalled(launch, proxy.url, { profile: first.desktop.profile });
  await expect(overlay(second.desktop)).toBeVisible();
  await proxy.stop();
});

const spoiled: [string, () => Release, RegExp][] = [
  [
    "signed by another key",
    () => publishRelease("9.9.9", makeSigningKey()),
    /created with a different key than the one provided/,
  ],
  ["changed by one byte", () => spoil(flipOneByte), /signature verification failed/],
  ["cut off", () => spoil(cutOff), /signature verification failed/],
];
for (const [what, makeRelease, problem] of spoiled) {
  test(`an installer that is ${what} is not installed, and the hub keeps running [UPD-75] [UPD-145] [DESK-51]`, async ({
    launch,
  }) => {
    const proxy = await startProxy(makeRelease());
    const { desktop, installed } = await launchInstalled(launch, proxy.url);
    await expect(overlay(desktop)).toBeVisible();
    await press(desktop, "Install Update");
    await expect(desktop.page.getByRole("alert").filter({ hasText: problem })).toBeVisible();
    await expect(overlay(desktop).locator(":focus")).toHaveCount(1);
    expect(installed().toString()).toBe("the installed version");
    expect(await bridge(desktop.page, "getHubState")).toMatchObject({ state: "running" });
    await proxy.stop();
  });
}

test("a release that is unsigned or not newer is not offered [UPD-6] [UPD-65]", async ({ launch }) => {
  for (const release of [spoil(dropSignature), publishRelease("0.0.1", key)]) {
    const proxy = await startProxy(release);
    const { desktop } = await launchInstalled(launch, proxy.url);
    await expectState(desktop, "app");
    await quit(desktop);
    await desktop.exit;
    await proxy.stop();
  }
});

test("an expired download address repeats the check once [UPD-74]", async ({ launch }) => {
  const release = publishRelease("9.9.9", key);
  const host = await startHost("9.9.9", release, { refusals: 1 });
  const { desktop, installed } = await launchInstalled(launch, host.url);
  await expect(overlay(desktop)).toBeVisible();
  await press(desktop, "Install Update");
  expect(await desktop.exit).toBe(0);
  expect(host.downloads()).toBe(2);
  expect(installed().equals(release.content)).toBe(true);
  await host.stop();
});

test("the app checks for updates at the back-office while the proxy is down [UPD-67]", async ({ launch }) => {
  const release = publishRelease("9.9.9", key);
  const host = await startHost("9.9.9", release);
  const backOffice = await startBackOffice();
  const offered = { version: "9.9.9", notes: "From the back-office.", pub_date: "2026-01-05T10:00:00Z" };
  const published = {
    target: "linux",
    release: { ...offered, url: `${host.url}/download`, signature: release.signature },
  };
  const answer = await fetch(`${backOffice.url}/stub/v1/releases`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(published),
  });
  expect(answer.status).toBe(200);
  const closed = `http://127.0.0.1:${await freePort()}`;
  const { desktop } = await launchInstalled(launch, closed, { env: { ERP_URL: backOffice.url } });
  await expect(overlay(desktop)).toContainText("From the back-office.");
  await Promise.all([host.stop(), backOffice.stop()]);
});

test("with no update source reachable 'Continue Anyway' opens the app, and a check finds the proxy that is back [UPD-77]", async ({
  launch,
}) => {
  const port = await freePort();
  const { desktop } = await launchInstalled(launch, `http://127.0.0.1:${port}`, { env: { ERP_URL: "" } });
  const fallback = desktop.page.getByRole("dialog", { name: "Looking for updates did not work" });
  await expect(fallback).toBeVisible();
  await press(desktop, "Continue Anyway");
  await expect(fallback).toHaveCount(0);
  await expect(desktop.page.getByRole("navigation").first()).toBeVisible();
  expect(await bridge(desktop.page, "getHubState")).toMatchObject({ state: "running" });
  expect(await bridge(desktop.page, "checkForUpdate")).toBe("pending");
  await expect(fallback).toBeVisible();
  const proxy = await startProxy(publishRelease("9.9.9", key), port);
  await press(desktop, "Try Again");
  await expect(overlay(desktop)).toContainText("Faster tables.");
  await expect(fallback).toHaveCount(0);
  await proxy.stop();
});

test("an app without an update channel checks nothing, and a manual check says so [DESK-50] [DESK-67]", async ({
  launch,
}) => {
  const { page } = await launch();
  expect(await bridge(page, "getUpdate")).toEqual({ name: "app" });
  expect(await bridge(page, "checkForUpdate")).toBe("no_channel");
});

function spoil(change: (release: Release) => void): Release {
  const release = publishRelease("9.9.9", key);
  change(release);
  return release;
}
