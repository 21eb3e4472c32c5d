import type { DesktopBridge, DesktopSettingsState, Pairing, UpdateState } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { overflowOf } from "../support/layout.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

// The page's side of the bridge, in states that the app itself reaches only with a release or a broken network. The specs of
// the desktop app test the app's side, and both together.

const offer = { version: "9.9.9", notes: "Faster kitchen tickets", publishedAt: "2026-11-20T12:00:00.000Z" };

/** Gives the page a bridge that reports `state` and records the user's choices. */
async function withBridge(page: Page, state: UpdateState, configured = true): Promise<void> {
  const settings: DesktopSettingsState = {
    settings: {
      language: "en",
      hubName: "La Terraza",
      port: 8766,
      backOffice: { url: "http://127.0.0.1:8069", database: "demo", login: "hub" },
      plugins: [],
      startAtLogin: false,
    },
    passwordSet: true,
    fromEnvironment: [],
    configured,
    backupsFound: 0,
  };
  await page.addInitScript(
    ([update, saved]) => {
      const chosen: string[] = [];
      const bridge: Partial<DesktopBridge> & { chosen: string[] } = {
        chosen,
        getSettings: () => Promise.resolve(saved),
        getUpdate: () => Promise.resolve(update),
        chooseUpdate(choice) {
          chosen.push(choice);
          return Promise.resolve();
        },
        testSettings: (wanted) =>
          Promise.resolve(
            wanted.what === "port"
              ? {
                  ok: false,
                  what: "port",
                  reason: "port_taken",
                  error: "EADDRINUSE",
                  heldBy: "other.exe",
                  suggestedPort: 8767,
                }
              : { ok: true, what: "back_office", userName: "Hub", tables: 18, floors: 2, products: 40, hubMode: true },
          ),
        checkForUpdate: () => Promise.resolve("no_channel"),
        changeHubSettings(values) {
          chosen.push(JSON.stringify(values));
          return Promise.resolve({ ok: true });
        },
        setLanguage: () => Promise.resolve(),
        onUpdate: () => () => undefined,
        onHubState: () => () => undefined,
      };
      Object.assign(window, { desktop: bridge });
    },
    [state, settings] as const,
  );
}

function chosen(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { desktop: { chosen: string[] } }).desktop.chosen);
}

test('an update overlay stays on Escape and offers "Later" and "Install Update" [UI-22]', async ({
  openPublic,
  page,
}) => {
  await withBridge(page, { name: "overlay", offer, action: "install", problem: null, notice: null });
  await openPublic("/");
  const overlay = page.getByRole("dialog", { name: "There is a new version: 9.9.9" });
  await expect(overlay.getByText("Faster kitchen tickets")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(overlay).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await overlay.getByRole("button", { name: "Later" }).click();
  await overlay.getByRole("button", { name: "Install Update" }).click();
  expect(await chosen(page)).toEqual(["later", "install"]);
});

for (const state of [
  { name: "downloading", offer, progress: { transferredBytes: 5e6, totalBytes: 2e7, bytesPerSecond: 1e6 } },
  { name: "verifying", offer },
  { name: "installing", offer },
] as const satisfies UpdateState[]) {
  test(`nothing closes the update overlay while it is ${state.name} [UI-22]`, async ({ openPublic, page }) => {
    await withBridge(page, state);
    await openPublic("/");
    const overlay = page.getByRole("dialog");
    await expect(overlay).toBeVisible();
    await expect(overlay.getByRole("button")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await expect(overlay).toBeVisible();
  });
}

test("a failed update check offers to continue anyway [UI-22]", async ({ openPublic, page }) => {
  await withBridge(page, { name: "fallback", problem: "The update service does not answer." });
  await openPublic("/");
  await expect(page.getByText("The update service does not answer.")).toBeHidden();
  await page.getByText("Technical detail").click();
  await expect(page.getByText("The update service does not answer.")).toBeVisible();
  await page.getByRole("button", { name: "Continue Anyway" }).click();
  expect(await chosen(page)).toEqual(["continue-anyway"]);
});

test("the wizard tests values as they are entered and keeps them over a reload [UI-23] [UI-25]", async ({
  openPublic,
  page,
}) => {
  await withBridge(page, { name: "app" }, false);
  await openPublic("/");
  await expect(page.getByRole("heading", { name: "Welcome to Comanda Hub" })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name of the restaurant").fill("El Malecón");
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("The port is already in use.")).toBeVisible();
  await expect(page.getByText("other.exe uses it.")).toBeVisible();
  await page.getByRole("button", { name: "Use 8767" }).click();
  await page.reload();
  await expect(page.getByLabel("Name of the restaurant")).toHaveValue("El Malecón");
  await expect(page.getByLabel("Port")).toHaveValue("8767");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("Connected as Hub: 18 tables on 2 floors, 40 products.")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
});

test("the wizard asks for the password again when it would be sent to another address [UI-167]", async ({
  openPublic,
  page,
}) => {
  await withBridge(page, { name: "app" }, false);
  await openPublic("/");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("saved; type another to change it")).toBeVisible();
  await page.getByLabel("Address of the back-office").fill("http://elsewhere.example:8069");
  await expect(page.getByText("Type it again: the saved one is for another address, database or user.")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByLabel("Address of the back-office")).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill("typed");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByLabel("Address of the back-office")).toHaveCount(0);
});

