import type { OutboxEntry } from "@comanda/terminal";
import type { Page, WebSocketRoute } from "@playwright/test";

/** The connection of one page to the hub, which a test can take away: HTTP goes on. */
export interface DeviceLine {
  cut(): Promise<void>;
  /** The line is back, and the device has noticed. */
  restore(): Promise<void>;
}

/** Puts itself between a page and the hub; the page is loaded again through it. */
export async function deviceLine(page: Page): Promise<DeviceLine> {
  let isUp = true;
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(/.*/, (socket) => {
    if (!isUp) return void socket.close({ code: 4000 });
    socket.connectToServer();
    open.add(socket);
  });
  await page.reload();
  return {
    async cut() {
      isUp = false;
      await Promise.allSettled([...open].map((socket) => socket.close({ code: 4000 })));
      open.clear();
    },
    async restore() {
      isUp = true;
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
    },
  };
}

/** Puts work into the outbox of a device as if it had been done there before; the page is loaded again with it. */
export async function seedOutbox(
  page: Page,
  deviceId: string,
  intents: readonly OutboxEntry["intent"][],
): Promise<void> {
  const entries = intents.map((intent, index): OutboxEntry => {
    const id = crypto.randomUUID();
    return {
      id,
      place: index + 1,
      queuedAt: new Date().toISOString(),
      mutationId: id,
      intent,
      message: null,
      refusal: null,
    };
  });
  await page.evaluate(
    async ({ name, list }) => {
      const opening = indexedDB.open(name, 1);
      await new Promise((resolve, reject) => {
        opening.addEventListener("success", resolve);
        opening.addEventListener("error", reject);
      });
      const transaction = opening.result.transaction("outbox", "readwrite");
      for (const entry of list) transaction.objectStore("outbox").put(entry);
      await new Promise((resolve) => transaction.addEventListener("complete", resolve));
      opening.result.close();
    },
    { name: deviceId, list: entries },
  );
  await page.reload();
}
