import { getDiscriminatedOption } from "zod";
import {
  brokenInput,
  OrderRejected,
  retryableCodes,
  terminalLimits,
  terminalMessageTypes,
  TerminalMessage,
  type ErrorCode,
  type HubMessage,
  type TerminalMessageType,
} from "@comanda/protocol";
import { compileOnce } from "../../platform/compile-once.ts";
import { describeIssues } from "../../platform/describe-issues.ts";
import { parseJson } from "../../platform/parse-json.ts";
import { presentFields } from "./present-fields.ts";

/** Only valid values are echoed: a terminal could not parse an invalid one, and would retry its mutation forever. */
const echoed = OrderRejected.shape;

/**
 * Parses a frame into a message, or into the answer that says why it is invalid. `admits` counts the frame by its type (null if
 * it has none) and its bytes; a frame that is not admitted is not parsed further.
 */
export function readMessage(
  text: string,
  admits: (type: string | null, size: number) => boolean,
): { message: TerminalMessage } | { problem: HubMessage } {
  const value = parseJson(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const fields = isObject ? presentFields(value) : null;
  const type = fields?.["type"];
  if (!admits(typeof type === "string" ? type : null, Buffer.byteLength(text))) {
    return { problem: refusal(fields ?? {}, "RATE_LIMITED", "too many messages in too short a time") };
  }
  if (value === undefined) return { problem: invalid({}, "the frame is not JSON") };
  if (fields === null) return { problem: invalid({}, "a message is a JSON object") };
  // Offered orders may have been stored before the hub refused such texts; they are cleaned later.
  const broken = brokenInput(fields, terminalLimits.messageDepth, type === "ORDER_OFFER");
  if (broken !== null) return { problem: invalid(fields, broken) };
  if (typeof type !== "string") return { problem: invalid(fields, "type: a message names its type") };
  if (!isMessageType(type)) {
    const error = `there is no message type ${type.slice(0, 64)}`;
    return { problem: { ...echo(fields), type: "ERROR", errorCode: "UNKNOWN_TYPE", error, retryable: false } };
  }
  const parsed = compileOnce(getDiscriminatedOption(TerminalMessage, type)).safeParse(fields);
  return parsed.success ? { message: parsed.data } : { problem: invalid(fields, describeIssues(parsed.error)) };
}

function isMessageType(type: string): type is TerminalMessageType {
  return terminalMessageTypes.has(type);
}

/** Returns the fields of a message that its answer echoes. */
export function echoOf(text: string): { requestId?: string } {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? echo({ ...value }) : {};
}

function invalid(fields: Record<string, unknown>, error: string): HubMessage {
  return refusal(fields, "VALIDATION_ERROR", error);
}

/** Rejects a mutation by its id, so that the terminal's outbox can settle it; anything else gets an ERROR. */
function refusal(fields: Record<string, unknown>, errorCode: ErrorCode, error: string): HubMessage {
  const { type, mutationId, posReference } = fields;
  const answer = { ...echo(fields), errorCode, error, retryable: retryableCodes.has(errorCode) };
  if (typeof mutationId !== "string" || mutationId.length > 128) return { ...answer, type: "ERROR" };
  if (typeof type === "string" && type.startsWith("TILL_")) return { ...answer, type: "TILL_REJECTED", mutationId };
  const { data } = echoed.posReference.safeParse(posReference);
  return { ...answer, type: "ORDER_REJECTED", mutationId, ...(data !== undefined && { posReference: data }) };
}

function echo({ requestId }: Record<string, unknown>): { requestId?: string } {
  const { data } = echoed.requestId.safeParse(requestId);
  return data === undefined ? {} : { requestId: data };
}