test("the wizard focuses a field that cannot be saved, and shows why the app refuses the rest [DESK-171]", async ({
  openPublic,
  page,
}) => {
  await withBridge(page, { name: "app" }, false);
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    desktop.saveSettings = () => Promise.reject(new Error("the arguments are not valid"));
    sessionStorage.setItem("comanda-draft-setup-step", "2");
  });
  await openPublic("/");
  const next = page.getByRole("button", { name: "Next" });
  const database = page.getByLabel("Database");
  await database.fill("  ");
  await next.click();
  await expect(database).toBeFocused();
  await database.fill("demo");
  const address = page.getByLabel("Address of the back-office");
  await address.fill("ftp://odoo.local");
  await next.click();
  await expect(address).toBeFocused();
  await address.fill("http://127.0.0.1:8069");
  await next.click();
  await next.click();
  await expect(page.getByRole("alert")).toContainText("the arguments are not valid");
  await expect(next).toBeEnabled();
});

test("the wizard offers the back-offices that it finds on the network [UI-272]", async ({ openPublic, page }) => {
  await withBridge(page, { name: "app" }, false);
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    const answers = [[], ["http://odoo.local:8069"]];
    desktop.findBackOffices = () => Promise.resolve(answers.shift() ?? []);
    sessionStorage.setItem("comanda-draft-setup-step", "2");
  });
  await openPublic("/");
  await page.getByRole("button", { name: "Look on the network" }).click();
  await expect(page.getByText("None answered at the usual addresses.")).toBeVisible();
  await page.getByRole("button", { name: "Look on the network" }).click();
  await page.getByRole("button", { name: "Use http://odoo.local:8069" }).click();
  await expect(page.getByLabel("Address of the back-office")).toHaveValue("http://odoo.local:8069");
  await expect(page.getByText("Type it again: the saved one is for another address")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
});

test("the wizard's address field and the addresses found fit a phone's width uncut [UI-230]", async ({
  openPublic,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await withBridge(page, { name: "app" }, false);
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    desktop.findBackOffices = () => Promise.resolve(["https://contabilidad.restaurantelaterraza.com.do"]);
    sessionStorage.setItem("comanda-draft-setup-step", "2");
  });
  await openPublic("/");
  const address = page.getByLabel("Address of the back-office");
  await page.getByRole("button", { name: "Look on the network" }).click();
  const use = page.getByRole("button", { name: /^Use https/ });
  await expect(use).toBeVisible();
  expect((await address.boundingBox())?.width).toBeGreaterThan(320);
  expect(await overflowOf(page)).toEqual([]);
  const card = await page.getByRole("form").boundingBox();
  for (const written of [use, page.getByText(/^A back-office answers at/)]) {
    const { right, isCut } = await written.evaluate((shown) => {
      const text = document.createRange();
      text.selectNodeContents(shown);
      const parts = [shown, ...shown.querySelectorAll("*")];
      return {
        right: text.getBoundingClientRect().right,
        isCut: parts.some(
          (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow === "hidden",
        ),
      };
    });
    expect(isCut).toBe(false);
    expect(right).toBeLessThan(card!.x + card!.width - 8);
  }
});

