import { once } from "node:events";
import type { OperatorTerminal, TicketList } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { WebSocket } from "ws";
import { newOrder } from "../../support/orders.ts";
import type { Dinner } from "../support/dinner.ts";
import { layoutSettled } from "../support/layout.ts";
import { line } from "../support/menu.ts";
import { expect, test as base } from "../support/screen-test.ts";

const TABLETS = 150;
const TICKETS = 120;

/** Adds many terminals and many tickets to the dinner. */
const test = base.extend<object, { crowd: Dinner }>({
  crowd: [
    async ({ dinner }, use) => {
      await Promise.all([connectTablets(dinner), sendTickets(dinner)]);
      await use(dinner);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});
test.use({ ownDinner: "many rows" });

async function connectTablets({ restaurant, operator }: Dinner): Promise<void> {
  const token = await restaurant.token("manager");
  for (let n = 1; n <= TABLETS; n += 1) {
    const socket = new WebSocket(restaurant.hubSocketUrl);
    await once(socket, "open");
    // Every third terminal has unsent work, which makes its row higher.
    const outbox = n % 3 === 0 ? { pending: n, oldestAt: new Date().toISOString(), payments: 1, amount: n } : undefined;
    socket.send(JSON.stringify({ type: "AUTH", token, deviceId: `mesero-${n}`, outbox }));
    await once(socket, "message");
    socket.close();
    await once(socket, "close");
  }
  // When a terminal's grace period ends, its row moves, possibly to a place that was already scrolled past.
  await operator.until<{ terminals: OperatorTerminal[] }>("/operator/v1/terminals", ({ terminals }) =>
    terminals.every(({ state }) => state !== "grace"),
  );
}

async function sendTickets({ waiter, operator }: Dinner): Promise<void> {
  for (let n = 1; n <= TICKETS; n += 1) {
    const posReference = `POS/2026/1${String(n).padStart(4, "0")}`;
    const lines = Array.from({ length: 1 + (n % 4) }, (_, index) => line(`l${index}`, "sancocho"));
    waiter.openOrder({
      ...newOrder(posReference, lines),
      orderType: "takeout",
      tableId: null,
      customerName: n === TICKETS ? "Ñoño Peña" : `Cliente ${n}`,
    });
    waiter.sendToKitchen(posReference);
  }
  await waiter.idle();
  await operator.until<TicketList>("/operator/v1/kitchen", ({ tickets }) => tickets.length >= TICKETS);
}

/** Scrolls to the end of the page and collects the texts of all matching elements on the way. */
async function collectWhileScrolling(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(async (css) => {
    const seen = new Set<string>();
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    /** Returns whether no placeholder for undrawn rows is in view. */
    const isDrawn = (list: HTMLElement): boolean => {
      const { top, bottom } = list.getBoundingClientRect();
      const { paddingTop, paddingBottom } = getComputedStyle(list);
      return (
        top + parseFloat(paddingTop) <= Math.max(0, top) &&
        bottom - parseFloat(paddingBottom) >= Math.min(window.innerHeight, bottom)
      );
    };
    const lists = [...document.querySelectorAll<HTMLElement>("[style*='padding-top']")];
    if (lists.length === 0) throw new Error("no list has room for rows that are not drawn");
    window.scrollTo(0, 0);
    for (;;) {
      await frame();
      // Two frames may not be enough on a busy machine.
      while (!lists.every(isDrawn)) await frame();
      for (const element of document.querySelectorAll(css)) seen.add(element.textContent);
      const before = window.scrollY;
      window.scrollBy(0, window.innerHeight / 2);
      await frame();
      if (window.scrollY === before) return [...seen];
    }
  }, selector);
}

for (const width of [390, 1366]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 768 } });

    test("a table of 150 terminals renders only visible rows and scrolls to all of them [UI-246]", async ({
      open,
      crowd,
    }) => {
      const page = await open("/terminals");
      await expect(page.getByText("mesero-150", { exact: true })).toBeVisible();
      const { terminals } = await crowd.operator.get<{ terminals: OperatorTerminal[] }>("/operator/v1/terminals");
      expect(terminals.length).toBeGreaterThanOrEqual(TABLETS);
      await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(terminals.length + 1));
      expect(await page.locator("tbody tr").count()).toBeLessThan(50);
      expect(await page.locator("*").count()).toBeLessThan(2_500);
      const names = await collectWhileScrolling(page, "tbody tr td:first-child strong");
      expect(names.toSorted()).toEqual(terminals.map(({ terminalId }) => terminalId).toSorted());
    });

    test("a list of 120 tickets renders only visible cards and scrolls to all of them [UI-246]", async ({
      open,
      crowd,
    }) => {
      const page = await open("/kitchen");
      await expect(page.getByRole("article").first()).toBeVisible();
      const { tickets } = await crowd.operator.get<TicketList>("/operator/v1/kitchen");
      expect(await page.getByRole("article").count()).toBeLessThan(60);
      expect(await page.locator("*").count()).toBeLessThan(3_000);
      const links = await collectWhileScrolling(page, "article .ticket-whom");
      const customers = tickets.flatMap(({ customerName }) => (customerName === null ? [] : [customerName]));
      for (const name of customers) expect(links.join("\n"), name).toContain(name);
    });
  });
}

