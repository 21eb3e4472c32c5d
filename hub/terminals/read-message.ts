import { terminalMessageTypes, TerminalMessage, type HubMessage } from "@comanda/protocol";
import { describeIssues, isDeeperThan } from "../describe-issues.ts";

const MAX_DEPTH = 32;

/** A frame's meaning, or the answer that says what is wrong with it. */
export function readMessage(text: string): { message: TerminalMessage } | { problem: HubMessage } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: invalid({}, "the frame is not JSON") };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: invalid({}, "a message is a JSON object") };
  }
  const fields: Record<string, unknown> = { ...value };
  const { type } = fields;
  if (typeof type !== "string") return { problem: invalid(fields, "type: a message names its type") };
  if (!terminalMessageTypes.has(type)) {
    const error = `there is no message type ${type.slice(0, 64)}`;
    return { problem: { ...echo(fields), type: "ERROR", errorCode: "UNKNOWN_TYPE", error, retryable: false } };
  }
  if (isDeeperThan(value, MAX_DEPTH)) return { problem: invalid(fields, `nested deeper than ${MAX_DEPTH} levels`) };
  const parsed = TerminalMessage.safeParse(value);
  return parsed.success ? { message: parsed.data } : { problem: invalid(fields, describeIssues(parsed.error)) };
}

/** A malformed mutation is rejected by its id, so that its outbox can settle it; anything else is an ERROR. */
function invalid(fields: Record<string, unknown>, error: string): HubMessage {
  const { mutationId, posReference } = fields;
  const told = { ...echo(fields), errorCode: "VALIDATION_ERROR", error, retryable: false } as const;
  if (typeof mutationId !== "string" || mutationId.length > 128) return { ...told, type: "ERROR" };
  const reference = typeof posReference === "string" && posReference.length <= 256 ? { posReference } : {};
  return { ...told, type: "ORDER_REJECTED", mutationId, ...reference };
}

function echo(fields: Record<string, unknown>): { requestId?: string } {
  const { requestId } = fields;
  return typeof requestId === "string" && requestId.length <= 64 ? { requestId } : {};
}
