import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

const widths = [390, 1366] as const;

/** Returns whether the page fits the width without scrolling sideways. */
function isAsWideAs(page: Page, width: number): Promise<boolean> {
  return page.evaluate((limit) => document.documentElement.scrollWidth <= limit, width);
}

test("a new API key's token is shown once, works, and is gone after a reload [UI-10] [UI-18]", async ({
  open,
  dinner,
}) => {
  const page = await open("/integrations");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Tablero");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Your key, shown only once" });
  expect(await seriousIssues(page)).toEqual([]);
  const token = await dialog.getByText(/^hub_/).innerText();
  const answer = await fetch(`${dinner.restaurant.hubUrl}/external/v1/session`, { headers: { "X-Api-Key": token } });
  expect(answer.status).toBe(200);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "I saved it" }).click();
  await page.reload();
  await expect(page.getByRole("row", { name: /Tablero/ })).toBeVisible();
  expect(await page.content()).not.toContain(token);
});

test("deleting an API key explains the effect and requires its name [UI-11]", async ({ open, dinner }) => {
  await dinner.operator.createKey("Para borrar");
  const page = await open("/integrations");
  await page.getByRole("button", { name: "Delete Para borrar" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Para borrar”" });
  await expect(dialog.getByText(/cannot be recovered/)).toBeVisible();
  const remove = dialog.getByRole("button", { name: "Delete" });
  await expect(remove).toBeDisabled();
  await dialog.getByLabel("Type Para borrar to confirm").fill("Para borrar");
  await remove.click();
  await expect(page.getByRole("row", { name: /Para borrar/ })).toHaveCount(0);
});

test("a webhook is created and tested, and its signature is verified within the page [UI-18] [UI-19]", async ({
  open,
  dinner,
}) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Create a subscription" }).click();
  const url = `${dinner.receiver.url}/good?mine`;
  // The query may contain a token, so it is hidden.
  const shown = `${dinner.receiver.url}/good?***`;
  await page.getByRole("textbox", { name: "Address (http or https)" }).fill(url);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "The secret, shown only once" });
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await dialog.getByRole("button", { name: "I saved it" }).click();

  await page.getByRole("button", { name: `Test ${shown}` }).click();
  const answer = page.getByRole("article", { name: shown }).getByRole("status");
  await expect(answer).toContainText("Answered 200 in");
  await expect(answer).toContainText("thank you");
  const received = dinner.receiver.received.findLast(({ body }) => body.includes("webhook.test"));

  await page.getByRole("tab", { name: "Tools" }).click();
  await page.getByLabel("Header X-Hub-Signature").fill(received?.signature ?? "");
  await page.getByLabel("Body, byte for byte").fill(received?.body ?? "");
  await page.getByRole("textbox", { name: "Secret" }).fill(secret);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url() + (request.postData() ?? "")));
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("The signature is valid.")).toBeVisible();
  await page.getByLabel("Body, byte for byte").fill(`${received?.body} `);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("The signature does not match this body and secret.")).toBeVisible();
  expect(sent.filter((request) => request.includes(secret) || request.includes("webhook.test"))).toEqual([]);
});

test("a webhook delivery shows the receiver's answer and can be sent again", async ({ open }) => {
  const page = await open("/integrations/deliveries");
  await page.getByRole("combobox", { name: "Subscription" }).click();
  await page.getByRole("option", { name: /broken/ }).click();
  await page
    .getByRole("button", { name: /^Show delivery/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: /^Delivery \d+$/ });
  await expect(dialog.getByText("the kitchen display is switched off").first()).toBeVisible();
  await expect(dialog.getByText(/X-Hub-Signature: t=/i).first()).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("button", { name: /^Replay delivery/ }).click();
  await expect(page.getByText(/is queued again\.$/)).toBeVisible();
});

test("the dialog that disables a webhook says what it will never receive [UI-619]", async ({ open, dinner }) => {
  const url = `${dinner.receiver.url}/idle`;
  await dinner.operator.createWebhook(url);
  const page = await open("/integrations/webhooks");
  const webhook = page.getByRole("article", { name: url });
  await webhook.getByRole("button", { name: `Disable ${url}` }).click();
  const dialog = page.getByRole("dialog", { name: "Disable the subscription" });
  await expect(dialog).toContainText("What happens meanwhile is never sent to it");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(webhook.getByText("Disabled", { exact: true })).toBeVisible();
  await webhook.getByRole("button", { name: `Enable ${url}` }).click();
  await expect(webhook.getByText("Disabled", { exact: true })).toHaveCount(0);
});

test("webhooks are paused and resumed", async ({ open }) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Pause all" }).click();
  await expect(page.getByText("Paused: everything is queued and sent when resumed.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause all" })).toBeVisible();
});

