import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { DesktopTerminalBridge, TerminalHub } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { freePort } from "../../hub/test/support/free-port.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { expect, quit, test, type Desktop, type Launch } from "./desktop-test.ts";
import { newFolder } from "./programs.ts";
import { makeSigningKey, publishRelease, startHost, startProxy, type SigningKey } from "./release-kit.ts";
import { runsOnStandIn } from "./runtime.ts";
import { terminalProfile } from "./saved-profile.ts";

type TerminalWindow = Window & { desktopTerminal: DesktopTerminalBridge };

const hubName = `Comanda test ${crypto.randomUUID().slice(0, 8)}`;
// A page of a custom scheme has a different address in Chromium than in Electron (see the stand-in's README).
const hubEnv = runsOnStandIn() ? { HUB_ALLOWED_ORIGINS: "http://terminal.app.localhost" } : {};
let restaurant: Restaurant;
test.beforeAll(async () => {
  // A hub that listens on one address is announced only there: nothing of this leaves the machine.
  restaurant = await openRestaurant({ ...hubEnv, HUB_MDNS_ENABLED: "true", HUB_NAME: hubName });
});
test.afterAll(() => restaurant.close());

/** Returns the restaurant's hub as a terminal stores it. */
async function knownHub(): Promise<TerminalHub> {
  const answer = await fetch(new URL("/terminal/v1/hub", restaurant.hubUrl));
  const { hubId } = (await answer.json()) as { hubId: string };
  return { id: hubId, name: hubName, url: new URL(restaurant.hubUrl).origin };
}

/** Prepares the app as an installed AppImage that trusts one key. */
function installedApp(key: SigningKey) {
  const appImage = path.join(newFolder("appimage"), "Comanda Hub.AppImage");
  writeFileSync(appImage, "the installed version", { mode: 0o755 });
  return {
    env: { COMANDA_UPDATE_KEYS: key.publicKey, APPIMAGE: appImage, XDG_CACHE_HOME: newFolder("cache") },
    content: () => readFileSync(appImage),
  };
}

/** Records a relaunch instead of doing it: Playwright could not control the new process. */
async function noteRelaunch({ app }: Desktop): Promise<() => { args: string[] }> {
  const file = path.join(newFolder("relaunch"), "options.json");
  await app.evaluate(({ app: electron }, target) => {
    electron.relaunch = (options) =>
      process.getBuiltinModule("node:fs").writeFileSync(target, JSON.stringify(options ?? {}));
  }, file);
  return () => JSON.parse(readFileSync(file, "utf8")) as { args: string[] };
}

/** Clicks a button that ends the app; the window may close before the click resolves. */
async function clickToEnd({ page, exit }: Desktop, name: string): Promise<void> {
  await Promise.allSettled([page.getByRole("button", { name }).click(), exit]);
}

async function signIn(page: Page): Promise<void> {
  const offer = page.getByRole("dialog", { name: "¿Quiere una clave (PIN)?" });
  await page.addLocatorHandler(offer, () => offer.getByRole("button", { name: "Ahora no" }).click(), { times: 1 });
  await page.getByLabel("Usuario").fill("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar" }).click();
}

