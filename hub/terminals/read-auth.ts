import { Auth, CloseCode } from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";
import { AuthRefused } from "./auth-refused.ts";

/** The first message of a connection. Throws AuthRefused. */
export function readAuth(text: string): Auth {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const isAuth = typeof value === "object" && value !== null && "type" in value && value.type === "AUTH";
  if (!isAuth) throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "the first message is AUTH");
  const parsed = Auth.safeParse(value);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path[0]);
  if (names.includes("token")) {
    throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "token: this is no back-office session");
  }
  const isDevice = names.includes("deviceId");
  const closeCode = isDevice ? CloseCode.forbidden : CloseCode.unauthenticated;
  throw new AuthRefused("VALIDATION_ERROR", closeCode, describeIssues(parsed.error));
}
