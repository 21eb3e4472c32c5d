import type { NoShift, TipsOfDay } from "@comanda/protocol";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { overflowOf, layoutSettled } from "../support/layout.ts";
import { loseAnswer } from "../support/lose-answer.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "tills" });

const sizes = [
  { width: 1366, height: 768 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

test("the list of money without a shift names the tip apart from the payment [UI-537]", async ({ open, dinner }) => {
  const { cashier } = dinner;
  await online(cashier);
  cashier.openOrder(newOrder("POS/2026/00537", [line("l1", "sancocho")]));
  await cashier.idle();
  cashier.pay("POS/2026/00537", { payments: [{ methodId: 1, amount: 665.6, tip: 50 }] });
  await cashier.idle();
  const page = await open("/tills/none");
  const row = page.getByRole("row", { name: "POS/2026/00537" });
  await expect(row).toContainText("RD$715.60 (RD$50.00 of it a tip)");
});

test("without any shift, money without a shift says that there is none to assign it to [UI-518]", async ({ open }) => {
  const page = await open("/tills/none");
  await expect(page.getByText("No shift to assign it to yet").first()).toBeVisible();
  await expect(page.getByRole("main").getByRole("combobox")).toHaveCount(0);
});

test.describe("lost answer", () => {
  test.use({ refusalsExpected: true });

  test("a till is added once, even if the answer to the first attempt is lost [UI-456]", async ({ open, dinner }) => {
    const page = await open("/tills/tills");
    await page.getByRole("button", { name: "Add a till" }).click();
    await page.getByLabel("Name").fill("Patio");
    await loseAnswer(page, "POST", "**/operator/v1/tills");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "HUB-NO_CONNECTION" })).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
    const { tills } = await dinner.operator.get<{ tills: { id: string; name: string }[] }>("/operator/v1/tills");
    expect(tills.map(({ name }) => name)).toEqual(["Patio"]);
    // The next test expects no till.
    await dinner.operator.delete(`/operator/v1/tills/${tills[0]?.id}`);
  });
});

test("the reference of a check is never broken over two lines of a table [UI-521]", async ({ open }) => {
  const page = await open("/tills/none");
  const references = page.getByRole("cell").getByRole("link", { name: /^POS\// });
  await expect(references.first()).toBeVisible();
  for (const width of [1000, 1100, 1200]) {
    await page.setViewportSize({ width, height: 768 });
    await layoutSettled(page);
    const broken = await references.evaluateAll(
      (links) =>
        links.filter((link) => {
          const range = document.createRange();
          range.selectNodeContents(link);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
        }).length,
    );
    expect(broken, `at ${width} px`).toBe(0);
  }
  expect(await overflowOf(page)).toEqual([]);
});

test("a manager adds a till and sees its shift, its report and the money without a shift [TILL-50] [UI-592]", async ({
  open,
  dinner,
}) => {
  const page = await open("/tills/tills");
  const noShift = page.getByRole("tab", { name: "No shift" });
  await expect(page.getByText("No tills yet")).toBeVisible();
  await expect(noShift).not.toHaveText(/\d/);
  await page.getByRole("button", { name: "Add a till" }).click();
  await page.getByLabel("Name").fill("Barra");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("cell", { name: "Barra", exact: true })).toBeVisible();
  await expect(noShift).toHaveText(/\d/);
  const { tills } = await dinner.operator.get<{ tills: { id: string }[] }>("/operator/v1/tills");
  const tillId = tills[0]?.id ?? "";

  const { cashier } = dinner;
  await online(cashier);
  await expect.poll(() => cashier.tills()).toHaveLength(1);
  const { shiftId } = cashier.openShift(tillId, 1_000);
  cashier.moveCash({ shiftId, kind: "drop", amount: 300, reason: "Caja fuerte" });
  cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 690 }] });
  await cashier.idle();

  await page.getByRole("tab", { name: "Shifts" }).click();
  await page.getByRole("button", { name: /^Show the shift of/ }).click();
  await expect(page.getByRole("heading", { name: "Close of Barra (Z)" })).toBeVisible();
  const methods = page.getByRole("region", { name: "Money by method" });
  await expect(methods).toContainText("RD$690.00");
  await expect(methods).toContainText("-RD$10.00");
  // Signed as on paper, so that float and moves add up to the expected amount.
  await expect(page.getByRole("region", { name: "Moves" }).getByRole("row", { name: /Caja fuerte/ })).toContainText(
    "-RD$300.00",
  );
  await expect(page.getByRole("region", { name: "Counts" })).toContainText("Efectivo RD$690.00");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Barra-.*\.csv$/);
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await page.getByRole("button", { name: "Back to the shifts" }).click();
  await noShift.click();
  await expect(page.getByRole("region", { name: "Money of no shift" }).locator("tbody tr").first()).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("tab", { name: "Tips" }).click();
  // The tips' total, and the shares into which the restaurant divides it.
  const { legal, voluntary, shares } = await dinner.operator.get<TipsOfDay>("/operator/v1/tips");
  const amounts = [legal + voluntary, ...shares.map(({ amount }) => amount)];
  const money = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const tips = page.getByRole("region", { name: "Tips of the day" });
  await expect(tips.locator("dd")).toHaveText(amounts.map((amount) => `RD$${money.format(amount)}`));
  await expect(tips.locator("dt").first()).toHaveText("Total");
});