const table = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} `) });

/** Orders from the floor: opens a table, adds three dishes, taps Send. */
async function order(page: Page, name: string): Promise<void> {
  await table(page, name).click();
  for (const dish of ["Tostones con salsa de ajo", "Quipes de res", "Croquetas de pollo"]) {
    await page.getByRole("button", { name: new RegExp(`^${dish}`) }).click();
  }
  await page.getByRole("button", { name: /^Enviar/ }).click();
  await expect(table(page, name)).toBeVisible();
}

/** Returns the keys of the hub's state that the page has cached; the cache is written about a second late. */
function cachedKeys(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases()).find((each) => each.name?.endsWith(" cache") === true)?.name ?? "";
    const completed = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error as Error));
      });
    const database = await completed(indexedDB.open(name));
    const [store = ""] = database.objectStoreNames;
    const keys = await completed(database.transaction(store).objectStore(store).getAllKeys());
    database.close();
    return keys.map(String);
  });
}

async function restart(desktop: Desktop, launch: Launch): Promise<Desktop> {
  await quit(desktop);
  expect(await desktop.exit).toBe(0);
  return launch({ profile: desktop.profile });
}

test("a PC that becomes a terminal on its first start runs no hub and finds one by its address [DESK-76] [DESK-77] [DESK-83]", async ({
  launch,
}) => {
  const HUB_HTTP_PORT = String(await freePort());
  const first = await launch({ env: { HUB_HTTP_PORT } });
  expect(await first.page.evaluate(() => "desktopTerminal" in globalThis)).toBe(false);
  await first.page.getByRole("radio", { name: "A terminal" }).check();
  const relaunched = await noteRelaunch(first);
  await clickToEnd(first, "Open as a terminal");
  expect(await first.exit).toBe(0);
  expect(relaunched().args).toContain(`--profile-dir=${first.profile}`);
  const dataFile = path.join(first.profile, "hub.sqlite");
  renameSync(dataFile, `${dataFile}.kept`);

  // A login item starts the app with --hidden; without a visible window a terminal would be of no use.
  const desktop = await launch({ profile: first.profile, args: ["--hidden"], env: { HUB_HTTP_PORT } });
  const { app, page } = desktop;
  await expect(page.getByRole("heading", { name: "Which hub does this PC work with?" })).toBeVisible();
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(true);
  expect(existsSync(dataFile)).toBe(false);
  const probe = createServer().listen(Number(HUB_HTTP_PORT), "127.0.0.1");
  await new Promise((resolve, reject) => probe.once("listening", resolve).once("error", reject));
  probe.close();
  expect(await page.evaluate(() => [isSecureContext, "desktop" in globalThis])).toEqual([true, false]);

  const address = page.getByLabel("Address of the hub");
  await address.fill(`127.0.0.1:${await freePort()}`);
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByRole("alert")).toContainText("Nothing answers at that address.");
  await address.fill(new URL(restaurant.hubUrl).host);
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as TerminalWindow).desktopTerminal.getHub())).toMatchObject({
    name: hubName,
    url: restaurant.hubSocketUrl.replace("ws", "http"),
  });

  // Switches back to the hub role in the settings of this PC.
  const again = await noteRelaunch(desktop);
  await page.getByRole("button", { name: "This PC" }).click();
  await page.getByRole("button", { name: "This PC is the hub" }).click();
  await clickToEnd(desktop, "Restart as the hub");
  expect(await desktop.exit).toBe(0);
  expect(again().args).not.toContain("--hidden");
  renameSync(`${dataFile}.kept`, dataFile);
  const hub = await launch({ profile: first.profile, env: { HUB_HTTP_PORT } });
  await expect(hub.page.getByRole("heading", { name: "Welcome to Comanda Hub" })).toBeVisible();
});

test("a terminal finds the hub on the network, works offline over a restart, and sends each order once [DESK-78] [DESK-82]", async ({
  launch,
}) => {
  const profile = terminalProfile(null, { language: "es" });
  let desktop = await launch({ profile, args: ["--network-card=127.0.0.1"] });
  await desktop.page.getByRole("button", { name: new RegExp(hubName) }).click();
  await signIn(desktop.page);
  await order(desktop.page, "Mesa 1");
  const kitchen = await restaurant.terminal("cocina");
  await online(kitchen);
  const sentTo = (tableId: number) => kitchen.tickets().filter((ticket) => ticket.tableId === tableId);
  await expect.poll(() => sentTo(28)).toMatchObject([{ lines: [{ quantity: 1 }, { quantity: 1 }, { quantity: 1 }] }]);

  await expect.poll(() => cachedKeys(desktop.page)).toContainEqual(expect.stringMatching(/^order /));
  await restaurant.killHub();
  await expect(desktop.page.getByText("Sin conexión")).toBeVisible();
  await desktop.page.reload();
  await expect(table(desktop.page, "Mesa 1")).toContainText("En cocina");
  await order(desktop.page, "Mesa 2");
  expect(desktop.complaints.filter((text) => !/WebSocket|502/.test(text))).toEqual([]);
  desktop = await restart(desktop, launch);
  await expect(desktop.page.getByText(/Sin conexión · \d por enviar/)).toBeVisible();
  await expect(table(desktop.page, "Mesa 2")).toBeVisible();
  await order(desktop.page, "Mesa 3");

  await restaurant.startHub();
  await expect(desktop.page.getByText("Sin conexión")).toHaveCount(0);
  await expect.poll(() => [28, 29, 30].map((tableId) => sentTo(tableId).length)).toEqual([1, 1, 1]);
  expect(kitchen.orders().filter(({ tableId }) => [28, 29, 30].includes(tableId ?? 0))).toHaveLength(3);
});

test("kiosk mode and start at login are settings of this PC [DESK-84] [DESK-85]", async ({ launch }) => {
  const config = newFolder("config");
  const desktop = await launch({ profile: terminalProfile(null), env: { XDG_CONFIG_HOME: config } });
  const { app, page } = desktop;
  const state = () =>
    app.evaluate(({ BrowserWindow, Menu }) => ({
      kiosk: BrowserWindow.getAllWindows()[0]?.isKiosk(),
      menu: Menu.getApplicationMenu() !== null,
    }));
  expect(await state()).toEqual({ kiosk: false, menu: true });
  await page.getByRole("button", { name: "This PC" }).click();
  await page.getByRole("checkbox", { name: /^Kiosk mode/ }).click();
  await expect.poll(state).toEqual({ kiosk: true, menu: false });
  await page.getByRole("checkbox", { name: "Open when the PC starts" }).click();
  const entries = () => readdirSync(config, { recursive: true });
  // The login item of this profile.
  const entry = expect.stringMatching(/^autostart\/comanda-hub-\w{8}\.desktop$/);
  if (process.platform === "linux") await expect.poll(entries).toContainEqual(entry);
  await quit(desktop);
  expect(await desktop.exit).toBe(0);

  const again = await launch({ profile: desktop.profile, env: { XDG_CONFIG_HOME: config } });
  const kiosk = () => again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isKiosk());
  expect(await kiosk()).toBe(true);
  await again.page.getByRole("button", { name: "This PC" }).click();
  await expect(again.page.getByRole("checkbox", { name: "Open when the PC starts" })).toBeChecked();
  await again.page.getByRole("checkbox", { name: /^Kiosk mode/ }).click();
  await expect.poll(kiosk).toBe(false);
});

test("an app started with --role=terminal saves its role, and closing its window quits it [DESK-76] [DESK-88]", async ({
  launch,
}) => {
  const desktop = await launch({ args: ["--role=terminal"] });
  const saved = JSON.parse(readFileSync(path.join(desktop.profile, "settings.json"), "utf8")) as { role: string };
  expect(saved.role).toBe("terminal");
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await desktop.exit).toBe(0);
});

test("a terminal reaches its order screen by 'Later' and, after a failed check, by 'Continue Anyway' [DESK-87] [UPD-73] [UPD-77]", async ({
  launch,
}) => {
  test.skip(process.platform !== "linux", "an installed AppImage is rehearsed");
  const key = makeSigningKey();
  const proxy = await startProxy(publishRelease("9.9.9", key, 100_000));
  const installed = installedApp(key);
  const profile = terminalProfile(await knownHub(), { language: "es" });

  const first = await launch({ profile, env: { ...installed.env, COMANDA_UPDATE_URL: proxy.url } });
  const overlay = first.page.getByRole("dialog", { name: "Hay una versión nueva: 9.9.9" });
  await expect(overlay).toContainText("Faster tables.");
  await first.page.keyboard.press("Escape");
  await expect(overlay).toBeVisible();
  await overlay.getByRole("button", { name: "Después" }).click();
  await expect(overlay).toHaveCount(0);
  await signIn(first.page);
  await expect(table(first.page, "Mesa 5")).toBeVisible();
  await quit(first);
  expect(await first.exit).toBe(0);
  expect(installed.content().toString()).toBe("the installed version");
  await proxy.stop();

  const dead = `http://127.0.0.1:${await freePort()}`;
  const second = await launch({ profile, env: { ...installed.env, COMANDA_UPDATE_URL: dead, ERP_URL: "" } });
  const fallback = second.page.getByRole("dialog", { name: "No se pudieron buscar actualizaciones" });
  await fallback.getByRole("button", { name: "Continuar de todos modos" }).click();
  await expect(fallback).toHaveCount(0);
  await expect(table(second.page, "Mesa 5")).toBeVisible();
});

