import { HubUnreachableError, TerminalRefusal, type GivenActor, type Terminal } from "@comanda/terminal";

/** Why a PIN gave no token. */
export type PinFailure = "wrong" | "locked" | "needsPassword" | "unknownDevice" | "unreachable" | "other";
export type PinResult = { given: GivenActor } | { failed: PinFailure };

/** Requests a token for the user with this PIN on this device. Never throws. */
export async function enterPin(
  terminal: Terminal,
  { userId, pin, purpose }: { userId: number | string; pin: string; purpose?: "approval" | undefined },
): Promise<PinResult> {
  try {
    return { given: await terminal.enterPin(userId, pin, purpose) };
  } catch (error) {
    return { failed: await whyNot(terminal, error) };
  }
}

async function whyNot(terminal: Terminal, error: unknown): Promise<PinFailure> {
  if (error instanceof HubUnreachableError) return "unreachable";
  if (!(error instanceof TerminalRefusal)) return "other";
  if (error.code === "RATE_LIMITED") return "locked";
  if (error.code === "CONFIRMATION_NEEDED") return "needsPassword";
  if (error.code !== "UNAUTHENTICATED") return "other";
  return (await isUnknown(terminal)) ? "unknownDevice" : "wrong";
}

/** Whether the hub does not know the device. It answers as to a wrong PIN, but an unknown device may not load the people. */
async function isUnknown(terminal: Terminal): Promise<boolean> {
  try {
    await terminal.loadPeople();
    return false;
  } catch (error) {
    return error instanceof TerminalRefusal && error.code === "UNAUTHENTICATED";
  }
}
