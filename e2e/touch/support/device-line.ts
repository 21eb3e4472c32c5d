import type { OutboxEntry } from "@comanda/terminal";
import type { Page, WebSocketRoute } from "@playwright/test";

/** A page's WebSocket connection to the hub, which a test can cut; HTTP keeps working. */
export interface DeviceLine {
  cut(): Promise<void>;
  /** Keeps the connection open but holds back everything that the device sends, until `restore`. */
  holdBack(): void;
  /** Restores the connection and makes the page reconnect at once. */
  restore(): Promise<void>;
}

/** Intercepts the connection between a page and the hub, and reloads the page. */
export async function deviceLine(page: Page): Promise<DeviceLine> {
  let isUp = true;
  let heldBack: (() => void)[] | null = null;
  const open = new Set<WebSocketRoute>();
  await routeSockets(page, (socket) => {
    if (!isUp) return void socket.close({ code: 4000 });
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (heldBack === null) server.send(message);
      else heldBack.push(() => server.send(message));
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
    holdBack() {
      heldBack = [];
    },
    async restore() {
      isUp = true;
      for (const send of heldBack ?? []) send();
      heldBack = null;
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
    },
  };
}

/** Lets `handle` intercept the WebSockets of the page that is loaded next. */
export async function routeSockets(page: Page, handle: (socket: WebSocketRoute) => void): Promise<void> {
  // Messages of the page pass through the test with a delay, in which the hub may close the socket.
  // Sending on a closed socket would log an error although the page has checked its state.
  await page.addInitScript(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      if (this.readyState === WebSocket.OPEN) send.call(this, data);
    };
  });
  await page.routeWebSocket(/.*/, handle);
}

/** Adds work to a device's outbox as if it had been done there before, and reloads the page. */
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
