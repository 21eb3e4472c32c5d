/** The sizes of a phone, a tablet and a PC with a touch screen. */
export const devices = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  pc: { width: 1366, height: 768 },
} as const;
export type DeviceKind = keyof typeof devices;
