import { ErrorExplanation, errorCodes, retryableCodes } from "@comanda/protocol";
import type { RefusalCode } from "@comanda/ui/refusal-texts.ts";
import { z } from "zod";

/** The codes of failed calls: those of the hub, of the connection, and of an unreadable answer to an executed call. */
export type FailureCode = `HUB-${RefusalCode | "UNREAD_ANSWER"}`;

/**
 * A failed call. `code` is stable and documented. `message` is the hub's own English sentence, for support only: screens build
 * their text from the code and the explanation.
 */
export class HubFailure extends Error {
  override readonly name = "HubFailure";
  readonly code: FailureCode;
  readonly explanation: ErrorExplanation;

  constructor(code: FailureCode, message: string, explanation: ErrorExplanation = {}) {
    super(message);
    this.code = code;
    this.explanation = explanation;
  }
}

const passingCodes = new Set<string>(["HUB-NO_CONNECTION", ...[...retryableCodes].map((code) => `HUB-${code}`)]);

/** Whether the same call may work later. */
export function isPassing(error: unknown): boolean {
  return error instanceof HubFailure && passingCodes.has(error.code);
}

const Body = z.object({ error: z.string(), errorCode: z.enum(errorCodes) });

/** Reads the body of a failed answer. A body that is not the hub's becomes HUB-UNEXPECTED_ANSWER. */
export async function readFailure(response: Response): Promise<HubFailure> {
  const content: unknown = await response.json().catch(() => null);
  const body = Body.safeParse(content);
  if (!body.success) return new HubFailure("HUB-UNEXPECTED_ANSWER", `${response.status} ${response.statusText}`);
  const { error, errorCode } = body.data;
  return new HubFailure(`HUB-${errorCode}`, error, ErrorExplanation.safeParse(content).data);
}

export function asFailure(error: unknown): HubFailure {
  if (error instanceof HubFailure) return error;
  return new HubFailure("HUB-UNEXPECTED_ANSWER", error instanceof Error ? error.message : String(error));
}