test("an app without an update channel says that a check for updates checked nothing [UI-168]", async ({
  open,
  page,
}) => {
  await withBridge(page, { name: "app" });
  await open("/system");
  await page.getByRole("button", { name: "Check for updates" }).click();
  await expect(page.getByText("This app has no source of updates: nothing was checked.")).toBeVisible();
  await expect(page.getByText("You already have the newest version.")).toHaveCount(0);
});

test("a setting that only the hub's own computer may change is changed in the app's window [UI-170]", async ({
  open,
  page,
}) => {
  await withBridge(page, { name: "app" });
  await open("/system/settings");
  await page
    .getByRole("row", { name: /HUB_ALLOWED_HOSTS/ })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Other host names that lead to the hub").fill("pos.example");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await chosen(page)).toEqual(['{"HUB_ALLOWED_HOSTS":"pos.example"}']);
});

test("the second backup folder is chosen and tested in the app's window before it is saved [UI-269]", async ({
  open,
  page,
}) => {
  await withBridge(page, { name: "app" });
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    desktop.chooseFolder = () => Promise.resolve("/media/usb");
    desktop.testFolder = (folder) =>
      Promise.resolve(
        folder === "/media/usb"
          ? { ok: true, freeBytes: 120e9, sameDisk: true }
          : { ok: false, reason: "missing", error: "there is no folder" },
      );
  });
  await open("/system/settings");
  await page
    .getByRole("row", { name: /HUB_BACKUP_SECOND_DIR/ })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Second folder for backups/ }).fill("/media/other");
  await dialog.getByRole("button", { name: "Test" }).click();
  await expect(dialog.getByText("Not there")).toBeVisible();
  await dialog.getByRole("button", { name: "Choose a folder…" }).click();
  await expect(dialog.getByText("Can be written, 120 GB free")).toBeVisible();
  await expect(dialog.getByText("On the same disk as the data")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await chosen(page)).toEqual(['{"HUB_BACKUP_SECOND_DIR":"/media/usb"}']);
});

/** Opens the wizard's last step in an app whose hub has this address; returns a function that simulates a phone's visit. */
async function openPairStep(page: Page, url: string, kind: Pairing["addresses"][number]["kind"]) {
  await withBridge(page, { name: "app" }, false);
  const pairing: Pairing = {
    hubId: "hub-1",
    name: "La Terraza",
    port: 8766,
    addresses: [{ url, wsUrl: url.replace("http", "ws"), interface: "Wi-Fi", kind }],
    localOnly: kind === "loopback",
    reach: { code: "Zm9vYmFyYmF6", reachedAt: null },
    discovery: { state: "off" },
  };
  await page.addInitScript((shown) => {
    sessionStorage.setItem("comanda-draft-setup-step", "4");
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    Object.assign(window, { shown });
    Object.assign(desktop, {
      info: () => Promise.resolve({ platform: "win32" }),
      getHubState: () => Promise.resolve({ state: "running", url: "http://127.0.0.1:8766/", port: 8766 }),
      getPairing: () => Promise.resolve((window as unknown as { shown: Pairing }).shown),
    });
  }, pairing);
  return () =>
    page.evaluate(() => {
      const { shown } = window as unknown as { shown: Pairing };
      Object.assign(window, { shown: { ...shown, reach: { code: "x", reachedAt: "2026-11-22T14:00:00.000Z" } } });
    });
}

