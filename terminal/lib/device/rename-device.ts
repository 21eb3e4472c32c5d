import { readDevice, saveDevice } from "./device.ts";
import { randomText } from "./random-text.ts";

/** Renames the device; the page then has to be reloaded. */
export function renameDevice(id: string): void {
  const device = readDevice();
  saveDevice({ ...device, id, firstId: device.firstId ?? device.id });
}

/** Makes this a new device with an unused name and without stored data, if its name belongs to another device. */
export function becomeNewDevice(): void {
  const { id, startScreen } = readDevice();
  saveDevice({ id: `${id.slice(0, 57)}-${randomText(6)}`, startScreen });
}