test("a long table keeps its columns in a slightly narrower window [UI-535]", async ({ open, crowd }) => {
  expect(crowd).toBeDefined();
  const page = await open("/terminals");
  await expect(page.getByText("mesero-150", { exact: true })).toBeVisible();
  await expect(page.locator("table[style*='fixed']")).toBeVisible();
  for (const less of [2, 40]) {
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: width - less, height });
    // The columns adapt after the window's new width has been measured.
    await expect
      .poll(() => page.locator(".table-scroll:has(table)").evaluate((list) => list.scrollWidth - list.clientWidth))
      .toBe(0);
    await layoutSettled(page);
    await expect(page.locator("table.stacked")).toHaveCount(0);
  }
});

test.describe("low window", () => {
  test.use({ viewport: { width: 1024, height: 600 } });

  test("tables missing from the plan are named in part, and the plan keeps its space [UI-517]", async ({
    open,
    crowd: { waiter },
  }) => {
    for (let n = 1; n <= 30; n += 1) waiter.openOrder(newOrder(`POS/2026/2${n}`, [line("l1", "flan")], 5_000 + n));
    await waiter.idle();
    const page = await open("/");
    await expect(
      page.getByText(/^Checks are on 30 tables that are not on the plan: 50\d\d, .*, and 18 more\.$/),
    ).toBeVisible();
    const drawing = await page.getByRole("button", { name: /^Mesa 10,/ }).boundingBox();
    const legend = await page.getByRole("list", { name: "Legend" }).boundingBox();
    expect((drawing?.y ?? Number.NaN) + (drawing?.height ?? Number.NaN)).toBeLessThanOrEqual(legend?.y ?? Number.NaN);
  });
});

test("a paused webhook shows its address and state beside its buttons without overlap [UI-515]", async ({
  open,
  crowd,
}) => {
  expect(crowd.receiver.url).not.toBe("");
  const page = await open("/integrations/webhooks");
  await page.setViewportSize({ width: 1024, height: 768 });
  const webhook = page.getByRole("article", { name: /\/broken$/ });
  await expect(webhook.getByText("Paused: it does not answer")).toBeVisible();
  const bottomOf = async (text: string | RegExp) => {
    const box = await webhook.getByText(text).boundingBox();
    return { top: box?.y ?? Number.NaN, bottom: (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN) };
  };
  const [address, state, about] = [
    await bottomOf(/\/broken$/),
    await bottomOf(/^Paused/),
    await bottomOf(/^The hub tries/),
  ];
  expect(address.bottom - address.top).toBeLessThan(40);
  expect(about.top).toBeGreaterThanOrEqual(state.bottom);
});

test("a long list is printed in full [UI-246]", async ({ open, crowd }) => {
  const page = await open("/terminals");
  await expect(page.getByText("mesero-150", { exact: true })).toBeVisible();
  expect(await page.locator("tbody tr").count()).toBeLessThan(50);
  const { terminals } = await crowd.operator.get<{ terminals: OperatorTerminal[] }>("/operator/v1/terminals");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("tbody tr")).toHaveCount(terminals.length);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => page.locator("tbody tr").count()).toBeLessThan(50);
});

test("the search scrolls to a row that is not rendered and marks it [UI-249]", async ({ open, crowd }) => {
  const page = await open("/terminals");
  await expect(page.getByText("mesero-150", { exact: true })).toBeVisible();
  await expect(page.getByText("mesero-100", { exact: true })).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search everything" }).fill("mesero-100");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ has: page.getByText("mesero-100", { exact: true }) });
  await expect(row).toBeInViewport();
  await expect(row).toHaveClass(/row-found/);

  const ticket = page.getByRole("article").filter({ hasText: "Ñoño Peña" });
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search everything" }).fill("nono pena");
  await page.getByRole("button", { name: /^Takeout .*Ñoño Peña/ }).click();
  await expect(ticket).toBeInViewport();
  await expect(ticket).toHaveClass(/ticket-found/);
  expect(crowd.operator.token).not.toBe("");
});
