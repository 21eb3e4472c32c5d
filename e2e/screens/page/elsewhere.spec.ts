// Changes made elsewhere while a page stays open with a selection.
import type { ApiKey, DeadLetters } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { reportUnsent } from "../support/dinner.ts";
import { expect, test } from "../support/screen-test.ts";

test.use({ ownDinner: "elsewhere", refusalsExpected: true });

/** Makes the page reload its data, as after a lost connection. */
async function readAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

/** Sends the message of another tab that signs in or out. */
async function sayInOtherTab(page: Page, message: object): Promise<void> {
  await page.evaluate((posted) => {
    const otherTab = new BroadcastChannel("comanda-session");
    otherTab.postMessage(posted);
    otherTab.close();
  }, message);
}

test("an open password sign-in closes when the session changes and does not reopen in the next PIN session [UI-503]", async ({
  page,
  dinner: { operator },
}) => {
  const pinUntil = new Date(Date.now() + 3_600_000).toISOString();
  const stored = { token: operator.token, user: operator.user, pinUntil };
  await page.addInitScript((session) => sessionStorage.setItem("comanda-session", JSON.stringify(session)), stored);
  await page.goto("/#/orders");
  await page.getByRole("button", { name: "Sign in with the password" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await sayInOtherTab(page, { kind: "in", session: { token: operator.token, user: operator.user } });
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await sayInOtherTab(page, { kind: "in", session: stored });
  await expect(page.getByRole("button", { name: "Sign in with the password" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // The dialog also stays closed if the next session arrives at once.
  await page.getByRole("button", { name: "Sign in with the password" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const later = new Date(Date.now() + 7_200_000).toISOString();
  await sayInOtherTab(page, { kind: "in", session: { ...stored, pinUntil: later } });
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

for (const [name, width] of [
  ["Account of", 1366],
  ["Account, language and theme", 390],
] as const) {
  test(`at ${width} px an open PIN dialog closes on sign-out and does not return for the next manager [UI-503]`, async ({
    open,
    dinner,
  }) => {
    const page = await open("/");
    await page.setViewportSize({ width, height: 780 });
    const { token, user } = dinner.operator;
    await page.getByRole("button", { name }).click();
    await page.getByRole("menuitem", { name: /^PIN for signing in/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await sayInOtherTab(page, { kind: "out" });
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await sayInOtherTab(page, { kind: "in", session: { token, user } });
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("menuitem", { name: /^PIN for signing in/ })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("a replay dialog counts all failures of its receiver and closes for good when none is left [UI-503] [OP-48]", async ({
  open,
  page,
}) => {
  const at = new Date().toISOString();
  const one = {
    webhookId: "ws_1",
    url: "https://a.example/",
    reason: "http_error",
    oldestAt: at,
  } as const;
  const some: DeadLetters["groups"] = [
    { ...one, status: 502, count: 3 },
    { ...one, status: 404, count: 7 },
  ];
  let groups = some;
  await page.route("**/operator/v1/deliveries/dead", (route) => route.fulfill({ json: { groups } }));
  await open("/integrations/deliveries");
  await page.getByRole("button", { name: "Replay: https://a.example/" }).first().click();
  await expect(page.getByRole("dialog").getByText("10 undelivered notifications are queued again.")).toBeVisible();

  const change = async (next: typeof some) => {
    groups = next;
    await readAgain(page);
  };
  await change([]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await change(some);
  await expect(page.getByRole("button", { name: "Replay: https://a.example/" }).first()).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an open dialog shows current values, that they changed, and when its action is no longer possible [UI-505]", async ({
  open,
  dinner: { restaurant, operator },
}) => {
  const page = await open("/terminals");
  const dialog = page.getByRole("dialog");
  const forget = dialog.getByRole("button", { name: "Forget" });
  await page.getByRole("button", { name: "Actions for tablet-7" }).click();
  await page.getByRole("menuitem", { name: "Forget" }).click();
  await expect(dialog).toContainText("1,450");
  await expect(dialog.getByRole("alert")).toHaveCount(0);

  await reportUnsent(restaurant, { pending: 5, payments: 2, amount: 3300 });
  await expect(dialog).toContainText("3,300");
  await expect(dialog.getByRole("alert")).toContainText("This has changed while it was open");
  await expect(forget).toBeEnabled();

  await operator.delete("/operator/v1/terminals/tablet-7");
  await expect(dialog.getByRole("alert")).toContainText("This can no longer be done");
  await expect(forget).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
});

test("an API key that was disabled elsewhere cannot be disabled again from an open dialog [UI-505]", async ({
  open,
  dinner: { operator },
}) => {
  await operator.createKey("Otra página");
  const { keys } = await operator.get<{ keys: ApiKey[] }>("/operator/v1/keys");
  const keyId = keys.find(({ label }) => label === "Otra página")?.keyId;
  const page = await open("/integrations/keys");
  await page.getByRole("button", { name: "Disable Otra página" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Disable" })).toBeEnabled();
  await operator.post(`/operator/v1/keys/${keyId}/disable`);
  await expect(dialog.getByRole("alert")).toContainText("This can no longer be done");
  await expect(dialog.getByRole("button", { name: "Disable" })).toBeDisabled();
});

for (const [name, address, path] of [
  ["Not printed, or maybe not", "/kitchen", "**/operator/v1/print-jobs?*"],
  ["What is missing since the backup", "/system/backups", "**/operator/v1/losses?*"],
  ["Proposals of headquarters", "/system/settings", "**/operator/v1/chain/proposals"],
  ["Undelivered, by reason", "/integrations/deliveries", "**/operator/v1/deliveries/dead"],
] as const) {
  test(`the panel "${name}" says that it cannot be read and recovers on "Try again" [UI-506]`, async ({
    open,
    page,
  }) => {
    let isBroken = true;
    await page.route(path, (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { error: "disk I/O error", errorCode: "INTERNAL_ERROR" } })
        : route.fallback(),
    );
    await open(address);
    const panel = page.getByRole("region", { name, exact: true });
    await expect(panel.getByRole("alert")).toContainText("HUB-INTERNAL_ERROR");
    isBroken = false;
    const again = panel.getByRole("button", { name: "Try again" });
    // An event at the restaurant may make the page reload the panel before the click.
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 2_000 });
      await expect(panel.getByRole("alert")).toHaveCount(0, { timeout: 3_000 });
    }).toPass();
  });
}

test("a receiver's answer to a sample disappears when another event or subscription is chosen [UI-507]", async ({
  open,
}) => {
  const page = await open("/integrations/tools");
  const panel = page.getByRole("region", { name: "Try a receiver" });
  const answer = panel.getByRole("status");
  await panel.getByRole("button", { name: "Send the sample" }).click();
  await expect(answer).toBeVisible();
  await panel.getByRole("combobox", { name: "Event" }).click();
  await page.getByRole("option", { name: "(order.paid)" }).click();
  await expect(answer).toHaveCount(0);
  await panel.getByRole("button", { name: "Send the sample" }).click();
  await expect(answer).toBeVisible();
  await panel.getByRole("combobox", { name: "Subscription" }).click();
  await page.getByRole("option", { selected: false }).first().click();
  await expect(answer).toHaveCount(0);
});
