import type { ListedPrinter, PrintRoutes } from "@comanda/protocol";
import { startFakePrinter } from "../../../hub/test/fake-printer/fake-printer.ts";
import { newOrder } from "../../support/orders.ts";
import { online, openRestaurant } from "../../support/restaurant.ts";
import { tables } from "../support/dinner.ts";
import { loseAnswer } from "../support/lose-answer.ts";
import { line } from "../support/menu.ts";
import { createOperator } from "../support/operator.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "printers", refusalsExpected: true });

test("printers are added, routed, tested and watched, and a failed print is printed again [UI-452, UI-455, UI-482]", async ({
  open,
}) => {
  const till = await startFakePrinter();
  const page = await open("/printers");
  await expect(page.getByText("There are no printers yet")).toBeVisible();

  await page.getByRole("button", { name: "Add a printer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Caja");
  await dialog.getByRole("textbox", { name: "Address" }).fill("usb:1");
  await dialog.getByRole("button", { name: "Add a printer" }).click();
  await expect(dialog.getByRole("textbox", { name: "Address" })).toHaveAttribute("aria-invalid", "true");
  await dialog.getByRole("textbox", { name: "Address" }).fill(till.address.replace("tcp://", ""));
  await dialog.getByRole("combobox", { name: "It prints" }).click();
  await page.getByRole("option", { name: "Cocina caliente" }).click();
  await page.getByRole("option", { name: "Receipts" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("checkbox", { name: /works from paper alone/ })).toBeVisible();
  expect(await seriousIssues(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Add a printer" }).click();
  const row = page.getByRole("row", { name: /Caja/ });
  await expect(row).toContainText("Ready");

  till.faults.paper = "out";
  await expect(row).toContainText("Out of paper");
  await page.getByRole("button", { name: "Print a test page on Caja" }).click();
  await expect(row).toContainText("1");
  till.mend();
  await expect(row).toContainText("Ready");
  await expect.poll(() => till.documents().length).toBe(1);

  till.faults.after = { bytes: 100, fault: "reset" };
  await page.getByRole("button", { name: "Print a test page on Caja" }).click();
  const unresolved = page.getByRole("region", { name: "Not printed, or maybe not" });
  await expect(unresolved).toContainText("May have come out");
  await expect(unresolved).toContainText("the connection broke");
  const link = page.getByRole("link", { name: /^Printers/ });
  await expect(link.locator(".nav-count")).toContainText("1");
  expect(await seriousIssues(page)).toEqual([]);
  for (const [address, heading] of [
    ["/kitchen", "Kitchen"],
    ["/system", "System"],
  ] as const) {
    await open(address);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(unresolved).toContainText("Test page");
  }
  await open("/printers");
  await unresolved.getByRole("button", { name: "Print again: Test page" }).click();
  await expect(unresolved).toHaveCount(0);
  await expect(link.locator(".nav-count")).toHaveCount(0);
  await expect
    .poll(() =>
      till
        .papers()
        .at(-1)
        ?.lines.some(({ text }) => text.includes("COPIA 1")),
    )
    .toBe(true);

  await page.getByRole("tab", { name: "What goes where" }).click();
  await expect(page.getByRole("combobox", { name: "The restaurant's receipt printer" })).toHaveValue("Caja");
  await page
    .getByRole("combobox", { name: /^Receipt at / })
    .first()
    .click();
  await page.getByRole("option", { name: "Asks" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByRole("tab", { name: "Print history" }).click();
  await page.getByRole("button", { name: "See how it comes out: Test page" }).first().click();
  await expect(page.getByRole("region", { name: "As it comes out" })).toContainText("COPIA 1");
  await expect(page.getByRole("region", { name: "As it comes out" })).toContainText("¿¡ RD$ 1,234.50");
  expect(await seriousIssues(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await till.stop();
});

test("a slip without a printer is listed until it is printed on a new one or dismissed [UI-617]", async ({ page }) => {
  const restaurant = await openRestaurant({ HUB_PRINT_UNSEEN_MS: "200" });
  const operator = await createOperator(restaurant);
  const { token, user } = operator;
  await page.addInitScript(
    (stored) => sessionStorage.setItem("comanda-session", stored),
    JSON.stringify({ token, user }),
  );
  const printer = await startFakePrinter();
  await operator.post("/operator/v1/printers", { id: "oficina", name: "Oficina", address: printer.address });
  const waiter = await restaurant.terminal("tablet", { login: "waiter" });
  await online(waiter);
  for (const [index, posReference] of ["POS/2026/00001", "POS/2026/00002"].entries()) {
    waiter.openOrder(newOrder(posReference, [line("l1", "chivo")], tables.mesa1 + index));
    await waiter.idle();
    waiter.sendToKitchen(posReference);
  }
  const missing = page.getByRole("region", { name: "Not printed, or maybe not" });
  const rows = missing.getByRole("row", { name: /there is no printer for it/ });
  for (const address of ["/kitchen", "/system", "/printers"]) {
    await page.goto(`${restaurant.hubUrl}/#${address}`);
    await expect(rows).toHaveCount(2);
  }
  await operator.put("/operator/v1/print-routes", { stations: { kitchen: ["oficina"] }, terminals: {} });
  await missing.getByRole("button", { name: "Print again: Kitchen slip POS/2026/00001" }).click();
  await expect(rows).toHaveCount(1);
  await expect.poll(() => printer.documents().length).toBe(1);
  await missing.getByRole("button", { name: "Dismiss: Kitchen slip POS/2026/00002" }).click();
  await expect(missing).toHaveCount(0);
  await page.goto(`${restaurant.hubUrl}/#/printers/jobs`);
  await expect(page.getByRole("row", { name: /POS\/2026\/00002/ })).toContainText("there is no printer for it");
  await printer.stop();
  await restaurant.close();
});

test("failed prints are dismissed at once, except receipts [UI-1217]", async ({ page }) => {
  const printer = await startFakePrinter();
  await printer.refuse();
  const restaurant = await openRestaurant({ HUB_PRINT_UNSEEN_MS: "200", HUB_PRINT_EXPIRE_MS: "400" });
  const operator = await createOperator(restaurant);
  const { token, user } = operator;
  await page.addInitScript(
    (stored) => sessionStorage.setItem("comanda-session", stored),
    JSON.stringify({ token, user }),
  );
  await operator.post("/operator/v1/printers", { id: "oficina", name: "Oficina", address: printer.address });
  await operator.put("/operator/v1/print-routes", { stations: {}, terminals: {}, receipts: "oficina" });
  const cashier = await restaurant.terminal("tablet", { login: "cashier" });
  await online(cashier);
  for (const [index, posReference] of ["POS/2026/00001", "POS/2026/00002", "POS/2026/00003"].entries()) {
    cashier.openOrder(newOrder(posReference, [line("l1", "chivo")], tables.mesa1 + index));
    await cashier.idle();
    cashier.sendToKitchen(posReference);
  }
  const amount = cashier.order("POS/2026/00003")?.snapshot.totals.total ?? 0;
  cashier.pay("POS/2026/00003", { payments: [{ methodId: 1, amount }] });
  await page.goto(`${restaurant.hubUrl}/#/printers`);
  const missing = page.getByRole("region", { name: "Not printed, or maybe not" });
  await expect(missing.getByRole("row", { name: /Receipt/ })).toBeVisible();
  await missing.getByRole("button", { name: "Dismiss 3…" }).click();
  const dialog = page.getByRole("dialog", { name: "Dismiss 3 prints?" });
  await expect(dialog).toContainText("Kitchen slip: 3.");
  expect(await seriousIssues(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await expect(missing.getByRole("row", { name: /Kitchen slip/ })).toHaveCount(0);
  await expect(missing.getByRole("row", { name: /Receipt/ })).toBeVisible();
  await expect(missing.getByRole("button", { name: /^Dismiss \d/ })).toHaveCount(0);
  await page.goto(`${restaurant.hubUrl}/#/printers/jobs`);
  await expect(page.getByRole("row", { name: /Kitchen slip/ })).toHaveCount(3);
  await restaurant.close();
});

test("a print route chosen while another is being saved is saved as well [UI-456]", async ({ open, dinner, page }) => {
  const printer = { name: "Barra", address: "tcp://127.0.0.1:1" };
  const { id } = (await dinner.operator.post("/operator/v1/printers", printer)) as { id: string };
  const saving = Promise.withResolvers<void>();
  await page.route("**/operator/v1/print-routes", async (route) => {
    if (route.request().method() === "PUT") await saving.promise;
    await route.continue();
  });
  await open("/printers/routes");
  const receipts = page.getByRole("combobox", { name: "The restaurant's receipt printer" });
  const fallback = page.getByRole("combobox", { name: "What a station without a printer has not seen comes out on" });
  for (const field of [receipts, fallback]) {
    await field.click();
    await page.getByRole("option", { name: "Barra" }).click();
    await expect(field).toHaveValue("Barra");
  }
  saving.resolve();
  // The second notice replaces the first.
  const routes = async () => await dinner.operator.get<PrintRoutes>("/operator/v1/print-routes");
  await expect.poll(routes).toMatchObject({ receipts: id, fallback: id });
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
  await expect(receipts).toHaveValue("Barra");
  await expect(fallback).toHaveValue("Barra");
});

test("a printer is added once, even if its routes are saved only at the second attempt [UI-456]", async ({
  open,
  dinner,
  page,
}) => {
  await page.route("**/operator/v1/print-routes", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await open("/printers");
  await page.getByRole("button", { name: "Add a printer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Terraza");
  await dialog.getByRole("textbox", { name: "Address" }).fill("tcp://127.0.0.1:2");
  await dialog.getByRole("combobox", { name: "It prints" }).click();
  await page.getByRole("option", { name: "Bar", exact: true }).click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Add a printer" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await page.unroute("**/operator/v1/print-routes");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Terraza 2");
  await dialog.getByRole("button", { name: "Add a printer" }).click();
  await expect(dialog).toHaveCount(0);
  const { printers } = await dinner.operator.get<{ printers: ListedPrinter[] }>("/operator/v1/printers");
  expect(printers.map(({ name }) => name).filter((name) => name.startsWith("Terraza"))).toEqual(["Terraza 2"]);
});

test("a printer is added once, even if answers to the attempts are lost [UI-456]", async ({ open, dinner, page }) => {
  await open("/printers");
  await page.getByRole("button", { name: "Add a printer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Patio");
  await dialog.getByRole("textbox", { name: "Address" }).fill("tcp://127.0.0.1:3");
  await dialog.getByRole("combobox", { name: "It prints" }).click();
  await page.getByRole("option", { name: "Bar", exact: true }).click();
  await page.keyboard.press("Escape");
  await loseAnswer(page, "POST", "**/operator/v1/printers");
  await loseAnswer(page, "PUT", "**/operator/v1/print-routes");
  const add = dialog.getByRole("button", { name: "Add a printer" });
  await add.click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Patio 2");
  const added = async (): Promise<ListedPrinter[]> => {
    const { printers } = await dinner.operator.get<{ printers: ListedPrinter[] }>("/operator/v1/printers");
    return printers.filter(({ name }) => name.startsWith("Patio"));
  };
  const id = (await added())[0]?.id ?? "";
  const isLost = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/print-routes"));
  await add.click();
  await isLost;
  await expect(dialog.getByRole("alert")).toBeVisible();
  await add.click();
  await expect(dialog).toHaveCount(0);
  expect(await added()).toMatchObject([{ id, name: "Patio 2" }]);
  const { stations } = await dinner.operator.get<PrintRoutes>("/operator/v1/print-routes");
  expect(stations["bar"]?.filter((each) => each === id)).toHaveLength(1);
});