test("a terminal shows the download's progress and installs only what the right key has signed [DESK-87] [UPD-60] [UPD-75]", async ({
  launch,
}) => {
  test.skip(process.platform !== "linux", "an installed AppImage is rehearsed");
  const key = makeSigningKey();
  const installed = installedApp(key);
  const profile = terminalProfile(await knownHub(), { language: "es" });
  const hold = Promise.withResolvers<void>();
  const forged = await startHost("9.9.9", publishRelease("9.9.9", makeSigningKey()), { hold: hold.promise });
  const first = await launch({ profile, env: { ...installed.env, COMANDA_UPDATE_URL: forged.url } });
  const overlay = first.page.getByRole("dialog", { name: "Hay una versión nueva: 9.9.9" });
  await overlay.getByRole("button", { name: "Instalar actualización" }).click();
  const downloading = first.page.getByRole("dialog", { name: "Descargando la versión 9.9.9" });
  await expect(downloading.getByRole("progressbar")).toBeVisible();
  await expect(downloading).toContainText(/1[.,]5\s?MB de 3\s?MB/i);
  await expect(downloading.getByRole("button")).toHaveCount(0);
  await first.page.keyboard.press("Escape");
  await expect(downloading).toBeVisible();
  hold.resolve();
  await expect(overlay.getByRole("alert")).toContainText(
    "La actualización no se pudo descargar o instalar. La versión actual sigue funcionando.",
  );
  expect(installed.content().toString()).toBe("the installed version");
  await overlay.getByRole("button", { name: "Después" }).click();
  await signIn(first.page);
  await expect(table(first.page, "Mesa 5")).toBeVisible();
  await quit(first);
  expect(await first.exit).toBe(0);
  await forged.stop();

  const release = publishRelease("9.9.9", key, 100_000);
  const honest = await startHost("9.9.9", release);
  const second = await launch({ profile, env: { ...installed.env, COMANDA_UPDATE_URL: honest.url } });
  await second.app.evaluate(({ app }) => void (app.relaunch = () => undefined));
  await second.page.getByRole("button", { name: "Instalar actualización" }).click();
  expect(await second.exit).toBe(0);
  expect(installed.content().equals(release.content)).toBe(true);
  await honest.stop();
});

