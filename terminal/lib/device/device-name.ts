import { readDevice, saveDevice } from "./device.ts";

/** What was typed, as a name that the hub takes; empty where nothing is left of it. */
export function deviceName(typed: string): string {
  const plain = typed.normalize("NFD").replaceAll(/\p{M}/gu, "").trim();
  return plain.replaceAll(/[^\w.-]+/g, "-").slice(0, 64);
}

/** At the first sign-in; with nothing typed the name that was made up stays. */
export function nameNewDevice(typed: string): void {
  const { id, firstId = id, startScreen } = readDevice();
  const name = deviceName(typed);
  saveDevice(name === "" ? { id, startScreen } : { id: name, firstId, startScreen });
}
