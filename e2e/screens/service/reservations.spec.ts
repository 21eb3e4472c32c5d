import { DAY_MS } from "@comanda/protocol";
import { dateAnswers } from "../support/date-answers.ts";
import { book, tables, type Dinner } from "../support/dinner.ts";
import { expect, test } from "../support/screen-test.ts";

// The dinner may have begun on the previous day.
test.beforeEach(({ dinner }) => book(dinner.restaurant, dinner.apiKey));

test("the reservations screen lists the day's bookings with their phase [UI-20]", async ({ open }) => {
  const page = await open("/reservations");
  const row = page.getByRole("row", { name: /Familia Peralta/ });
  await expect(row).toContainText("Mesa 6");
  await expect(row).toContainText(/Not shown yet|Upcoming|Due|Late/);
  await expect(row).toContainText("cumpleaños");
});

test("the reservations screen lists bookings that terminals drop, with the reason [UI-20]", async ({ open }) => {
  const page = await open("/reservations");
  await expect(page.getByRole("heading", { name: "Bookings that terminals do not show" })).toBeVisible();
  await expect(page.getByRole("row", { name: /reserva-4/ })).toContainText("at");
});

test("the reservations screen opens another day and returns to today", async ({ open }) => {
  const page = await open("/reservations");
  await expect(page.getByRole("row", { name: /Familia Peralta/ })).toBeVisible();
  await page.getByRole("button", { name: "Next day" }).click();
  await expect(page.getByText("No bookings on this day")).toBeVisible();
  await page.getByRole("button", { name: "Today" }).click();
  await expect(page.getByRole("row", { name: /Familia Peralta/ })).toBeVisible();
});

test("a reservations screen that is open over midnight moves on to the new day [UI-20]", async ({ open, page }) => {
  await page.clock.install();
  await dateAnswers(page, () => null);
  await open("/reservations");
  await expect(page.getByRole("row", { name: /Familia Peralta/ })).toBeVisible();
  const day = page.getByLabel("Day", { exact: true });
  const before = await day.inputValue();
  await page.clock.fastForward("24:00:00");
  await expect(day).toHaveValue(new Date(Date.parse(before) + DAY_MS).toISOString().slice(0, 10));
  await expect(page.getByText("No bookings on this day")).toBeVisible();
});

test("the hour labels of a long day do not overlap [UI-547]", async ({ open, dinner }) => {
  const inTwoDays = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);
  await bookAt(dinner, "primera", `${inTwoDays}T00:45:00Z`);
  await bookAt(dinner, "ultima", `${inTwoDays}T23:50:00Z`);
  const page = await open("/reservations");
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByLabel("Day", { exact: true }).fill(inTwoDays);
  await expect(page.getByRole("row", { name: /ultima/ })).toBeVisible();
  const hours = await page.locator(".day-hours span").evaluateAll((all) =>
    all.map((each) => {
      const { left, right } = each.getBoundingClientRect();
      return { left, right };
    }),
  );
  expect(hours.length).toBeGreaterThan(24);
  const covered = hours.filter(({ left }, index) => index > 0 && left < (hours[index - 1]?.right ?? 0));
  expect(covered).toEqual([]);
});

test("overlapping bookings of a table are drawn below each other, and cancelled ones not at all [UI-589]", async ({
  open,
  dinner,
}) => {
  const inThreeDays = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
  await bookAt(dinner, "primera", `${inThreeDays}T19:00:00Z`);
  await bookAt(dinner, "segunda", `${inThreeDays}T19:30:00Z`);
  await bookAt(dinner, "tercera", `${inThreeDays}T21:30:00Z`);
  await bookAt(dinner, "cancelada", `${inThreeDays}T20:00:00Z`, "cancelled");
  const page = await open("/reservations");
  await page.getByLabel("Day", { exact: true }).fill(inThreeDays);
  await expect(page.getByRole("row", { name: /cancelada/ })).toContainText("Cancelled");
  const bars = await page.locator(".day-bar").evaluateAll((all) =>
    all.map((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return { name: each.textContent, left, right, top, bottom };
    }),
  );
  expect(bars.map(({ name }) => /[a-z]{7,}/.exec(name)?.[0])).toEqual(["primera", "tercera", "segunda"]);
  const covered = bars.filter((bar, index) =>
    bars
      .slice(0, index)
      .some(
        (other) => bar.left < other.right && bar.right > other.left && bar.top < other.bottom && bar.bottom > other.top,
      ),
  );
  expect(covered).toEqual([]);
});

test("a day with only cancelled bookings is listed without an empty plan [UI-589]", async ({ open, dinner }) => {
  const inFiveDays = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
  await bookAt(dinner, "cancelada", `${inFiveDays}T20:00:00Z`, "cancelled");
  const page = await open("/reservations");
  const plan = page.getByRole("region", { name: "The day by table" });
  await expect(plan).toBeVisible();
  await page.getByLabel("Day", { exact: true }).fill(inFiveDays);
  await expect(page.getByRole("row", { name: /cancelada/ })).toContainText("Cancelled");
  await expect(plan).toHaveCount(0);
});

test("the plan of the day starts at the current hour on a phone [UI-594]", async ({ open, page, dinner }) => {
  const inFourDays = new Date(Date.now() + 4 * DAY_MS).toISOString().slice(0, 10);
  await bookAt(dinner, "almuerzo", `${inFourDays}T09:00:00Z`);
  await bookAt(dinner, "cena", `${inFourDays}T21:30:00Z`);
  await dateAnswers(page, () => Date.parse(`${inFourDays}T20:00:00Z`));
  await page.setViewportSize({ width: 390, height: 844 });
  await open("/reservations");
  await expect(page.getByRole("row", { name: /cena/ })).toBeVisible();
  await page.locator(".day").scrollIntoViewIfNeeded();
  await expect(page.locator(".day-now").first()).toBeInViewport();
});

test.describe("another time zone", () => {
  test.use({ timezoneId: "Pacific/Kiritimati" });

  test("a reservations screen in another time zone names the restaurant's day [UI-227]", async ({ open, page }) => {
    await open("/reservations");
    const plan = page.getByRole("region", { name: "The day by table" });
    await expect(plan).toBeVisible();
    const day = await page.getByLabel("Day", { exact: true }).inputValue();
    const named = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" }).format(Date.parse(day));
    await expect(plan).toContainText(named);
  });
});

async function bookAt({ restaurant, apiKey }: Dinner, guestName: string, at: string, status = "booked"): Promise<void> {
  const payload = { tableId: tables.mesa1, at, guestName, status };
  const answer = await fetch(`${restaurant.hubUrl}/external/v1/plugins/reservations/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Api-Key": apiKey },
    body: JSON.stringify({ key: `${at} ${guestName}`.replaceAll(/[^\w-]/g, "-"), payload }),
  });
  expect(answer.ok).toBe(true);
}
