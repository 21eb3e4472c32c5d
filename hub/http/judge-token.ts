import type { Identities } from "../back-office/identities.ts";
import { HubError } from "../platform/errors.ts";
import { confirmManager, isUnsure } from "./manager.ts";

const TRUST_MS = 10_000;

/** Whether a token, shown by `peer`, is still a manager's; `unsure` while nobody can be asked about it. */
export async function judgeToken(
  identities: Identities,
  token: string,
  peer: string,
): Promise<"manager" | "dead" | "unsure"> {
  try {
    await confirmManager(identities, token, { peer, trustMs: TRUST_MS });
    return "manager";
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return isUnsure(error) ? "unsure" : "dead";
  }
}
