import { errorCodes } from "@comanda/protocol";
import { z } from "zod";

/** The codes of failed calls: the hub's own, and those of the connection to it. */
export const failureCodes = [
  ...errorCodes.map((code) => `HUB-${code}` as const),
  "HUB-NO_CONNECTION",
  "HUB-UNEXPECTED_ANSWER",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** A failed call; `code` is stable and documented, `message` is the hub's own sentence. */
export class HubFailure extends Error {
  override readonly name = "HubFailure";
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

const Body = z.object({ error: z.string(), errorCode: z.enum(errorCodes) });

/** Reads the body of a failed answer; a body that is not the hub's becomes HUB-UNEXPECTED_ANSWER. */
export async function readFailure(response: Response): Promise<HubFailure> {
  const body = Body.safeParse(await response.json().catch(() => null));
  if (body.success) return new HubFailure(`HUB-${body.data.errorCode}`, body.data.error);
  return new HubFailure("HUB-UNEXPECTED_ANSWER", `${response.status} ${response.statusText}`);
}

export function asFailure(error: unknown): HubFailure {
  if (error instanceof HubFailure) return error;
  return new HubFailure("HUB-UNEXPECTED_ANSWER", error instanceof Error ? error.message : String(error));
}
