import { expect, seriousIssues, test } from "./screen-test.ts";

test("[UI-10] [UI-18] a new key's token is shown once, works, and is gone after a reload", async ({ open, dinner }) => {
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

test("[UI-11] deleting a key says what it does and asks for its name", async ({ open, dinner }) => {
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

test("[UI-18] [UI-19] a webhook is created and tested, and its signature checked in the page", async ({
  open,
  dinner,
}) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Create a subscription" }).click();
  const url = `${dinner.receiver.url}/good?mine`;
  // What follows the question mark may be a token: it is not shown.
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
  const received = dinner.receiver.taken.findLast(({ body }) => body.includes("webhook.test"));

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

test("every delivery is listed with its answer, and can be sent again", async ({ open }) => {
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

test("webhooks are paused and resumed", async ({ open }) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Pause all" }).click();
  await expect(page.getByText("Paused: everything is queued and sent when resumed.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause all" })).toBeVisible();
});
