/** The routes that terminals use over HTTP, by name: for a page, which has no need of their schemas (terminal-api.ts). */
export const terminalPaths = {
  hub: ["GET", "/terminal/v1/hub"],
  androidUpdate: ["GET", "/terminal/v1/android-update"],
  signIn: ["POST", "/terminal/v1/sign-in"],
  signOut: ["POST", "/terminal/v1/sign-out"],
  menu: ["GET", "/terminal/v1/menu"],
  floors: ["GET", "/terminal/v1/floors"],
  learned: ["GET", "/terminal/v1/learned"],
  customers: ["GET", "/terminal/v1/customers"],
  creditCheck: ["POST", "/terminal/v1/credit-check"],
  creditNote: ["POST", "/terminal/v1/credit-note"],
  refund: ["POST", "/terminal/v1/refunds"],
  printAgain: ["POST", "/terminal/v1/print-jobs/:jobId/again"],
  dismissPrintJob: ["POST", "/terminal/v1/print-jobs/:jobId/dismiss"],
  print: ["POST", "/terminal/v1/print"],
  recentOrders: ["GET", "/terminal/v1/orders/recent"],
  setBookingStatus: ["PATCH", "/terminal/v1/reservations/:key"],
  putBooking: ["PUT", "/terminal/v1/reservations/:key"],
  putWaitingParty: ["PUT", "/terminal/v1/waiting/:key"],
  enterPin: ["POST", "/terminal/v1/pin"],
  setPin: ["PUT", "/terminal/v1/pin"],
  people: ["GET", "/terminal/v1/people"],
  deviceName: ["GET", "/terminal/v1/device-name"],
  enterPractice: ["POST", "/terminal/v1/practice"],
  resetPractice: ["POST", "/terminal/v1/practice/reset"],
} as const satisfies Record<string, readonly [method: string, path: string]>;

export type TerminalRouteName = keyof typeof terminalPaths;
