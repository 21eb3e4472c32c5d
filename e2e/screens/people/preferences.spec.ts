import { expect, test } from "../support/screen-test.ts";

test("[UI-6] [UI-7] the language changes at once, with money and times, and is remembered", async ({ open }) => {
  const page = await open("/orders/POS%2F2026%2F00002");
  await expect(page.getByText("RD$2,304.00").first()).toBeVisible();
  await page.getByText("ES", { exact: true }).click();
  await expect(page.getByText("RD$2,304.00").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Cuentas" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("link", { name: "Cuentas" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
});

test("[UI-8] the theme changes and is remembered", async ({ open }) => {
  const page = await open("/");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("[UI-25] a form that was being filled in survives a reload", async ({ open }) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await page.getByRole("textbox", { name: "Address (http or https)" }).fill("https://pedidos.example.do/hooks");
  await page.reload();
  await page.getByRole("button", { name: "Create a subscription" }).click();
  await expect(page.getByRole("textbox", { name: "Address (http or https)" })).toHaveValue(
    "https://pedidos.example.do/hooks",
  );
});

test("[UI-25] stations that are being changed are still there after a reload, until they are taken back", async ({
  open,
}) => {
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

test("[UI-10] the keyboard reaches the content and the screens", async ({ open }) => {
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
