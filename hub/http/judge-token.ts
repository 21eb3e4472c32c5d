import type { Identities } from "../back-office/identities.ts";
import { HubError } from "../errors.ts";
import { confirmManager } from "./manager.ts";

const TRUST_MS = 10_000;

/** Whether a token is still a manager's; `unsure` while nobody can be asked. */
export async function judgeToken(identities: Identities, token: string): Promise<"manager" | "dead" | "unsure"> {
  try {
    await confirmManager(identities, token, TRUST_MS);
    return "manager";
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return error.code === "UPSTREAM_UNAVAILABLE" ? "unsure" : "dead";
  }
}
