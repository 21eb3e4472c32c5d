import { expect, test } from "../support/screen-test.ts";

test("the language changes at once and survives a reload [UI-6] [UI-7]", async ({ open }) => {
  const page = await open("/orders/POS%2F2026%2F00002");
  await expect(page.getByText("RD$2,304.00").first()).toBeVisible();
  await page.getByText("ES", { exact: true }).click();
  await expect(page.getByText("RD$2,304.00").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Cuentas" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("link", { name: "Cuentas" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
});

test("the theme changes and survives a reload [UI-8]", async ({ open }) => {
  const page = await open("/");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("a partly filled form survives a reload [UI-25]", async ({ open }) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await page.getByRole("textbox", { name: "Address (http or https)" }).fill("https://pedidos.example.do/hooks");
  await page.reload();
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await expect(page.getByRole("textbox", { name: "Address (http or https)" })).toHaveValue(
    "https://pedidos.example.do/hooks",
  );
});

test("unsaved changes to the stations survive a reload until they are discarded [UI-25]", async ({ open }) => {
  const page = await open("/kitchen/stations");
  const names = page.getByRole("group").getByRole("textbox", { name: "Name" });
  const before = await names.first().inputValue();
  await names.first().fill("Parrilla");
  await page.reload();
  await expect(names.first()).toHaveValue("Parrilla");
  await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
  await page.getByRole("button", { name: "Discard my changes" }).click();
  await expect(names.first()).toHaveValue(before);
  await page.reload();
  await expect(names.first()).toHaveValue(before);
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
});

test("the keyboard reaches the content and the other screens [UI-10]", async ({ open }) => {
  const page = await open("/orders");
  await expect(page.getByRole("link", { name: "POS/2026/00001" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("link", { name: "Kitchen" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Kitchen" })).toBeVisible();
});