test("money without a shift is assigned after a dialog has said what the assignment does [UI-545]", async ({
  open,
  dinner,
}) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  await operator.post("/operator/v1/tills", { id: "fondo", name: "Fondo", terminals: [] });
  await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain("fondo");
  const { shiftId } = cashier.openShift("fondo", 500);
  await cashier.idle();
  const page = await open("/tills/none");
  const rows = page.getByRole("region", { name: "Money of no shift" }).locator("tbody tr");
  const choice = rows.first().getByRole("combobox");
  await expect(choice).toBeVisible();
  const before = await rows.count();
  const reference = await rows.first().getByRole("link").innerText();
  await choice.selectOption(shiftId);
  const dialog = page.getByRole("dialog", { name: new RegExp(`^Assign .* of ${reference}$`) });
  await expect(dialog).toContainText(/To the shift Fondo .* It is open: this counts in its sales/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(choice).toHaveValue("");
  await expect(rows).toHaveCount(before);
  await choice.selectOption(shiftId);
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect(rows).toHaveCount(before - 1);

  cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 500 }] });
  await cashier.idle();
  await choice.selectOption(shiftId);
  await expect(page.getByRole("dialog")).toContainText(/Beside the shift Fondo .* its report does not change/);
});

test("selected money without a shift is assigned at once, except what was assigned elsewhere meanwhile [UI-616]", async ({
  open,
  dinner,
}) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  await operator.post("/operator/v1/tills", { id: "anexo", name: "Anexo", terminals: [] });
  await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain("anexo");
  const { shiftId } = cashier.openShift("anexo", 500);
  await cashier.idle();
  const { payments } = await operator.get<NoShift>("/operator/v1/shifts/none");
  const page = await open("/tills/none");
  const panel = page.getByRole("region", { name: "Money of no shift" });
  const rows = panel.locator("tbody tr");
  await expect(rows).toHaveCount(payments.length);
  const boxes = rows.getByRole("checkbox");
  const all = panel.getByRole("checkbox", { name: /^Select all|^\d+ selected, RD\$/ });
  await all.check();
  await expect(panel.getByText(`${payments.length} selected`)).toBeVisible();
  await expect(boxes.last()).toBeChecked();
  await all.uncheck();
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
  const [first, ...others] = payments.slice(0, 3).map(({ amount, tip }) => amount + tip);
  const rest = others.reduce((sum, amount) => sum + amount, 0);
  const money = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const written = (amount: number) => `${amount < 0 ? "-" : ""}RD$${money.format(Math.abs(amount))}`;
  await expect(panel.getByText(`3 selected, ${written((first ?? 0) + rest)}`)).toBeVisible();
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);
  }
  await panel.getByRole("combobox", { name: "Assign what is selected to a shift" }).selectOption(shiftId);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/of 3 payments and refunds/);
  await operator.post(`/operator/v1/shifts/none/${payments[0]?.paymentId}/assign`, { shiftId });
  await expect(dialog).toContainText(`Assign ${written(rest)} of 2 payments and refunds`);
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect(rows).toHaveCount(payments.length - 3);
  await expect(dialog).toHaveCount(0);
  await expect(all).not.toBeChecked();
});