for (const width of widths) {
  test(`at ${width} px a new API key comes with a command that creates a first order [UI-285]`, async ({
    open,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await open("/integrations");
    await page.getByRole("button", { name: "Create a key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill(`Kiosko ${width}`);
    await expect(form.getByRole("checkbox", { name: "Take orders" })).toBeChecked();
    await form.getByRole("checkbox", { name: "Receive webhooks" }).check();
    await expect(form.getByRole("status")).toHaveText(
      "Permissions: Read session, tables, floor plan and checks, Open checks and change open ones, and Manage webhooks.",
    );
    expect(await seriousIssues(page)).toEqual([]);
    await form.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Your key, shown only once" });
    await expect(dialog.getByText(/^It opens a real check: .+ on .+\./)).toBeVisible();
    expect(await seriousIssues(page)).toEqual([]);
    expect(await isAsWideAs(page, width)).toBe(true);
    const command = await dialog.getByText(/^curl -sS ".*\/external\/v1\/orders"/).innerText();
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, snapshot: { status: "open" } });
    await dialog.getByRole("button", { name: "I saved it" }).click();
    await expect(page.getByRole("row", { name: new RegExp(`Kiosko ${width}`) })).toContainText("Manage webhooks");
  });

  test(`at ${width} px a sample event is sent, shown as a command, and verified in four languages [UI-286]`, async ({
    open,
    page,
    dinner,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await open("/integrations/tools");
    const panel = page.getByRole("region", { name: "Try a receiver" });
    await panel.getByRole("combobox", { name: "Subscription" }).click();
    await page
      .getByRole("option", { name: /\/good/ })
      .first()
      .click();
    await panel.getByRole("combobox", { name: "Event" }).click();
    await page.getByRole("option", { name: "Check paid (order.paid)" }).click();
    await panel.getByRole("button", { name: "Send the sample" }).click();
    await expect(panel.getByRole("status")).toContainText("Answered 200 in");
    const sent = dinner.receiver.received.findLast(({ body }) => body.includes('"test":true'));
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ event: "order.paid", id: "test", test: true });
    // The command sends the same bytes again.
    const command = await panel.getByText(/^curl -sS "\$RECEIVER_URL"/).innerText();
    const before = dinner.receiver.received.length;
    await promisify(execFile)("bash", ["-c", command], {
      env: { PATH: process.env["PATH"], RECEIVER_URL: `${dinner.receiver.url}/good` },
    });
    // The hub may have sent something of its own meanwhile.
    expect(dinner.receiver.received.slice(before)).toContainEqual(sent);

    const verifiers = page.getByRole("region", { name: "Check the signature in your code" });
    for (const [language, text] of [
      ["Shell", "openssl dgst -sha256"],
      ["JavaScript", "timingSafeEqual"],
      ["Python", "hmac.compare_digest"],
      ["Java", "MessageDigest.isEqual"],
    ] as const) {
      await verifiers.getByText(language, { exact: true }).click();
      await expect(verifiers.getByText(text)).toBeVisible();
    }
    expect(await seriousIssues(page)).toEqual([]);
    expect(await isAsWideAs(page, width)).toBe(true);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`at ${width} px in the ${colorScheme} theme the API documentation loads nothing from elsewhere [UI-287]`, async ({
      open,
      page,
      dinner,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await open("/integrations/tools");
      const links = page.getByRole("region", { name: "Documentation" }).getByRole("link");
      await expect(links).toHaveCount(6);
      const addresses = await links.evaluateAll((list) => list.map((link) => (link as HTMLAnchorElement).pathname));
      expect(addresses).toEqual([
        "/external/docs",
        "/external/openapi.json",
        "/terminal/v1/docs",
        "/terminal/v1/openapi.json",
        "/terminal/v1/messages",
        "/terminal/v1/asyncapi.yaml",
      ]);
      const strangers: string[] = [];
      page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== dinner.restaurant.hubUrl) strangers.push(request.url());
      });
      for (const [address, title] of [
        ["/external/docs", "Comanda Hub integration API"],
        ["/terminal/v1/docs", "Comanda Hub terminal API"],
        ["/terminal/v1/messages", "Comanda Hub terminal protocol"],
      ] as const) {
        await page.goto(address);
        await expect(page.getByRole("heading", { name: title })).toBeVisible();
        await expect(page.locator("body")).toHaveClass(new RegExp(`${colorScheme}-mode`));
        expect(await isAsWideAs(page, width)).toBe(true);
      }
      // The example of an order is a command for this hub.
      await page.goto("/external/docs#integration/tag/orders/POST/external/v1/orders");
      const command = page.locator("code.language-curl").filter({ hasText: '"externalRef": "web-1001"' });
      await expect(command).toContainText(`curl ${dinner.restaurant.hubUrl}/external/v1/orders`);
      expect(strangers).toEqual([]);
    });
  }
}

test.describe("late or lost answers", () => {
  test.use({ refusalsExpected: true });

  test("a late answer to a closed dialog leaves the next one open, and a failure says so [UI-433]", async ({
    open,
    page,
  }) => {
    const waiting: ((answer: "continue" | "abort") => void)[] = [];
    await page.route("**/external-keys", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const answer = await new Promise<"continue" | "abort">((resolve) => waiting.push(resolve));
      await route[answer]();
    });
    await open("/integrations");
    const form = page.getByRole("dialog", { name: "Create a key" });
    const name = form.getByRole("textbox", { name: "Name" });
    const begin = async (label: string) => {
      await page.getByRole("button", { name: "Create a key" }).click();
      await name.fill(label);
      await form.getByRole("button", { name: "Create" }).click();
      await expect.poll(() => waiting.length).toBe(1);
      await form.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Create a key" }).click();
      await name.fill("Otra");
      return waiting.pop();
    };
    (await begin("Primera"))?.("continue");
    await page.getByRole("button", { name: "I saved it" }).click();
    await expect(name).toHaveValue("Otra");
    await form.getByRole("button", { name: "Cancel" }).click();

    (await begin("Segunda"))?.("abort");
    await expect(page.getByText("(HUB-NO_CONNECTION)")).toBeVisible();
    await expect(name).toHaveValue("Otra");
  });
});
