import { readDevice, saveDevice } from "./device.ts";
import { randomText } from "./random-text.ts";

/** The same device under another name; the page is loaded again with it. */
export function renameDevice(id: string): void {
  const device = readDevice();
  saveDevice({ ...device, id, firstId: device.firstId ?? device.id });
}

/** Another device than the one whose name this one has: under a name that no other has, and without what was kept. */
export function becomeNewDevice(): void {
  const { id, startScreen } = readDevice();
  saveDevice({ id: `${id.slice(0, 57)}-${randomText(6)}`, startScreen });
}