test("the audit log names the till of each action and shows its amounts [UI-223]", async ({ open, dinner }) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  await operator.post("/operator/v1/tills", { id: "patio", name: "Patio", terminals: [] });
  await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain("patio");
  const { shiftId } = cashier.openShift("patio", 500);
  cashier.moveCash({ shiftId, kind: "drop", amount: 300, reason: "Caja fuerte" });
  cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 200 }] });
  await cashier.idle();
  const page = await open("/system/audit");
  for (const phrase of [
    /Opened a shift\s+Patio\s+with a float of RD\$500\.00/,
    /Moved money of the till\s+Patio\s+RD\$300\.00 dropped into the safe · Caja fuerte/,
    /Counted the till\s+Patio\s+Efectivo RD\$200\.00/,
    /Closed a shift\s+Patio/,
  ])
    await expect(page.getByRole("row", { name: phrase })).toBeVisible();
});

test("the report of the day covers all tills and prints each shift on its own page [UI-460]", async ({
  open,
  dinner,
}) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  const tillId = "terraza";
  await operator.post("/operator/v1/tills", { id: tillId, name: "Terraza", terminals: [cashier.deviceId] });
  await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain(tillId);
  for (const [float, cash] of [
    [500, 480],
    [800, 800],
  ] as const) {
    const { shiftId } = cashier.openShift(tillId, float, [{ currency: "USD", amount: 20 }]);
    const dollars = { methodId: 1, currency: "USD", amount: 20 };
    cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: cash }, dollars] });
    await cashier.idle();
  }
  const { shifts } = await operator.get<{ shifts: { state: string }[] }>("/operator/v1/shifts");
  const closed = shifts.filter(({ state }) => state === "closed").length;

  const page = await open("/tills");
  await page.getByRole("button", { name: "Report of the day" }).click();
  const report = page.getByRole("article", { name: /^Till report of/ });
  await expect(report.getByRole("heading", { name: /\(Z\)$/ })).toHaveCount(closed);
  await expect(report.getByRole("heading", { name: /\(X\)$/ })).toHaveCount(shifts.length - closed);
  await expect(report.getByText("RD$800.00 · USD 20")).toBeVisible();
  const [all] = await report.getByRole("region", { name: "Money by method" }).all();
  await expect(all!.getByRole("row", { name: /USD/ })).toContainText("USD 40");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^tills-.*\.csv$/);
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }

  // The last window was a phone's, which stacks the cells of a row; paper has room for columns.
  await page.emulateMedia({ media: "print" });
  const cells = report
    .getByRole("region", { name: "Money by method" })
    .first()
    .locator("tbody tr")
    .first()
    .locator("td");
  const tops = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await expect(report.getByText("Reviewed by")).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await page.emulateMedia({ media: null });
  const pdf = await page.pdf({ preferCSSPageSize: true, format: "Letter" });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? [];
  expect(pages.length).toBeGreaterThan(shifts.length);
});

test("open pages show new money without a shift and new waiting slips without a reload [UI-3]", async ({
  open,
  dinner,
}) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  const page = await open("/tills/none");
  const rows = page.getByRole("region", { name: "Money of no shift" }).locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  const posReference = "POS/2026/00460";
  cashier.openOrder(newOrder(posReference, [line("l1", "sancocho")]));
  await cashier.idle();
  const total = cashier.order(posReference)?.snapshot.totals.total ?? 0;
  cashier.pay(posReference, { payments: [{ methodId: 1, amount: total }] });
  await cashier.idle();
  await expect(rows).toHaveCount(before + 1);

  await open("/back-office/closing");
  await expect(page.locator(".verdict")).toBeVisible();
  const waiting = page.getByText("Slips that wait for a printer");
  await expect(waiting).toHaveCount(0);
  await operator.post("/operator/v1/printers", { id: "patio", name: "Patio", address: "tcp://127.0.0.1:9" });
  await operator.post("/operator/v1/printers/patio/test", {});
  await expect(waiting).toBeVisible();
});

