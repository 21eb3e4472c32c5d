import { BackOfficeFailure, sentence, JsonRpcAnswer, type JsonRpcError } from "@comanda/protocol";
import type { z } from "zod";
import { parseJson } from "../platform/parse-json.ts";
import { BackOfficeError, mismatchError, notABackOffice } from "./back-office-error.ts";

/** Prefix of the ids of the hub's JSON-RPC calls. An answer with another id of this form belongs to another call. */
export const RPC_ID = "comanda-";

/** Returns the value in an answer. Odoo reports errors with HTTP 200, so the body decides. Throws a BackOfficeError. */
export function readAnswer(status: number, contentType: string, text: string, rpcId: string | undefined): unknown {
  const body = contentType.includes("json") ? parseJson(text) : undefined;
  // Checks for the key first, because a failed parse takes longer than everything else here.
  const envelope = hasKey(body, "jsonrpc") ? JsonRpcAnswer.safeParse(body) : null;
  if (envelope?.success === true) {
    if (!isAnswerTo(rpcId, envelope.data.id)) throw mismatchError();
    const { error, result } = envelope.data;
    if (error) throw rpcFailure(error);
    return result ?? null;
  }
  if (status >= 200 && status < 300) {
    if (body !== undefined) return body;
    throw notABackOffice(sentence("back_office_no_json", { status }), status);
  }
  throw statusFailure(status, body);
}

/** Validates a value against a schema. Throws a BackOfficeError. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, status?: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const location = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "?"}`;
  throw notABackOffice(sentence("back_office_unexpected", { where: location }), status);
}

/** Resolves with the answer, or with `nothing` if the back-office has no such endpoint. */
export function orNoEndpoint<A, N>(answer: Promise<A>, nothing: N): Promise<A | N> {
  return answer.catch((error: unknown) => {
    if (error instanceof BackOfficeError && isNoEndpoint(error)) return nothing;
    throw error;
  });
}

/**
 * Whether a failure means that the back-office has no such endpoint. Back-offices answer an unknown path with a refusal, a
 * page or other content. Odoo answers with a 404, which can also mean a dead session; the next call then shows which it
 * was.
 */
function isNoEndpoint({ kind, status }: BackOfficeError): boolean {
  if (kind === "session_dead") return status === 404;
  return kind === "refused" || (kind === "unreachable" && status !== undefined && status < 500 && !isBusy(status));
}

function isAnswerTo(rpcId: string | undefined, id: unknown): boolean {
  return id === rpcId || typeof id !== "string" || !id.startsWith(RPC_ID);
}

function statusFailure(status: number, body: unknown): BackOfficeError {
  if (status === 413) {
    return new BackOfficeError("refused", sentence("back_office_larger_than_accepted"), {
      errorCode: "PAYLOAD_TOO_LARGE",
      status,
    });
  }
  if (status === 401) return new BackOfficeError("session_dead", sentence("back_office_session_dead"), { status });
  const failure = BackOfficeFailure.safeParse(body);
  if (failure.success && status < 500 && !isBusy(status)) {
    const { error, errorCode } = failure.data;
    return new BackOfficeError("refused", error, { errorCode, status });
  }
  return notABackOffice(sentence("back_office_status", { status }), status);
}

function isBusy(status: number): boolean {
  return status === 408 || status === 429;
}

function rpcFailure(error: JsonRpcError): BackOfficeError {
  const name = error.data?.name ?? "";
  const message = error.data?.message ?? error.message;
  if (error.code === 100 || error.code === 404 || name.endsWith("SessionExpiredException")) {
    const status = error.code === 404 ? 404 : undefined;
    return new BackOfficeError("session_dead", sentence("back_office_session_dead"), { status });
  }
  if (error.data?.status === 401) return new BackOfficeError("session_dead", message);
  if (error.data?.status !== undefined && error.data.status >= 500) {
    return new BackOfficeError("unreachable", message, { status: error.data.status });
  }
  if (name.endsWith("AccessDenied")) return new BackOfficeError("login_refused", message);
  return new BackOfficeError("refused", message, {
    errorCode: error.data?.errorCode ?? (name === "" ? undefined : name),
    status: error.data?.status ?? 200,
  });
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}
