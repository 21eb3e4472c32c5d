import { expect, test } from "./screen-test.ts";

test("[UI-17] shows the connection, the account and the queue", async ({ open, dinner }) => {
  const page = await open("/back-office");
  await expect(page.getByText("Responding", { exact: true })).toBeVisible();
  await expect(page.getByText(dinner.restaurant.backOfficeUrl)).toBeVisible();
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("Result: Responding.")).toBeVisible();
});

test("[UI-2] [UI-17] a payment that could not be applied is on top until a manager settles it", async ({ open }) => {
  const page = await open("/");
  const sentence = page.getByRole("region", { name: "Overall state" });
  await expect(sentence).toContainText("A payment was taken but could not be applied to its check.");
  await expect(sentence).toContainText("A manager must say how it was recorded.");
  await sentence.getByRole("link", { name: "View and resolve" }).click();
  await page.getByRole("button", { name: "Settle the payment of POS/2026/00010" }).click();
  const dialog = page.getByRole("dialog", { name: "Settle the payment of DOP 1,600.00" });
  const settle = dialog.getByRole("button", { name: "Settle" });
  await expect(settle).toBeDisabled();
  await dialog.getByLabel(/^How it was recorded/).fill("devuelto al cliente");
  await settle.click();
  await expect(page.getByText("No pending payments")).toBeVisible();
  await page.getByText("Settled (1)").click();
  await expect(page.getByText(/devuelto al cliente/)).toBeVisible();
  await expect(sentence).not.toContainText("A payment was taken");
});

test("[UI-17] shows what the back-office rejected with its own message, and every attempt", async ({ open }) => {
  const page = await open("/back-office/attention");
  const row = page.getByRole("row", { name: /POS\/2026\/00008/ });
  await expect(row).toContainText("El producto 112 no tiene cuenta contable");
  await expect(row).toContainText("Lo revisa contabilidad mañana");
  await row.getByRole("button", { name: /Show the attempts/ }).click();
  const dialog = page.getByRole("dialog", { name: "Attempts at POS/2026/00008" });
  await expect(dialog.getByText("rejected").first()).toBeVisible();
});

test("[UI-17] says whether the shift can be closed, and what stands in the way", async ({ open }) => {
  const page = await open("/back-office/closing");
  await expect(page.getByText("Not yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Mesa 2" })).toBeVisible();
  await expect(page.getByRole("link", { name: "tablet-7" })).toBeVisible();
  await expect(page.getByText("Collected by this register")).toBeVisible();
});
