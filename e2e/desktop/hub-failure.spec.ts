import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import { desktopPushes } from "@comanda/protocol";
import { takePicture } from "../support/take-picture.ts";
import { bridge, expect, quit, test, type Launch } from "./desktop-test.ts";
import { newFolder } from "./programs.ts";
import { savedProfile } from "./saved-profile.ts";

async function occupyPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { port: (server.address() as AddressInfo).port, free: () => new Promise((resolve) => server.close(resolve)) };
}

test("a start that fails on a port in use names the other program and offers a free port [DESK-30] [DESK-31]", async ({
  launch,
}) => {
  const occupied = await occupyPort();
  const profile = savedProfile({ port: occupied.port });
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
  await occupied.free();
});

test("the failure page retries on request, in the operator's language [DESK-31]", async ({ launch }) => {
  const occupied = await occupyPort();
  const { page } = await launch({
    profile: savedProfile({ port: occupied.port, language: "es" }),
    env: { HUB_HTTP_PORT: "" },
  });
  await expect(page.getByRole("heading")).toHaveText(/^Otro programa usa el puerto del hub/);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
  expect(await bridge(page, "restartHub")).toMatchObject({ state: "failed", reason: "port_in_use" });
  await expect(page.getByRole("heading")).toHaveText(/^Otro programa usa el puerto del hub/);
  await occupied.free();
  await page.getByRole("button", { name: "Intentar de nuevo" }).click();
  await page.waitForURL(`http://127.0.0.1:${occupied.port}/**`);
});

test("a port that the environment fixes cannot be changed on the failure page [DESK-30]", async ({ launch }) => {
  const occupied = await occupyPort();
  const { page } = await launch({ profile: savedProfile(), env: { HUB_HTTP_PORT: String(occupied.port) } });
  await expect(page.getByRole("heading")).toHaveText(/^Another program uses the hub's port/);
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Use port/ })).toHaveCount(0);
  await occupied.free();
});