test("the wizard says when a phone reaches the hub, and otherwise how to open the firewall [UI-271]", async ({
  openPublic,
  page,
}) => {
  const phoneComes = await openPairStep(page, "http://192.168.1.20:8766", "lan");
  await page.clock.install();
  await openPublic("/");
  await expect(
    page.getByRole("img", { name: "Code that connects a terminal to http://192.168.1.20:8766" }),
  ).toBeVisible();
  await expect(page.getByText("Scan the code with a phone's camera")).toBeVisible();
  await expect(page.getByText("Allow an app through firewall")).toHaveCount(0);
  await page.clock.fastForward(46_000);
  await expect(page.getByText("No phone has reached the hub yet.")).toBeVisible();
  await expect(page.getByText("Allow an app through firewall")).toBeVisible();
  await expect(page.getByText("ufw")).toHaveCount(0);
  expect(await seriousIssues(page)).toEqual([]);
  await phoneComes();
  await page.clock.fastForward(3_000);
  await expect(page.getByText("Your phone reaches the hub")).toBeVisible();
  await expect(page.getByText("Allow an app through firewall")).toHaveCount(0);
});

test("a hub that listens on its own PC only shows what to change instead of a code [UI-271]", async ({
  openPublic,
  page,
}) => {
  await openPairStep(page, "http://127.0.0.1:8766", "loopback");
  await openPublic("/");
  await expect(page.getByRole("alert")).toContainText("The hub listens on this PC only: terminals cannot reach it.");
  await expect(page.getByRole("alert")).toContainText("Network address that the hub listens on");
  await expect(page.getByRole("img", { name: /^Code that connects/ })).toHaveCount(0);
  await expect(page.getByText("Scan the code with a phone's camera")).toHaveCount(0);
});

test("the app allows sign-in without a password only after a warning and a typed word [UI-224]", async ({
  open,
  page,
}) => {
  await withBridge(page, { name: "app" });
  await open("/system/settings");
  const entering = page.getByRole("switch", { name: /^Sign in without a password/ });
  await entering.click({ force: true });
  const dialog = page.getByRole("dialog", { name: "Let anyone sign in without a password" });
  await expect(dialog).toContainText("do not turn it on in a restaurant");
  await expect(dialog.getByRole("button", { name: "Turn on anyway" })).toBeDisabled();
  expect(await chosen(page)).toEqual([]);
  await dialog.getByLabel("Type DANGER to confirm").fill("DANGER");
  await dialog.getByRole("button", { name: "Turn on anyway" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await chosen(page)).toEqual(['{"HUB_DEV_AUTH":"true"}']);
});

test("a language chosen in the search also becomes the app's language [UI-6]", async ({ open, page }) => {
  await withBridge(page, { name: "app" });
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: DesktopBridge & { chosen: string[] } };
    desktop.setLanguage = (language) => {
      desktop.chosen.push(language);
      return Promise.resolve();
    };
  });
  await open("/");
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.getByRole("textbox", { name: "Search everything" }).fill("español");
  await page.getByRole("dialog").getByRole("button").first().click();
  await expect(page.getByRole("heading", { name: "Actividad" })).toBeVisible();
  expect(await chosen(page)).toEqual(["es"]);
});

test("the wizard says why this PC cannot become a terminal [DESK-171]", async ({ openPublic, page }) => {
  await withBridge(page, { name: "app" }, false);
  await page.addInitScript(() => {
    const { desktop } = window as unknown as { desktop: Partial<DesktopBridge> };
    desktop.becomeTerminal = () => Promise.reject(new Error("ENOSPC: no space left on device"));
  });
  await openPublic("/");
  await page.getByRole("radio", { name: "A terminal" }).click();
  const button = page.getByRole("button", { name: "Open as a terminal" });
  await button.click();
  await expect(page.getByRole("alert")).toContainText("ENOSPC");
  await expect(button).toBeEnabled();
});
