import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { takePicture } from "../support/take-picture.ts";
import { bridge, expect, quit, test } from "./desktop-test.ts";
import { savedProfile } from "./saved-profile.ts";

async function takePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { port: (server.address() as AddressInfo).port, free: () => new Promise((resolve) => server.close(resolve)) };
}

test("[DESK-30] [DESK-31] a taken port is named with its holder, and another one is a button away", async ({
  launch,
}) => {
  const taken = await takePort();
  const profile = savedProfile({ port: taken.port });
  const { page, complaints } = await launch({ profile, env: { HUB_HTTP_PORT: "" } });
  await expect(page.getByRole("heading")).toHaveText(/^Another program uses the hub's port/);
  if (process.platform === "linux") await expect(page.getByRole("heading")).toContainText(`(process ${process.pid})`);
  const other = page.getByRole("button", { name: /^Use port \d+ instead$/ });
  const port = Number(/\d+/.exec((await other.textContent()) ?? "")?.[0]);
  expect(complaints).toEqual([]);
  await other.click();
  await page.waitForURL(`http://127.0.0.1:${port}/**`);
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running", port });
  expect((await bridge(page, "getSettings")).settings).toMatchObject({ port, hubName: "La Terraza" });
  await taken.free();
});

test("[DESK-31] it retries on request, in the operator's language", async ({ launch }) => {
  const taken = await takePort();
  const { page } = await launch({
    profile: savedProfile({ port: taken.port, language: "es" }),
    env: { HUB_HTTP_PORT: "" },
  });
  await expect(page.getByRole("heading")).toHaveText(/^Otro programa usa el puerto del hub/);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
  expect(await bridge(page, "restartHub")).toMatchObject({ state: "failed", reason: "port_in_use" });
  await expect(page.getByRole("heading")).toHaveText(/^Otro programa usa el puerto del hub/);
  await taken.free();
  await page.getByRole("button", { name: "Intentar de nuevo" }).click();
  await page.waitForURL(`http://127.0.0.1:${taken.port}/**`);
});

test("[DESK-30] a port that the environment fixes is not offered to be changed", async ({ launch }) => {
  const taken = await takePort();
  const { page } = await launch({ profile: savedProfile(), env: { HUB_HTTP_PORT: String(taken.port) } });
  await expect(page.getByRole("heading")).toHaveText(/^Another program uses the hub's port/);
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Use port/ })).toHaveCount(0);
  await taken.free();
});

test("[DESK-65] a bad setting that was saved is put right on the page itself", async ({ launch }) => {
  const profile = savedProfile({}, { HUB_GRACE_MS: "soon", HUB_LEASE_TTL_MS: "30000" });
  const { page, complaints } = await launch({ profile });
  await expect(page.getByRole("heading")).toHaveText("A setting keeps the hub from starting");
  const first = page.locator("form input").first();
  await expect(first).toHaveValue("soon");
  await expect(first).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("HUB_LEASE_TTL_MS")).toHaveValue("30000");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByLabel("HUB_GRACE_MS").fill("later");
  await page.getByRole("button", { name: "Save and start" }).click();
  await expect(page.getByRole("status")).toContainText('HUB_GRACE_MS is "later", but must be');
  await page.getByLabel("HUB_GRACE_MS").fill("9000");
  await page.getByRole("button", { name: "Save and start" }).click();
  await page.waitForURL(/^http:/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
  expect(complaints).toEqual([]);
});

