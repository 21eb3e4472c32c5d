import { EventEmitter } from "node:events";
import type { PowerMonitor, PowerSaveBlocker } from "electron";
import { expect, it } from "vitest";
import { setupPower } from "./power.ts";

/** Sets up the app on a platform. Returns its windows and the events it received. */
function start(platform: NodeJS.Platform) {
  const windows: (EventEmitter & { options: object })[] = [];
  const events: string[] = [];
  class FakeWindow extends EventEmitter {
    readonly options: object;
    constructor(options: object) {
      super();
      this.options = options;
      windows.push(this);
    }
  }
  setupPower({
    powerSaveBlocker: {} as PowerSaveBlocker,
    powerMonitor: new EventEmitter() as unknown as PowerMonitor,
    BrowserWindow: FakeWindow as never,
    platform,
    onResume: () => events.push("resume"),
    onShutdown: () => events.push("shutdown"),
    onSessionEnd: () => events.push("session end"),
  });
  return { windows, events };
}

it("the session's end is reported in the tray, too, on Windows by a window that is never shown [DESK-276]", () => {
  const { windows, events } = start("win32");
  expect(windows.map(({ options }) => options)).toEqual([{ show: false }]);
  windows[0]?.emit("session-end");
  expect(events).toEqual(["session end"]);
  expect(start("linux").windows).toEqual([]);
});
