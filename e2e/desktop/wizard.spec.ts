import { cpSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { bridge, expect, quit, test } from "./desktop-test.ts";
import { freePort } from "../../hub/test/support/free-port.ts";
import { newFolder, startBackOffice } from "./programs.ts";
import { savedProfile } from "./saved-profile.ts";

const walk = { tag: "@walk" };

test(
  "the first-run wizard tests, saves and moves the hub, and is not shown again [DESK-29] [DESK-171] [REST-53]",
  walk,
  async ({ launch }) => {
    const backOffice = await startBackOffice();
    const desktop = await launch({ env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
    const { page } = desktop;
    const next = () => page.getByRole("button", { name: "Next" }).click();

    await expect(page.getByRole("heading", { name: "Welcome to Comanda Hub" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Restore a backup" })).toBeVisible();
    await next();

    const taken = createServer().listen(0, "0.0.0.0");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port: takenPort } = taken.address() as { port: number };
    await page.getByRole("textbox", { name: "Name of the restaurant" }).fill("La Terraza");
    await page.getByLabel("Port", { exact: true }).fill(String(takenPort));
    await page.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText("The port is already in use.")).toBeVisible();
    const port = await freePort();
    await page.getByLabel("Port", { exact: true }).fill(String(port));
    await page.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText("The port is free.")).toBeVisible();
    taken.close();
    await next();

    await page.getByLabel("Address of the back-office").fill(backOffice.url);
    await page.getByLabel("Database").fill("demo");
    await page.getByLabel("The hub's user").fill("hub");
    await page.getByRole("textbox", { name: "Password" }).fill("wrong");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByText("Wrong user or password.")).toBeVisible();
    await page.getByRole("textbox", { name: "Password" }).fill("hub");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.getByText(/18 tables on 2 floors/)).toBeVisible();
    await next();
    await next();

    await page.waitForURL(`http://127.0.0.1:${port}/**`);
    await expect(page.getByRole("heading", { name: "Connect the first terminal" })).toBeVisible();
    await expect(page.getByRole("form", { name: "Step 5 of 5" })).toBeFocused();
    expect(page.url()).not.toContain("drafts");
    const pairing = await bridge(page, "getPairing");
    expect(pairing).toMatchObject({ name: "La Terraza", port, discovery: { state: "off" } });
    await expect(page.getByText("The address appears when the hub is running.")).toHaveCount(0);
    await page.getByRole("button", { name: "Finish" }).click();
    await expect(page.getByRole("navigation").first()).toBeVisible();
    expect(await bridge(page, "getSettings")).toMatchObject({
      configured: true,
      passwordSet: true,
      settings: { hubName: "La Terraza", port, backOffice: { url: backOffice.url, database: "demo", login: "hub" } },
    });

    // From here on only a manager can restore.
    expect(await bridge(page, "findBackups", desktop.profile)).toMatchObject({ ok: false, reason: "not_first_run" });
    expect(await bridge(page, "restoreNewestBackup")).toMatchObject({ ok: false });

    await quit(desktop);
    expect(await desktop.exit).toBe(0);
    const again = await launch({ profile: desktop.profile, env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
    await expect(again.page.getByRole("navigation").first()).toBeVisible();
    await backOffice.stop();
  },
);

test("the wizard completes an address, focuses an invalid field, and asks for the password after a reload [DESK-171]", async ({
  launch,
}) => {
  const backOffice = await startBackOffice();
  const { page } = await launch({ env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
  const next = page.getByRole("button", { name: "Next" });
  const test = page.getByRole("button", { name: "Test", exact: true });
  await next.click();
  await expect(page.getByRole("form", { name: "Step 2 of 5" })).toBeFocused();
  const name = page.getByRole("textbox", { name: "Name of the restaurant" });
  await name.fill("  ");
  await next.click();
  await expect(name).toHaveValue("");
  await expect(name).toBeFocused();
  await name.fill("La Terraza");
  await page.getByLabel("Port", { exact: true }).fill(String(await freePort()));
  await next.click();

  const address = page.getByLabel("Address of the back-office");
  await address.fill("not an address");
  await test.click();
  await expect(address).toBeFocused();
  await address.fill(backOffice.url.replace("http://", ""));
  await address.blur();
  await expect(address).toHaveValue(backOffice.url.replace("http://", "https://"));
  await address.fill(backOffice.url);
  await page.getByLabel("The hub's user").fill("hub");
  const password = page.getByRole("textbox", { name: "Password" });
  await test.click();
  await expect(password).toBeFocused();
  await password.fill("hub");
  await next.click();
  await expect(page.getByRole("heading", { name: "Plugins of this hub" })).toBeVisible();

  await page.reload();
  await expect(address).toHaveValue(backOffice.url);
  await next.click();
  await expect(password).toBeFocused();
  await password.fill("hub");
  await next.click();
  await expect(page.getByRole("heading", { name: "Plugins of this hub" })).toBeVisible();
  await backOffice.stop();
});

test("a first start without a back-office names the address that was tried and what to start [UI-270] [UI-300]", async ({
  launch,
}) => {
  const env = { ERP_URL: "http://127.0.0.1:9", ERP_USER: "hub", ERP_PASSWORD: "hub" };
  const { page } = await launch({ profile: savedProfile({ language: "es" }), env });
  const sentence = page.getByRole("region", { name: "Estado general" });
  await expect(sentence).toContainText("El hub todavía no ha podido llegar al back-office.");
  await expect(sentence).toContainText(/Se intentó http:\/\/127\.0\.0\.1:9, .* «npm run backoffice»/);
  await expect(page.getByText("El back-office no respondió")).toBeVisible();
  await expect(page.getByText("dejó de responder")).toHaveCount(0);
  // No PIN can exist yet, and the internet connection may be fine.
  await page.getByRole("link", { name: "Cuentas", exact: true }).click();
  await expect(page.getByText("Ahí se comprueba su contraseña, así que aún no puede entrar.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Contraseña" })).toBeVisible();
  await expect(page.getByText(/Clave \(PIN\)|No hay internet/)).toHaveCount(0);
});

test("a new PC restores a backup from a folder, after a typed word [UI-268]", async ({ launch }) => {
  const env = { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" };
  const old = await launch({ env });
  const dir = path.join(old.profile, "backups");
  await expect.poll(() => (existsSync(dir) ? readdirSync(dir) : []), { timeout: 30_000 }).toHaveLength(1);
  const { hubId } = (await bridge(old.page, "getPairing")) ?? {};
  await quit(old);
  await old.exit;
  const drive = newFolder("drive");
  cpSync(dir, drive, { recursive: true });

  const { page } = await launch({ env });
  expect((await bridge(page, "getPairing"))?.hubId).not.toBe(hubId);
  await page.getByRole("button", { name: "Restore a backup" }).click();
  const backupPath = page.getByRole("textbox", { name: "Folder or file of the backup" });
  await expect(backupPath).toBeFocused();
  await backupPath.fill(newFolder("empty"));
  await page.getByRole("button", { name: "Look for backups" }).click();
  await expect(page.getByText("There is no backup there.")).toBeVisible();
  await backupPath.fill(drive);
  // The result for the previous place is cleared.
  await expect(page.getByText("There is no backup there.")).toBeHidden();
  await backupPath.press("Enter");
  await expect(page.getByRole("radio", { name: /^Unnamed restaurant: backup of .+, 0 checks, 0 open/ })).toBeChecked();
  await page.getByRole("button", { name: "Restore this backup" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore a backup" });
  await expect(dialog).toContainText("hub.sqlite.key");
  await dialog.getByLabel(/^Type RESTORE/).fill("RESTORE");
  await dialog.getByLabel(/^Type RESTORE/).press("Enter");
  await expect.poll(async () => (await bridge(page, "getPairing"))?.hubId, { timeout: 30_000 }).toBe(hubId);
  await expect(page.getByText("Backup restored.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Welcome to Comanda Hub" })).toBeVisible();
});
