import { readDevice } from "../../../lib/device/device.ts";
import { savedStore } from "../../../lib/device/saved.ts";

/** How this device shows the kitchen. */
interface KitchenDevice {
  /** The station whose tickets are shown; null for all. */
  stationId: string | null;
  /** Whether the device is at work in the kitchen: tickets shown count as seen, and it rings. */
  isOnShift: boolean;
  /** Whether it hangs on a wall, to be read from afar. */
  isWall: boolean;
}

export const kitchenDevice = savedStore<KitchenDevice>("comanda-terminal-kitchen", isKitchenDevice, {
  stationId: null,
  isOnShift: readDevice().startScreen === "kitchen",
  isWall: false,
});

export function changeKitchenDevice(change: Partial<KitchenDevice>): void {
  kitchenDevice.set({ ...kitchenDevice.get(), ...change });
}

function isKitchenDevice(value: unknown): value is KitchenDevice {
  const { stationId, isOnShift, isWall } = (value ?? {}) as Partial<KitchenDevice>;
  return (
    (stationId === null || typeof stationId === "string") &&
    typeof isOnShift === "boolean" &&
    typeof isWall === "boolean"
  );
}
