import { book } from "../support/dinner.ts";
import { expect, test } from "../support/screen-test.ts";

// The dinner may have begun on the day before.
test.beforeEach(({ dinner }) => book(dinner.restaurant, dinner.apiKey));

test("[UI-20] shows the day's bookings with their phase", async ({ open }) => {
  const page = await open("/reservations");
  const row = page.getByRole("row", { name: /Familia Peralta/ });
  await expect(row).toContainText("Mesa 6");
  await expect(row).toContainText(/Not shown yet|Upcoming|Due|Late/);
  await expect(row).toContainText("cumpleaños");
});

test("[UI-20] shows bookings that terminals drop, with the reason", async ({ open }) => {
  const page = await open("/reservations");
  await expect(page.getByRole("heading", { name: "Bookings that terminals do not show" })).toBeVisible();
  await expect(page.getByRole("row", { name: /reserva-4/ })).toContainText("at");
});

test("goes to another day and back", async ({ open }) => {
  const page = await open("/reservations");
  await expect(page.getByRole("row", { name: /Familia Peralta/ })).toBeVisible();
  await page.getByRole("button", { name: "Next day" }).click();
  await expect(page.getByText("No bookings on this day")).toBeVisible();
  await page.getByRole("button", { name: "Today" }).click();
  await expect(page.getByRole("row", { name: /Familia Peralta/ })).toBeVisible();
});