test("a bad saved setting is corrected on the failure page, in words and units [DESK-65] [DESK-90]", async ({
  launch,
}) => {
  const others = { HUB_GRACE_MS: "soon", HUB_LEASE_TTL_MS: "120000", HUB_DEV_AUTH: "0", HUB_LOG_LEVEL: "debug" };
  const { page, complaints } = await launch({ profile: savedProfile({ language: "es" }, others) });
  await expect(page.getByRole("heading")).toHaveText("Un ajuste impide iniciar el hub");
  const grace = page.getByLabel("Tiempo que un terminal sin conexión conserva sus cuentas");
  await expect(page.locator("form").locator("input, select").first()).toHaveValue("soon");
  await expect(grace).toHaveAttribute("aria-invalid", "true");
  await expect(grace).toHaveAccessibleDescription("El hub no acepta este valor. De 0.2 segundos a 24 horas");
  await expect(page.getByText("HUB_GRACE_MS", { exact: true })).toHaveClass("variable");
  const lease = page.locator(".setting", { hasText: "HUB_LEASE_TTL_MS" });
  await expect(lease.getByRole("textbox")).toHaveValue("2");
  await expect(lease.getByRole("combobox", { name: "Unidad" })).toHaveText(/segundos\s*minutos\s*horas/);
  await expect(lease.getByRole("combobox", { name: "Unidad" })).toHaveValue("minutes");
  await expect(page.getByLabel(/^Entrar sin contraseña/).locator("option:checked")).toHaveText("No");
  await expect(page.getByLabel("Detalle del registro").locator("option:checked")).toHaveText("con detalle");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const save = page.getByRole("button", { name: "Guardar e iniciar" });
  await grace.fill("0.1");
  await save.click();
  await expect(grace).toBeFocused();
  await expect(grace).toHaveAttribute("aria-invalid", "true");
  await grace.fill("9");
  await page.getByLabel("Detalle del registro").selectOption("normal");
  await save.click();
  await page.waitForURL(/^http:/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
  const saved = Object.fromEntries((await bridge(page, "getHubSettings")).map(({ name, value }) => [name, value]));
  expect(saved).toMatchObject({ ...others, HUB_GRACE_MS: "9000", HUB_LOG_LEVEL: "info" });
  expect(complaints).toEqual([]);
});

test("a setting that only the hub can refuse is explained on the failure page and changes nothing [DESK-90]", async ({
  launch,
}) => {
  const { page } = await launch({ profile: savedProfile({}, { HUB_TIME_ZONE: "Mars/Olympus" }) });
  const zone = page.getByLabel("Time zone of the restaurant");
  await expect(zone).toHaveAttribute("aria-invalid", "true");
  await zone.fill("Moon/Tranquillity");
  await page.getByRole("button", { name: "Save and start" }).click();
  await expect(page.getByRole("status")).toContainText(
    "The hub does not accept these settings, so nothing was changed.",
  );
});

test("the failure page opens the saved settings after any other failure [DESK-65]", async ({ launch }) => {
  const occupied = await occupyPort();
  const { page } = await launch({ profile: savedProfile({ port: occupied.port }), env: { HUB_HTTP_PORT: "" } });
  await page.getByRole("button", { name: "Change settings" }).click();
  const name = page.getByLabel("Name of the restaurant, as terminals show it");
  await expect(name).toHaveValue("La Terraza");
  await occupied.free();
  await name.fill("El Malecón");
  await page.getByRole("button", { name: "Save and start" }).click();
  await page.waitForURL(/^http:/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect((await bridge(page, "getSettings")).settings.hubName).toBe("El Malecón");
});

test("the failure page names a bad setting with its value and what is allowed [DESK-30]", async ({ launch }) => {
  const { page } = await launch({ profile: savedProfile(), env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect(page.getByRole("heading")).toHaveText("A setting keeps the hub from starting");
  await expect(page.locator("#error")).toContainText('HUB_LEASE_TTL_MS is "soon", but must be');
});

test("a damaged data file is set aside, and the newest good backup is restored from the failure page [DESK-33]", async ({
  launch,
}) => {
  const profile = savedProfile();
  const first = await launch({ profile });
  const isBackedUp = () =>
    readdirSync(profile).includes("backups") &&
    // A backup in progress has a different name until it is complete.
    readdirSync(path.join(profile, "backups")).some((name) => name.endsWith(".sqlite"));
  await expect.poll(isBackedUp).toBe(true);
  await quit(first);
  expect(await first.exit).toBe(0);

  writeFileSync(path.join(profile, "hub.sqlite"), "this is no database, whatever it was before".repeat(200));
  const { page } = await launch({ profile });
  await expect(page.getByRole("heading")).toHaveText("The hub's data file is damaged");
  await page.getByRole("button", { name: /^Restore the backup of today, \d/ }).click();
  expect(existsSync(path.join(profile, "hub.sqlite"))).toBe(false);
  await page.getByRole("button", { name: "Yes, restore this backup" }).click();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
  expect(readdirSync(profile).filter((name) => name.startsWith("hub.sqlite.damaged-"))).toHaveLength(1);
});

/** Creates a profile whose data file is damaged; `backups` names the backups made of the intact file before. */
async function damagedProfile(launch: Launch, backups: readonly string[], language: "es" | "en" = "es") {
  const profile = savedProfile({ language });
  const first = await launch({ profile });
  await quit(first);
  expect(await first.exit).toBe(0);
  const file = path.join(profile, "hub.sqlite");
  const folder = path.join(profile, "backups");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of backups) copyFileSync(file, path.join(folder, name));
  writeFileSync(file, "this is no database, whatever it was before".repeat(200));
  return { profile, folder };
}

const oldBackup = "hub-manual-2026-01-05T18-30-00-000Z.sqlite";

test("the failure page explains each way out of a damaged data file, in the operator's language [DESK-70]", async ({
  launch,
}) => {
  const { profile } = await damagedProfile(launch, [oldBackup]);
  const { page, complaints } = await launch({ profile });
  await expect(page.getByRole("heading")).toHaveText("El archivo de datos del hub está dañado");
  for (const [name, meaning] of [
    [/^Restaurar la copia del 5 ene 2026/, /^Se pierde lo registrado desde el 5 ene 2026.* \(hace \d+ días\)/],
    ["Elegir otra copia …", /otro disco/],
    ["Intentar de nuevo", /^No cambia nada/],
    ["Empezar sin datos …", /^Solo si no hay ninguna copia/],
  ] as const) {
    await expect(page.getByRole("button", { name })).toHaveAccessibleDescription(meaning);
  }
  for (const name of ["Abrir la carpeta de datos", "Guardar un informe para soporte …", "Salir"]) {
    await expect(page.getByRole("button", { name })).toBeVisible();
  }
  await page.getByRole("button", { name: "Intentar de nuevo" }).click();
  await expect(page.getByRole("status")).toBeEmpty();
  await expect(page.getByRole("heading")).toHaveText("El archivo de datos del hub está dañado");
  // The sentence for the command line is only a detail here.
  await expect(page.locator("#error")).toBeHidden();
  await page.getByRole("button", { name: "Elegir otra copia …" }).click();
  await expect(page.getByRole("listitem")).toContainText("hecha a mano");
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Empezar sin datos …" }).click();
  await expect(page.getByRole("listitem")).toHaveCount(0);
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a damaged backup is refused without a change, and another from a chosen folder is restored [DESK-71] [DESK-178]", async ({
  launch,
}) => {
  const { profile, folder } = await damagedProfile(launch, [oldBackup]);
  const other = newFolder("usb");
  const chosen = "hub-daily-2026-01-04T08-00-00-000Z.sqlite";
  copyFileSync(path.join(folder, oldBackup), path.join(other, chosen));
  const { app, page } = await launch({ profile });
  await page.getByRole("button", { name: /^Restaurar la copia del 5 ene/ }).click();
  // Damaged only now: it was intact when the page offered it.
  writeFileSync(path.join(folder, oldBackup), "nothing of use");
  await page.getByRole("button", { name: "Sí, restaurar esta copia" }).click();
  await expect(page.getByRole("status")).toContainText("no se cambió nada. Elija otra.");
  expect(readdirSync(profile)).not.toContain("hub.sqlite");

  await app.evaluate(({ dialog }, place) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [place] });
  }, other);
  await page.getByRole("button", { name: "Elegir otra copia …" }).click();
  await page.getByRole("button", { name: "Elegir una carpeta …" }).click();
  const chosenOne = page.getByRole("button", { name: /^Restaurar la copia del 4 ene 2026/ });
  await chosenOne.click();
  expect(readdirSync(profile)).not.toContain("hub.sqlite");
  const confirm = page.getByRole("button", { name: "Sí, restaurar esta copia" });
  await confirm.focus();
  // An automatic retry of the start fails in the same way, and finds one more backup.
  copyFileSync(path.join(other, chosen), path.join(folder, chosen));
  await app.evaluate(
    ({ BrowserWindow }, [channel, state]) => BrowserWindow.getAllWindows()[0]?.webContents.send(channel, state),
    [desktopPushes.onHubState, await bridge(page, "getHubState")] as const,
  );
  await expect(chosenOne).toHaveCount(2);
  await expect(confirm).toBeFocused();
  await confirm.click();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
});

