import type { OutboxEntry } from "@comanda/terminal";
import type { Page, WebSocketRoute } from "@playwright/test";

/** The connection of one page to the hub, which a test can take away: HTTP goes on. */
export interface DeviceLine {
  cut(): Promise<void>;
  /** The connection stays open, and nothing of the device arrives until the line is restored. */
  hush(): void;
  /** The line is back, and the device has noticed. */
  restore(): Promise<void>;
}

/** Puts itself between a page and the hub; the page is loaded again through it. */
export async function deviceLine(page: Page): Promise<DeviceLine> {
  let isUp = true;
  let held: (() => void)[] | null = null;
  const open = new Set<WebSocketRoute>();
  await routeSockets(page, (socket) => {
    if (!isUp) return void socket.close({ code: 4000 });
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (held === null) server.send(message);
      else held.push(() => server.send(message));
    });
    open.add(socket);
  });
  await page.reload();
  return {
    async cut() {
      isUp = false;
      await Promise.allSettled([...open].map((socket) => socket.close({ code: 4000 })));
      open.clear();
    },
    hush() {
      held = [];
    },
    async restore() {
      isUp = true;
      for (const send of held ?? []) send();
      held = null;
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
    },
  };
}

/** Has `handle` stand between the hub and the page that is loaded next. */
export async function routeSockets(page: Page, handle: (socket: WebSocketRoute) => void): Promise<void> {
  // What a page sends is a moment on its way through the test. Meanwhile the hub may have closed the socket, and the
  // browser would complain of a page that has looked whether it is open.
  await page.addInitScript(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      if (this.readyState === WebSocket.OPEN) send.call(this, data);
    };
  });
  await page.routeWebSocket(/.*/, handle);
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
