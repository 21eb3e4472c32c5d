import type { Page } from "@playwright/test";
import { online } from "../../support/restaurant.ts";
import { routeSockets } from "../support/device-line.ts";
import { expect, test } from "../support/touch-test.ts";

const party = { partySize: 2, quotedMinutes: 10, status: "waiting" } as const;

test("two hosts seat the same guests once, and the second host's sheet or the hub says so [TOUCH-438]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("gerente-dos-anfitriones");
  await online(manager);
  for (const guestName of ["Los Batista", "Doña Nena"]) await manager.putWaiting(guestName, { guestName, ...party });
  const first = await open({ name: "anfitrion-1", kind: "tablet" });
  const second = await open({ name: "anfitrion-2", kind: "tablet" });
  const delay = await delayMessagesAbout(second, "Doña Nena");
  for (const page of [first, second]) await page.evaluate(() => (location.hash = "#/host"));
  const startSeating = (page: Page, name: string) => page.getByRole("button", { name: `Sentar: ${name}` }).tap();
  const chooseTable = (page: Page, table: RegExp) =>
    page.getByRole("dialog").getByRole("button", { name: table }).tap();
  const checksOf = (name: string) =>
    manager
      .orders()
      .filter(({ snapshot }) => snapshot.customerName === name)
      .map(({ tableId }) => tableId);

  // The second host has the sheet open.
  await startSeating(second, "Los Batista");
  await startSeating(first, "Los Batista");
  await chooseTable(first, /^Terraza 2 /);
  await expect(second.getByRole("dialog").getByText("Ya están sentados: Terraza 2.")).toBeVisible();
  await expect(second.getByRole("dialog").getByRole("link", { name: "Ver cuenta" })).toBeVisible();
  await second.keyboard.press("Escape");

  // The second host's page cannot know yet.
  await startSeating(second, "Doña Nena");
  await startSeating(first, "Doña Nena");
  delay.begin();
  await chooseTable(first, /^Terraza 3 /);
  await expect.poll(() => checksOf("Doña Nena")).toHaveLength(1);
  await chooseTable(second, /^Terraza 4 /);
  await expect(second.getByText(/^Esos clientes ya están sentados\./)).toBeVisible();
  delay.end();
  await expect(second.getByRole("button", { name: "Sentar: Doña Nena" })).toHaveCount(0);
  await expect(second.getByRole("link", { name: /por decidir/ })).toHaveCount(0);
  expect(checksOf("Doña Nena")).toEqual([63]);
});

test("a host's undo does not overwrite what another person has recorded since [TOUCH-438]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("gerente-deshace");
  await online(manager);
  await manager.putWaiting("cabral", { guestName: "Cabral", ...party });
  const page = await open({ name: "anfitrion-3", kind: "tablet", refusalsExpected: true });
  await page.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Se fue: Cabral" }).tap();
  await expect.poll(() => manager.waiting().find(({ key }) => key === "cabral")?.party.status).toBe("left");
  await manager.putWaiting("cabral", { guestName: "Cabral", ...party, partySize: 6, status: "left" });
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect(page.getByText(/^Otra persona cambió lo mismo/)).toBeVisible();
  const cabral = () => manager.waiting().find(({ key }) => key === "cabral")?.party;
  await expect.poll(cabral).toMatchObject({ partySize: 6, status: "left" });
});

/** Holds back the hub's messages about these guests, except refusals, from a page between `begin` and `end`. */
async function delayMessagesAbout(page: Page, name: string): Promise<{ begin: () => void; end: () => void }> {
  let isDelaying = false;
  const delayed: (() => void)[] = [];
  await routeSockets(page, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const text = String(message);
      const isDelayed = isDelaying && text.includes(name) && !text.includes("ORDER_REJECTED");
      if (isDelayed) delayed.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.reload();
  return {
    begin: () => (isDelaying = true),
    end() {
      isDelaying = false;
      for (const send of delayed) send();
    },
  };
}
