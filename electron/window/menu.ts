import type { MenuItemConstructorOptions } from "electron";
import type { Texts } from "./texts.ts";

/**
 * Returns the window's menu, which also defines the zoom shortcuts. On Windows and Linux it is hidden until Alt is pressed, but
 * the shortcuts still work.
 */
export function applicationMenu(
  platform: NodeJS.Platform,
  texts: Texts,
  quit: () => void,
): MenuItemConstructorOptions[] {
  const { menu } = texts;
  const view: MenuItemConstructorOptions = {
    label: menu.view,
    submenu: [
      { id: "reload", role: "reload", label: menu.reload },
      { type: "separator" },
      { id: "zoom-in", role: "zoomIn", label: menu.zoomIn },
      // The same key without Shift.
      { role: "zoomIn", accelerator: "CommandOrControl+=", visible: false },
      { id: "zoom-out", role: "zoomOut", label: menu.zoomOut },
      { id: "zoom-reset", role: "resetZoom", label: menu.zoomReset },
      { type: "separator" },
      { id: "full-screen", role: "togglefullscreen", label: menu.fullScreen },
    ],
  };
  if (platform === "darwin") return [{ role: "appMenu" }, { role: "editMenu" }, view, { role: "windowMenu" }];
  const quitItem = { id: "quit", label: texts.quit, accelerator: "Control+Q", click: quit };
  return [{ label: "Comanda Hub", submenu: [quitItem] }, { role: "editMenu", label: menu.edit }, view];
}