test("a till report moves the focus to its back button and returns it to the screen [UI-701]", async ({ open }) => {
  const page = await open("/tills/shifts");
  await page.getByRole("button", { name: "Report of the day" }).focus();
  await page.keyboard.press("Enter");
  const back = page.getByRole("button", { name: "Back to the shifts" });
  await expect(page.getByRole("button", { name: "Print" })).toBeEnabled();
  await expect(back).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("saving a till does not close a form that was opened meanwhile [UI-433]", async ({ open, page }) => {
  const { promise: answer, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/operator/v1/tills", async (route) => {
    if (route.request().method() === "POST") await answer;
    await route.continue();
  });
  await open("/tills/tills");
  const name = page.getByRole("textbox", { name: "Name" });
  for (const typed of ["Primera", "Otra"]) {
    await page.getByRole("button", { name: "Add a till" }).click();
    await name.fill(typed);
    if (typed === "Otra") continue;
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
  }
  release();
  await expect(page.getByRole("cell", { name: "Primera", exact: true })).toBeVisible();
  await expect(name).toHaveValue("Otra");
});

test.describe("failed request", () => {
  test.use({ refusalsExpected: true });

  test("a till report that cannot be read says so and leads back to the shifts [UI-460]", async ({ open, page }) => {
    for (const path of ["**/operator/v1/tips*", "**/operator/v1/shifts/*"]) {
      await page.route(path, (route) =>
        route.fulfill({ status: 500, json: { error: "disk I/O error", errorCode: "INTERNAL_ERROR" } }),
      );
    }
    await open("/tills");
    const day = page.getByRole("button", { name: "Report of the day" });
    for (const report of [day, page.getByRole("button", { name: /^Show the shift of/ }).first()]) {
      await report.click();
      await expect(page.getByRole("alert")).toContainText("HUB-INTERNAL_ERROR");
      await page.getByRole("button", { name: "Back" }).click();
      await expect(day).toBeVisible();
    }
  });
});

test("the report of a counted shift says that a manager approves it [UI-538]", async ({ open, dinner }) => {
  const { cashier, operator } = dinner;
  await online(cashier);
  await operator.post("/operator/v1/tills", { id: "salon", name: "Salón", terminals: [] });
  await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain("salon");
  const { shiftId } = cashier.openShift("salon", 1_000);
  cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 10 }] });
  await operator.until<{ state: string }>(`/operator/v1/shifts/${shiftId}`, ({ state }) => state === "counted");
  const page = await open("/tills");
  await page.getByRole("button", { name: / at Salón$/ }).click();
  await expect(page.getByRole("region", { name: "Shift of Salón (X)" })).toContainText("a manager approves it");
});

test.describe("the closing in Spanish", () => {
  test.use({ locale: "es-DO" });

  test("the closing page says who closes a shift: its cashier, or a manager once it is counted [UI-593]", async ({
    open,
    dinner,
  }) => {
    const { cashier, operator } = dinner;
    await online(cashier);
    await operator.post("/operator/v1/tills", { id: "corta", name: "Corta", terminals: [] });
    await expect.poll(() => cashier.tills().map(({ id }) => id)).toContain("corta");
    const { shiftId } = cashier.openShift("corta", 1_000);
    await cashier.idle();
    const page = await open("/back-office/closing");
    const shift = page.getByRole("listitem").filter({ hasText: /^Corta: / });
    await expect(shift).toContainText("lo resuelve Carlos Jiménez");
    cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 10 }] });
    await cashier.idle();
    await expect(shift).toContainText("lo resuelve un gerente");
  });
});