test("a folder without backups says so, and only an offered backup can be restored [DESK-71]", async ({ launch }) => {
  const { profile, folder } = await damagedProfile(launch, [oldBackup], "en");
  const unoffered = path.join(newFolder("elsewhere"), oldBackup);
  renameSync(path.join(folder, oldBackup), unoffered);
  const { app, page } = await launch({ profile });
  await expect(page.getByRole("button", { name: /^Restore the backup/ })).toHaveCount(0);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, newFolder("empty"));
  await page.getByRole("button", { name: "Choose another backup …" }).click();
  await page.getByRole("button", { name: "Choose a folder …" }).click();
  await expect(page.getByRole("status")).toHaveText("There is no backup of Comanda Hub in that folder.");
  expect(await bridge(page, "restoreBackup", unoffered)).toEqual({ ok: false, error: `${unoffered} was not offered.` });
});

test("a report for support is saved in the chosen place, without the password [DESK-72]", async ({ launch }) => {
  const { profile } = await damagedProfile(launch, [oldBackup]);
  const { app, page } = await launch({ profile, env: { ERP_PASSWORD: "s3cret-word" } });
  const file = path.join(newFolder("documents"), "report.tar.gz");
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await page.getByRole("button", { name: "Guardar un informe para soporte …" }).click();
  await expect(page.getByRole("status")).toHaveText(`Guardado en ${file}`);
  const report = gunzipSync(readFileSync(file)).toString("latin1");
  for (const part of ["failure.json", '"reason": "data_file', oldBackup, "hub.sqlite.damaged-", "HUB_DB_PATH"]) {
    expect(report).toContain(part);
  }
  expect(report).not.toContain("s3cret-word");
});