test("[DESK-65] after any other failure the saved settings are a button away", async ({ launch }) => {
  const taken = await takePort();
  const { page } = await launch({ profile: savedProfile({ port: taken.port }), env: { HUB_HTTP_PORT: "" } });
  await page.getByRole("button", { name: "Change settings" }).click();
  await expect(page.getByLabel("HUB_NAME")).toHaveValue("La Terraza");
  await taken.free();
  await page.getByLabel("HUB_NAME").fill("El Malecón");
  await page.getByRole("button", { name: "Save and start" }).click();
  await page.waitForURL(/^http:/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect((await bridge(page, "getSettings")).settings.hubName).toBe("El Malecón");
});

test("[DESK-30] a bad setting is named with its value and what is allowed", async ({ launch }) => {
  const { page } = await launch({ profile: savedProfile(), env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect(page.getByRole("heading")).toHaveText("A setting keeps the hub from starting");
  await expect(page.locator("#error")).toContainText('HUB_LEASE_TTL_MS is "soon", but must be');
});

test("[DESK-33] a damaged data file is kept, and the newest good backup restored from the page", async ({ launch }) => {
  const profile = savedProfile();
  const first = await launch({ profile });
  const backups = () =>
    readdirSync(profile).includes("backups") && readdirSync(path.join(profile, "backups")).length > 0;
  await expect.poll(backups).toBe(true);
  await quit(first);
  expect(await first.exit).toBe(0);

  writeFileSync(path.join(profile, "hub.sqlite"), "this is no database, whatever it was before".repeat(200));
  const second = await launch({ profile });
  await expect(second.page.getByRole("heading")).toHaveText("The hub's data file is damaged");
  await second.page.getByRole("button", { name: "Restore the newest good backup" }).click();
  await second.page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(second.page, "getHubState")).toMatchObject({ state: "running" });
  expect(readdirSync(profile).filter((name) => name.startsWith("hub.sqlite.damaged-"))).toHaveLength(1);
});

test("[DESK-60] a missing data file is reported, and an empty one is created only after a second confirmation", async ({
  launch,
}) => {
  const profile = savedProfile({ language: "es" });
  const first = await launch({ profile });
  await quit(first);
  expect(await first.exit).toBe(0);
  writeFileSync(path.join(profile, "hub.sqlite.damaged-2026-01-01T00-00-00-000Z"), "kept");
  rmSync(path.join(profile, "backups"), { recursive: true, force: true });
  rmSync(path.join(profile, "hub.sqlite"));

  const second = await launch({ profile });
  await expect(second.page.getByRole("heading")).toHaveText("El archivo de datos del hub no está");
  await expect(second.page.getByRole("button", { name: "Restaurar la última copia buena" })).toHaveCount(0);
  await takePicture(second.page, "data-file-missing");
  await second.page.getByRole("button", { name: "Empezar sin datos …" }).click();
  await expect(second.page.locator("#outcome")).toContainText("No estarán las cuentas abiertas");
  expect(existsSync(path.join(profile, "hub.sqlite"))).toBe(false);
  await second.page.getByRole("button", { name: "Sí, empezar sin datos" }).click();
  await second.page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(second.page, "getHubState")).toMatchObject({ state: "running" });
});

test("[DESK-61] a restore that another program blocks can be retried or cancelled", async ({ launch }) => {
  const profile = savedProfile();
  const first = await launch({ profile });
  await quit(first);
  expect(await first.exit).toBe(0);
  const file = path.join(profile, "hub.sqlite");
  copyFileSync(file, `${file}.next`);
  const note = { backup: null, aside: path.join(profile, "no", "such", "folder"), by: "manager" };
  writeFileSync(`${file}.restore`, JSON.stringify(note));

  const second = await launch({ profile });
  await expect(second.page.getByRole("heading")).toHaveText("The restore of a backup is not finished");
  await takePicture(second.page, "restore-unfinished");
  await second.page.getByRole("button", { name: "Go on with the present data" }).click();
  await second.page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(existsSync(`${file}.restore`)).toBe(false);
});

test("[DESK-32] the built-in page keeps its own policy, and its bridge works", async ({ launch }) => {
  const { page, complaints } = await launch({ profile: savedProfile(), env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect(page.getByRole("heading")).not.toBeEmpty();
  expect(complaints).toEqual([]);
  const ran = await page.evaluate(() => {
    const script = Object.assign(document.createElement("script"), { textContent: "globalThis.inline = true" });
    document.head.append(script);
    return "inline" in globalThis;
  });
  expect(ran).toBe(false);
  expect(complaints.join()).toContain("Content Security Policy");
});

test("[DESK-31] the built-in page is accessible in both themes and by keyboard", async ({ launch }) => {
  const { page } = await launch({ profile: savedProfile(), env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect(page.getByRole("heading")).not.toBeEmpty();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
});
