import { expect, test } from "../support/screen-test.ts";

test.use({ refusalsExpected: true });

test("a screen requires a manager's sign-in and then opens [UI-4] [UI-235]", async ({ openPublic }) => {
  const page = await openPublic("/kitchen");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Wrong user or password.")).toBeVisible();
  await page.getByLabel("User").fill("waiter");
  await page.getByRole("textbox", { name: "Password" }).fill("waiter");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("This account exists, but it is not a manager's.")).toBeVisible();
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("manager");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Kitchen" })).toBeVisible();
  await expect(page.getByRole("main", { name: "Kitchen" })).toBeFocused();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Kitchen" })).toBeVisible();
});

test("an ended session asks for a new sign-in and keeps what was typed [UI-5]", async ({ openPublic, dinner }) => {
  const page = await openPublic("/orders");
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("manager");
  await page.getByRole("button", { name: "Sign in" }).click();
  const search = page.getByRole("searchbox", { name: /^Search by reference/ });
  await search.fill("00002");
  const stored = await page.evaluate(() => sessionStorage.getItem("comanda-session"));
  const { token } = JSON.parse(stored ?? "null") as { token: string };
  await fetch(`${dinner.restaurant.hubUrl}/operator/v1/sign-out`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
  });
  // The page learns this at once from the stream.
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("textbox", { name: "Password" }).fill("manager");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
  await expect(search).toHaveValue("00002");
});

test("a new sign-in opens above an open dialog, which keeps what was typed [UI-5]", async ({ openPublic, dinner }) => {
  const page = await openPublic("/integrations/keys");
  await page.getByLabel("User").fill("manager");
  await page.getByRole("textbox", { name: "Password" }).fill("manager");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox").first().fill("Página de pedidos");
  const stored = await page.evaluate(() => sessionStorage.getItem("comanda-session"));
  const { token } = JSON.parse(stored ?? "null") as { token: string };
  await fetch(`${dinner.restaurant.hubUrl}/operator/v1/sign-out`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
  });
  const signIn = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(signIn).toBeVisible();
  await expect(signIn.getByLabel("User")).toBeFocused();
  await page.keyboard.press("Escape");
  await signIn.getByRole("textbox", { name: "Password" }).fill("manager");
  await signIn.getByRole("button", { name: "Sign in" }).click({ timeout: 10_000 });
  await expect(signIn).toBeHidden();
  await expect(form.getByRole("textbox").first()).toHaveValue("Página de pedidos");
});

test("signing out removes personal data from the page", async ({ open }) => {
  const page = await open("/orders");
  await expect(page.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();
  await page.getByRole("button", { name: "Account of Marisol Peña" }).click();
  // Mocked, because the dinner's own token must stay valid: only this window signs out.
  await page.route("**/operator/v1/sign-out", (route) => route.fulfill({ json: { signedOut: true } }));
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("POS/2026/00001")).toHaveCount(0);
});

test("signing out removes what only a manager sees, even while the hub is unreachable [UI-434]", async ({ open }) => {
  const page = await open("/");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: /RD\$/ }).first()).toBeVisible();
  await expect(main.getByRole("link", { name: /^POS\// }).first()).toBeVisible();
  await page.route("**/operator/**", (route) => route.abort());
  await page.getByRole("button", { name: "Account of Marisol Peña" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Mesa 1,/ })).toBeVisible();
  await expect(page.getByText("RD$")).toHaveCount(0);
  await expect(main.getByRole("link", { name: /^POS\// })).toHaveCount(0);
});

test("an answer that arrives after the sign-out does not restore the session [UI-434]", async ({
  open,
  page,
  dinner,
}) => {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route("**/operator/v1/me", async (route) => {
    const response = await route.fetch();
    requested.resolve();
    await released.promise;
    // Answers as if the back-office had renewed the session's token.
    const me = (await response.json()) as object;
    await route.fulfill({ response, json: { ...me, token: dinner.operator.token } });
  });
  await page.route("**/operator/v1/sign-out", (route) => route.fulfill({ json: { signedOut: true } }));
  await open("/orders");
  await requested.promise;
  await page.getByRole("button", { name: "Account of Marisol Peña" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const answered = page.waitForResponse("**/operator/v1/me");
  released.resolve();
  await (await answered).finished();
  // The page has processed the answer before the one to this later request.
  await page.evaluate(() => fetch("/health").then((response) => response.text()));
  expect(await page.evaluate(() => sessionStorage.getItem("comanda-session"))).toBeNull();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