test("a language chosen on the failure page applies to it and to the screens afterwards [DESK-73]", async ({
  launch,
}) => {
  const { profile } = await damagedProfile(launch, [oldBackup], "en");
  const { page } = await launch({ profile });
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.getByRole("heading")).toHaveText("El archivo de datos del hub está dañado");
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
  await page.getByRole("button", { name: /^Restaurar la copia del 5 ene 2026/ }).click();
  await page.getByRole("button", { name: "Sí, restaurar esta copia" }).click();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
});

test("a missing data file is reported, and an empty one is created only after a typed word [DESK-60]", async ({
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
  await expect(second.page.getByRole("heading")).toHaveText("Falta el archivo de datos del hub");
  await expect(second.page.getByRole("button", { name: /^Restaurar la copia/ })).toHaveCount(0);
  await takePicture(second.page, "data-file-missing");
  const begin = second.page.getByRole("button", { name: "Empezar sin datos …" });
  await expect(begin).toHaveAccessibleDescription(/Faltarán las cuentas abiertas/);
  await begin.click();
  const confirm = second.page.getByRole("button", { name: "Sí, empezar sin datos" });
  await expect(confirm).toBeDisabled();
  await second.page.getByLabel("Escriba EMPEZAR para confirmar").fill("si");
  await expect(confirm).toBeDisabled();
  expect(existsSync(path.join(profile, "hub.sqlite"))).toBe(false);
  await second.page.getByLabel("Escriba EMPEZAR para confirmar").fill("empezar");
  await confirm.click();
  await second.page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(second.page, "getHubState")).toMatchObject({ state: "running" });
});

/** Creates a profile whose restore cannot set the data file aside, because the folder of `aside` is missing. */
async function profileWithUnfinishedRestore(launch: Launch) {
  const profile = savedProfile();
  const first = await launch({ profile });
  await quit(first);
  expect(await first.exit).toBe(0);
  const file = path.join(profile, "hub.sqlite");
  copyFileSync(file, `${file}.next`);
  const aside = path.join(profile, "missing", "hub.sqlite.replaced");
  writeFileSync(`${file}.restore`, JSON.stringify({ backup: null, aside, by: "manager" }));
  return { profile, file, aside };
}

test("an unfinished restore that cannot complete can be cancelled [DESK-61]", async ({ launch }) => {
  const { profile, file } = await profileWithUnfinishedRestore(launch);
  const second = await launch({ profile });
  await expect(second.page.getByRole("heading")).toHaveText("The restore of a backup is not finished");
  await takePicture(second.page, "restore-unfinished");
  await second.page.getByRole("button", { name: "Keep the current data" }).click();
  await second.page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(existsSync(`${file}.restore`)).toBe(false);
});

test("an unfinished restore can be tried again until its files can be renamed [DESK-61]", async ({ launch }) => {
  const { profile, file, aside } = await profileWithUnfinishedRestore(launch);
  const restored = readFileSync(`${file}.next`);
  const { page } = await launch({ profile });
  const heading = page.getByRole("heading");
  await expect(heading).toHaveText("The restore of a backup is not finished");
  expect(await bridge(page, "restartHub")).toMatchObject({ state: "failed", reason: "restore_unfinished" });
  await expect(heading).toHaveText("The restore of a backup is not finished");
  expect(readFileSync(`${file}.next`).equals(restored)).toBe(true);

  mkdirSync(path.dirname(aside));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/);
  expect(await bridge(page, "getHubState")).toMatchObject({ state: "running" });
  expect([aside, `${file}.next`, `${file}.restore`].map((each) => existsSync(each))).toEqual([true, false, false]);
});

test("the failure page runs no inline script under its content security policy [DESK-32]", async ({ launch }) => {
  const { page, complaints } = await launch({ profile: savedProfile(), env: { HUB_LEASE_TTL_MS: "soon" } });
  await expect(page.getByRole("heading")).not.toBeEmpty();
  expect(complaints).toEqual([]);
  const isExecuted = await page.evaluate(() => {
    const script = Object.assign(document.createElement("script"), { textContent: "globalThis.inline = true" });
    document.head.append(script);
    return "inline" in globalThis;
  });
  expect(isExecuted).toBe(false);
  expect(complaints.join()).toContain("Content Security Policy");
});

test("the failure page is accessible in both themes and by keyboard [DESK-31]", async ({ launch }) => {
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
