import { bridge, expect, test, type Desktop } from "./desktop-test.ts";
import { runsOnStandIn } from "./runtime.ts";

// Effects of the app outside its window, which the stand-in records and real Electron does not expose.
test.skip(!runsOnStandIn(), "only the stand-in for Electron writes down what the app asks of the system");

interface StandIn {
  standInEffects: { name: string; detail: unknown }[];
  standInTray: {
    toolTip: string;
    image: { source: string };
    menu: {
      getMenuItemById(id: string): { label: string; enabled?: boolean; checked?: boolean; click(): void } | null;
    };
  };
}

const effects = ({ app }: Desktop, name: string) =>
  app.evaluate((_electron, requested) => {
    const all = (globalThis as unknown as StandIn).standInEffects;
    return all.filter((effect) => effect.name === requested).map((effect) => effect.detail);
  }, name);

const tray = ({ app }: Desktop) =>
  app.evaluate(() => {
    const { toolTip, image } = (globalThis as unknown as StandIn).standInTray;
    return { toolTip, icon: image.source.split(/[\\/]/).at(-1) };
  });

const press = ({ app }: Desktop, id: string) =>
  app.evaluate(
    (_electron, item) => (globalThis as unknown as StandIn).standInTray.menu.getMenuItemById(item)?.click(),
    id,
  );

const isChecked = ({ app }: Desktop, id: string) =>
  app.evaluate(
    (_electron, item) => (globalThis as unknown as StandIn).standInTray.menu.getMenuItemById(item)?.checked,
    id,
  );

test("the tray shows the hub's state, in the operator's language [DESK-40]", async ({ launch }) => {
  const desktop = await launch();
  await expect
    .poll(() => tray(desktop))
    .toEqual({
      icon: "tray-warning.png",
      toolTip: "Comanda Hub needs attention; 0 terminals connected",
    });
  await bridge(desktop.page, "setLanguage", "es");
  await expect
    .poll(async () => (await tray(desktop)).toolTip)
    .toBe("Comanda Hub necesita atención; 0 terminales conectados");
  const failed = await launch({ env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect.poll(async () => (await tray(failed)).icon).toBe("tray-failed.png");
});

test("the tray's menu opens the window, copies the address, pauses webhooks and quits [DESK-41]", async ({
  launch,
}) => {
  const desktop = await launch();
  await expect.poll(async () => (await tray(desktop)).icon).toBe("tray-warning.png");
  const isShown = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isShown).toBe(true);
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await press(desktop, "open");
  expect(await isShown()).toBe(true);
  await press(desktop, "copy-address");
  const [address] = await effects(desktop, "clipboard.writeText");
  expect(address).toMatch(/^http:\/\/[\d.]+:\d+\/?$/);
  await press(desktop, "pause-webhooks");
  await expect.poll(() => isChecked(desktop, "pause-webhooks")).toBe(true);
  await press(desktop, "quit");
  expect(await desktop.exit).toBe(0);
});

test("the PC is kept from suspending while the hub runs, and only then [DESK-9]", async ({ launch }) => {
  const desktop = await launch();
  expect(await effects(desktop, "powerSaveBlocker.start")).toEqual(["prevent-app-suspension"]);
  const failed = await launch({ env: { HUB_LEASE_TTL_MS: "soon" } });
  expect(await effects(failed, "powerSaveBlocker.start")).toEqual([]);
});

test("the app's own rule decides every permission request of the page [DESK-12]", async ({ launch }) => {
  const { app, page } = await launch();
  const answers = await app.evaluate(({ session }, origin) => {
    type Check = (contents: null, permission: string, origin: string) => boolean;
    const { permissions } = session.defaultSession as unknown as { permissions: { check: Check; request: unknown } };
    const requested = ["media", "geolocation", "notifications", "loopback-network"];
    return {
      request: typeof permissions.request,
      check: requested.map((name) => permissions.check(null, name, origin)),
    };
  }, page.url());
  expect(answers).toEqual({ request: "function", check: [false, false, false, true] });
});
