import { HubUnreachableError, TerminalRefusal, type ActorGrant, type Terminal } from "@comanda/terminal";

/** Why a PIN gave no token. */
export type PinFailure = "wrong" | "locked" | "needsPassword" | "unknownDevice" | "unreachable" | "other";
export type PinResult = { grant: ActorGrant } | { failed: PinFailure };

/** Requests a token for the user with this PIN on this device. Never throws. */
export async function enterPin(
  terminal: Terminal,
  { userId, pin, purpose }: { userId: number | string; pin: string; purpose?: "approval" | undefined },
): Promise<PinResult> {
  try {
    return { grant: await terminal.enterPin(userId, pin, purpose) };
  } catch (error) {
    return { failed: await failureOf(terminal, error) };
  }
}

async function failureOf(terminal: Terminal, error: unknown): Promise<PinFailure> {
  if (error instanceof HubUnreachableError) return "unreachable";
  if (!(error instanceof TerminalRefusal)) return "other";
  if (error.code === "RATE_LIMITED") return "locked";
  if (error.code === "CONFIRMATION_NEEDED") return "needsPassword";
  if (error.code !== "UNAUTHENTICATED") return "other";
  return (await isUnknownDevice(terminal)) ? "unknownDevice" : "wrong";
}

/** Whether the hub does not know the device. It answers as to a wrong PIN, but an unknown device may not load the people. */
async function isUnknownDevice(terminal: Terminal): Promise<boolean> {
  try {
    await terminal.loadPeople();
    return false;
  } catch (error) {
    return error instanceof TerminalRefusal && error.code === "UNAUTHENTICATED";
  }
}
