import { readFileSync } from "node:fs";
import path from "node:path";
import { bridge, expect, quit, test, type Desktop } from "./desktop-test.ts";
import { freePort } from "../../hub/test/support/free-port.ts";
import { startBackOffice } from "./programs.ts";
import { savedProfile } from "./saved-profile.ts";

const chosen = (port: number, url: string) => ({
  language: "en" as const,
  hubName: "La Terraza",
  port,
  backOffice: { url, database: "demo", login: "hub" },
  plugins: ["reservations"],
  startAtLogin: false,
});

async function health({ page }: Desktop): Promise<{ status: string; reasons?: string[] }> {
  const state = await bridge(page, "getHubState");
  if (state.state !== "running") throw new Error("the hub does not run");
  const response = await fetch(new URL("health", state.url));
  return (await response.json()) as { status: string; reasons?: string[] };
}

test("settings saved by the wizard restart the hub with them, at its new address [DESK-23] [DESK-24]", async ({
  launch,
}) => {
  const backOffice = await startBackOffice();
  const desktop = await launch({ env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
  const { page, profile } = desktop;
  expect((await bridge(page, "getSettings")).configured).toBe(false);
  expect((await health(desktop)).reasons).toContain("no_credentials");

  const port = await freePort();
  const test = { what: "back_office" as const, url: backOffice.url, database: "demo", login: "hub", password: "hub" };
  expect(await bridge(page, "testSettings", test)).toMatchObject({ ok: true, tables: 18, floors: 2 });
  expect(await bridge(page, "testSettings", { ...test, password: "no" })).toMatchObject({
    ok: false,
    reason: "refused",
  });
  expect(await bridge(page, "testSettings", { what: "port", port })).toMatchObject({ ok: true });

  await page.evaluate(
    (change) => {
      const { desktop: app } = globalThis as unknown as {
        desktop: { saveSettings(settings: unknown): Promise<unknown> };
      };
      void app.saveSettings(change);
    },
    { ...chosen(port, backOffice.url), password: "hub" },
  );
  await page.waitForURL(`http://127.0.0.1:${port}/**`);
  await expect.poll(async () => (await health(desktop)).status).toBe("ok");
  expect(await bridge(page, "getSettings")).toMatchObject({
    settings: chosen(port, backOffice.url),
    configured: true,
    passwordSet: true,
  });
  expect(readFileSync(path.join(profile, "settings.json"), "utf8")).not.toContain('"hub"}');

  await quit(desktop);
  expect(await desktop.exit).toBe(0);
  const again = await launch({ profile, env: { HUB_HTTP_PORT: "" } });
  expect(new URL(again.page.url()).port).toBe(String(port));
  await expect.poll(async () => (await health(again)).status).toBe("ok");
  await backOffice.stop();
});

test("a language chosen on a screen applies to the menu at once and survives a change of the hub's port [DESK-68]", async ({
  launch,
}) => {
  const profile = savedProfile({ port: await freePort() });
  const desktop = await launch({ profile, env: { HUB_HTTP_PORT: "" } });
  const { app, page } = desktop;
  const quitLabel = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById("quit")?.label ?? "none");
  const language = () => page.evaluate(() => document.documentElement.lang);
  expect([await language(), await quitLabel()]).toEqual(["en", "Quit"]);
  await page.getByRole("radiogroup", { name: "Language" }).getByText("ES").click();
  await expect(page.getByRole("radiogroup", { name: "Idioma" })).toBeVisible();
  await expect.poll(quitLabel).toBe("Salir");

  const port = await freePort();
  const { settings } = await bridge(page, "getSettings");
  await page.evaluate(
    (change) => {
      const { desktop: own } = globalThis as unknown as { desktop: { saveSettings(settings: object): unknown } };
      void own.saveSettings(change);
    },
    { ...settings, port },
  );
  await page.waitForURL(`http://127.0.0.1:${port}/**`);
  await expect(page.getByRole("radiogroup", { name: "Idioma" })).toBeVisible();
  expect(await language()).toBe("es");
  expect(page.url()).not.toContain("lang=");
});

test("the environment overrides saved settings, and a change that the hub does not use needs no restart [DESK-22] [DESK-24]", async ({
  launch,
}) => {
  const desktop = await launch({ env: { HUB_NAME: "From outside" } });
  const { page } = desktop;
  const before = await bridge(page, "getSettings");
  expect(before.fromEnvironment).toEqual(expect.arrayContaining(["HUB_NAME", "HUB_HTTP_PORT"]));
  expect(before.settings.hubName).toBe("From outside");
  await bridge(page, "setLanguage", "en");
  const saved = await bridge(page, "saveSettings", { ...before.settings, language: "es", startAtLogin: false });
  expect(saved).toMatchObject({ ok: true, restarting: false });
  expect((await bridge(page, "getSettings")).settings.language).toBe("es");
});

test("the bridge refuses arguments that its schemas do not allow [DESK-13]", async ({ launch }) => {
  const { page } = await launch();
  const refused = (method: string, ...args: unknown[]) =>
    page.evaluate(
      async (call) => {
        const { desktop } = globalThis as unknown as {
          desktop: Record<string, (...given: unknown[]) => Promise<unknown>>;
        };
        return desktop[call.method]?.(...call.args).then(
          () => "taken",
          (error: Error) => error.message,
        );
      },
      { method, args },
    );
  for (const args of [[], ["fr"], [{ language: "es" }], ["es", "en"]]) {
    expect(await refused("setLanguage", ...args)).toContain("the arguments are not valid");
  }
  expect(await refused("saveSettings", { port: 80 })).toContain("the arguments are not valid");
  expect(await refused("setLanguage", "es")).toBe("taken");
});

test("settings and restores from the System screen go into the app's file and apply when it restarts the hub [DESK-28]", async ({
  launch,
}) => {
  const backOffice = await startBackOffice();
  const desktop = await launch({ env: { ERP_URL: backOffice.url, ERP_USER: "hub", ERP_PASSWORD: "hub" } });
  const { page, profile } = desktop;
  const state = await bridge(page, "getHubState");
  if (state.state !== "running") throw new Error("the hub does not run");
  let token = "";
  const call = async (method: string, path: string, body?: object) => {
    const signedIn: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", ...signedIn };
    const url = new URL(`operator/v1/${path}`, state.url);
    const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  ({ token } = (await call("POST", "sign-in", { login: "manager", password: "manager" })) as { token: string });

  const changed = await call("PATCH", "settings", { values: { HUB_LEASE_TTL_MS: "45000" } });
  expect(changed).toMatchObject({ restartNeeded: true });
  expect(JSON.parse(readFileSync(path.join(profile, "settings.json"), "utf8"))).toMatchObject({
    others: { HUB_LEASE_TTL_MS: "45000" },
  });
  expect(await bridge(page, "restartHub")).toMatchObject({ state: "running", port: state.port });
  const { settings } = (await call("GET", "settings")) as { settings: Record<string, unknown>[] };
  const settingNamed = (name: string) => settings.find((setting) => setting["name"] === name);
  expect(settingNamed("HUB_LEASE_TTL_MS")).toMatchObject({ value: "45000", source: "file", changeable: true });
  expect(settingNamed("ERP_USER")).toMatchObject({ value: "hub", source: "environment", changeable: false });
  expect(settingNamed("HUB_DB_PATH")).toMatchObject({ source: "file" });

  const { backup } = (await call("POST", "backups")) as { backup: { name: string } };
  const restarted = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { desktop: app } = globalThis as unknown as {
          desktop: { onHubState(listener: (hub: { state: string }) => void): void };
        };
        app.onHubState((hub) => {
          if (hub.state === "running") resolve();
        });
      }),
  );
  expect(await call("POST", `backups/${backup.name}/restore`, { confirm: backup.name })).toMatchObject({
    restoring: true,
  });
  await restarted;
  expect(await call("GET", "settings")).toMatchObject({ restartNeeded: false });
  await backOffice.stop();
});
