import { readDevice, saveDevice } from "./device.ts";

/** Returns the typed text as a name that the hub accepts; empty if nothing of it remains. */
export function deviceName(typed: string): string {
  const plain = typed.normalize("NFD").replaceAll(/\p{M}/gu, "").trim();
  return plain.replaceAll(/[^\w.-]+/g, "-").slice(0, 64);
}

/** Names the device at its first sign-in. With nothing typed, it keeps its generated name. */
export function nameNewDevice(typed: string): void {
  const { id, firstId = id, startScreen } = readDevice();
  const name = deviceName(typed);
  saveDevice(name === "" ? { id, startScreen } : { id: name, firstId, startScreen });
}
