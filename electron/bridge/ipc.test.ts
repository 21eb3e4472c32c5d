import { expect, it } from "vitest";
import { z } from "zod";
import { createHandle, isOwnSender, originOf, type SenderEvent } from "./ipc.ts";

const own = ["http://127.0.0.1:8766", "app://desktop"];
const from = (url: string, more: Partial<SenderEvent> = {}): SenderEvent => ({
  sender: { id: 7 },
  senderFrame: { url, parent: null },
  ...more,
});

it("calls are accepted only from the top frame of our window on our origins [DESK-13]", () => {
  expect(isOwnSender(from("http://127.0.0.1:8766/#/orders"), 7, own)).toBe(true);
  expect(isOwnSender(from("app://desktop/"), 7, own)).toBe(true);
  expect(isOwnSender(from("http://127.0.0.1:8767/"), 7, own)).toBe(false);
  expect(isOwnSender(from("http://127.0.0.1:8766.example.org/"), 7, own)).toBe(false);
  expect(isOwnSender(from("about:blank"), 7, own)).toBe(false);
  expect(isOwnSender(from("http://127.0.0.1:8766/", { sender: { id: 8 } }), 7, own)).toBe(false);
  expect(isOwnSender(from("http://127.0.0.1:8766/", { senderFrame: null }), 7, own)).toBe(false);
  const inFrame = { senderFrame: { url: "http://127.0.0.1:8766/", parent: {} } };
  expect(isOwnSender(from("", inFrame), 7, own)).toBe(false);
});

it("a handler gets validated arguments, and its failure reaches the page without details [DESK-13]", () => {
  const channels = new Map<string, (event: SenderEvent, ...args: unknown[]) => unknown>();
  const ipcMain = {
    handle: (name: string, listener: (event: SenderEvent) => unknown) => void channels.set(name, listener),
  };
  const handle = createHandle(ipcMain, (event) => event.sender.id === 7);
  handle("desktop:add", z.tuple([z.int(), z.int()]), (a, b) => a + b);

  const call = channels.get("desktop:add");
  expect(call?.(from(""), 2, 3)).toBe(5);
  expect(() => call?.(from("", { sender: { id: 1 } }), 2, 3)).toThrow("desktop:add: not allowed");
  for (const wrong of [[], [2], [2, "3"], [2, 3, 4]]) {
    expect(() => call?.(from(""), ...wrong)).toThrow("desktop:add: the arguments are not valid");
  }
});

it("the origin of our own scheme is recognised, which the URL standard calls null [DESK-13]", () => {
  expect(originOf("app://desktop/page.js")).toBe("app://desktop");
  expect(originOf("not an address")).toBe("");
});
