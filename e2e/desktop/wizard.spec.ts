import { createServer } from "node:net";
import { bridge, expect, quit, test } from "./desktop-test.ts";
import { freePort } from "../../hub/test/free-port.ts";
import { startBackOffice } from "./programs.ts";

test("[DESK-29] the first-run wizard tests, saves and moves the hub, and is not shown again", async ({ launch }) => {
  const backOffice = await startBackOffice();
  const desktop = await launch({ env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
  const { page } = desktop;
  const next = () => page.getByRole("button", { name: "Next" }).click();

  await expect(page.getByRole("heading", { name: "Welcome to Comanda Hub" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore a backup" })).toHaveCount(0);
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

  await quit(desktop);
  expect(await desktop.exit).toBe(0);
  const again = await launch({ profile: desktop.profile, env: { HUB_HTTP_PORT: "", HUB_HOST: "127.0.0.1" } });
  await expect(again.page.getByRole("navigation").first()).toBeVisible();
  await backOffice.stop();
});
