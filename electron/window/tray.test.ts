import type { HealthReport } from "@comanda/protocol";
import { expect, it } from "vitest";
import { trayStateOf } from "../hub/health-watch.ts";
import { textsOf } from "./texts.ts";
import { setupTray, trayMenu, trayTooltip, type TrayDeps } from "./tray.ts";

const running = { state: "running", url: "http://127.0.0.1:8766/", port: 8766 } as const;
const health = (status: "ok" | "degraded", connectedTerminals: number) =>
  ({ status, connectedTerminals }) as HealthReport;

it("the tray has a state for a hub that is well, needs attention, is starting or has failed [DESK-40]", () => {
  expect(trayStateOf(running, health("ok", 6), false)).toEqual({ name: "ok", terminals: 6, webhooksPaused: false });
  expect(trayStateOf(running, health("degraded", 6), true)).toEqual({
    name: "warning",
    terminals: 6,
    webhooksPaused: true,
  });
  expect(trayStateOf(running, undefined, false)).toEqual({ name: "starting" });
  expect(trayStateOf({ state: "restarting" }, undefined, false)).toEqual({ name: "starting" });
  expect(
    trayStateOf({ state: "failed", reason: "other", error: "no", backupsFound: 0, settings: [] }, undefined, false),
  ).toEqual({
    name: "failed",
  });
});

it("the tooltip describes the state in one sentence, in both languages [DESK-40]", () => {
  expect(trayTooltip({ name: "ok", terminals: 1, webhooksPaused: false }, textsOf("en"))).toBe(
    "Comanda Hub: all good, 1 terminal connected",
  );
  expect(trayTooltip({ name: "warning", terminals: 3, webhooksPaused: false }, textsOf("es"))).toBe(
    "Comanda Hub necesita atención; 3 terminales conectados",
  );
  expect(trayTooltip({ name: "failed" }, textsOf("es"))).toContain("está detenido");
});

it("the tray menu opens the window, copies the address and quits, with no address without a hub [DESK-41]", () => {
  const done: string[] = [];
  const actions = {
    open: () => void done.push("open"),
    copyAddress: () => void done.push("copy"),
    pauseWebhooks: (paused: boolean) => void done.push(paused ? "pause" : "resume"),
    quit: () => void done.push("quit"),
  };
  const menu = trayMenu({ name: "ok", terminals: 2, webhooksPaused: true }, textsOf("en"), actions);
  for (const item of menu) (item.click as (() => void) | undefined)?.();
  expect(done).toEqual(["open", "copy", "resume", "quit"]);
  const failed = trayMenu({ name: "failed" }, textsOf("en"), actions);
  expect(failed.find((item) => item.id === "copy-address")?.enabled).toBe(false);
});

it("the tick at the pause of webhooks shows the real state, also after pausing has failed [DESK-41]", () => {
  const menus: Parameters<TrayDeps["Menu"]["buildFromTemplate"]>[0][] = [];
  const nothing = () => undefined;
  class Tray {
    setToolTip = nothing;
    setContextMenu = nothing;
    setImage = nothing;
    on = () => this;
  }
  const tray = setupTray({
    Tray,
    Menu: {
      buildFromTemplate(template: (typeof menus)[number]) {
        menus.push(template);
        return {};
      },
    },
    image: () => ({}),
    texts: () => textsOf("en"),
    actions: { open: nothing, copyAddress: nothing, pauseWebhooks: nothing, quit: nothing },
  } as unknown as TrayDeps);
  const state = { name: "ok", terminals: 2, webhooksPaused: false } as const;
  tray.show(state);
  tray.show(state);
  expect(menus).toHaveLength(1);
  (menus[0]?.find(({ id }) => id === "pause-webhooks")?.click as (() => void) | undefined)?.();
  tray.show(state);
  expect(menus).toHaveLength(2);
  expect(menus[1]?.find(({ id }) => id === "pause-webhooks")?.checked).toBe(false);
});
