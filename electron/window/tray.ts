import type { Menu as ElectronMenu, MenuItemConstructorOptions, Tray as ElectronTray, NativeImage } from "electron";
import type { Texts } from "./texts.ts";

/** Each state has an icon of its own shape and colour: ring, disc, triangle, square. */
export type TrayState =
  | { name: "starting" }
  | { name: "ok" | "warning"; terminals: number; webhooksPaused: boolean }
  | { name: "failed" };

export interface TrayActions {
  open: () => void;
  copyAddress: () => void;
  pauseWebhooks: (paused: boolean) => void;
  quit: () => void;
}

export interface TrayDeps {
  Tray: new (image: NativeImage) => Pick<ElectronTray, "setToolTip" | "setContextMenu" | "setImage" | "on">;
  Menu: { buildFromTemplate(template: MenuItemConstructorOptions[]): ElectronMenu };
  image: (state: TrayState["name"]) => NativeImage;
  texts: () => Texts;
  actions: TrayActions;
}

export function trayTooltip(state: TrayState, texts: Texts): string {
  return "terminals" in state ? texts.states[state.name](state.terminals) : texts.states[state.name];
}

export function trayMenu(state: TrayState, texts: Texts, actions: TrayActions): MenuItemConstructorOptions[] {
  const runs = "terminals" in state;
  const webhooksPaused = runs && state.webhooksPaused;
  return [
    { id: "state", label: trayTooltip(state, texts), enabled: false },
    { type: "separator" },
    { id: "open", label: texts.open, click: actions.open },
    { id: "copy-address", label: texts.copyAddress, enabled: runs, click: actions.copyAddress },
    {
      id: "pause-webhooks",
      type: "checkbox",
      label: texts.pauseWebhooks,
      enabled: runs,
      checked: webhooksPaused,
      click: () => actions.pauseWebhooks(!webhooksPaused),
    },
    { type: "separator" },
    { id: "quit", label: texts.quit, click: actions.quit },
  ];
}

/** Sets up the tray icon: the hub's state at a glance, and access to the window. */
export function setupTray({ Tray, Menu, image, texts, actions }: TrayDeps) {
  const tray = new Tray(image("starting"));
  let shown = "";
  let last: TrayState = { name: "starting" };
  const ownActions: TrayActions = {
    ...actions,
    pauseWebhooks(paused) {
      // The system has already ticked the item, whatever the result. Clearing this rebuilds the menu at the next check.
      shown = "";
      actions.pauseWebhooks(paused);
    },
  };
  tray.on("click", actions.open);
  tray.on("double-click", actions.open);

  const show = (state: TrayState) => {
    last = state;
    const key = JSON.stringify([state, texts().open]);
    if (key === shown) return;
    shown = key;
    tray.setImage(image(state.name));
    tray.setToolTip(trayTooltip(state, texts()));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, texts(), ownActions)));
  };
  return {
    show,
    /** Shows the same state again, for another language. */
    refresh: () => show(last),
  };
}