test("orders recorded for one hub wait for it while the PC works with another, and the page says so [DESK-89] [TOUCH-193]", async ({
  launch,
}) => {
  const otherName = `Comanda otra ${crypto.randomUUID().slice(0, 8)}`;
  const other = await openRestaurant({ ...hubEnv, HUB_NAME: otherName });
  const { page } = await launch({ profile: terminalProfile(await knownHub(), { language: "es" }) });
  await signIn(page);
  await expect(table(page, "Mesa 8")).toBeVisible();
  await restaurant.killHub();
  await expect(page.getByText("Sin conexión")).toBeVisible();
  await order(page, "Mesa 8");
  const chooseHub = async (hub: Restaurant) => {
    await page.getByRole("button", { name: "Esta PC" }).click();
    await page.getByRole("button", { name: "Cambiar de hub" }).click();
    await page.getByLabel("Dirección del hub").fill(new URL(hub.hubUrl).host);
    return () => page.getByRole("button", { name: "Usar esta dirección" }).click();
  };

  const confirmChange = await chooseHub(other);
  await expect(page.getByText(/^\d cambios no han llegado a /)).toHaveText(
    new RegExp(`a ${hubName}\\. Si elige otro hub, se quedan en esta PC y se envían cuando vuelva a ${hubName}\\.$`),
  );
  await confirmChange();
  await expect(page.getByText("Su sesión terminó. Entre de nuevo.")).toBeVisible();
  await signIn(page);
  await expect(table(page, "Mesa 8")).toContainText("Libre");
  const elsewhere = page.getByRole("link", { name: /\d sin enviar de antes/ });
  await elsewhere.click();
  await expect(page.getByText(/^\d cambios hechos con la PC principal /)).toHaveText(
    new RegExp(
      `la PC principal ${hubName} esperan en este dispositivo\\. Se envían cuando vuelva a elegir esa PC principal\\.$`,
    ),
  );
  await page.goBack();
  await order(page, "Mesa 9");
  const there = await other.terminal("cocina-otra");
  await online(there);
  await expect.poll(() => there.orders().map(({ tableId }) => tableId)).toEqual([36]);

  await restaurant.startHub();
  await (
    await chooseHub(restaurant)
  )();
  await expect(page.getByText("Su sesión terminó. Entre de nuevo.")).toBeVisible();
  await signIn(page);
  const here = await restaurant.terminal("cocina-propia");
  await online(here);
  const onTable = (tableId: number) => here.tickets().filter((ticket) => ticket.tableId === tableId);
  await expect.poll(() => onTable(35)).toMatchObject([{ lines: [{}, {}, {}] }]);
  expect(onTable(36)).toEqual([]);
  await expect(page.getByText(/por enviar/)).toHaveCount(0);
  await expect(elsewhere).toHaveCount(0);
  await other.close();
});
