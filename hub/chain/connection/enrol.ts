import { Enrolled, type Enrolment, EnrolmentCode } from "@comanda/protocol/chain.ts";
import { z } from "zod";
import { explainedError } from "../../platform/errors.ts";
import { parseJson } from "../../platform/parse-json.ts";
import { createHttpClient, readBody } from "../../platform/http-client.ts";
import { isLoopback } from "../../platform/loopback.ts";
import type { World } from "../../platform/world.ts";

const ENROL_MS = 15_000;
/** The answer contains a certificate authority, which is a few KiB. */
const ANSWER_BYTES = 64 * 1024;

/** Keeps the key presented with a code. If the answer was lost, headquarters accept no other key for that code. */
export interface EnrolmentKeys {
  seedFor(code: string): string | null;
  /** Called before the key is sent to headquarters. */
  keepSeed(code: string, seed: string): Promise<void>;
}

/**
 * Enrols at headquarters with the key kept for the code, or with a new one if the code is new. The seed never leaves the hub.
 * Throws a HubError with an explanation for the manager.
 */
export function createEnroller(
  world: World,
  hub: { hubId: string; hubName: string; version: string },
  keys: EnrolmentKeys,
) {
  return async function enrol(input: { address: string; code: string }) {
    const address = addressOf(input.address);
    const code = EnrolmentCode.safeParse(input.code);
    if (!code.success) throw explainedError("VALIDATION_ERROR", "chain_code_form");
    const { createUser, fromSeed } = await import("@nats-io/nkeys");
    const stored = keys.seedFor(code.data);
    const seed = stored ?? Buffer.from(createUser().getSeed()).toString();
    if (stored === null) await keys.keepSeed(code.data, seed);
    const publicKey = fromSeed(Buffer.from(seed)).getPublicKey();
    const enrolment: Enrolment = { code: code.data, publicKey, ...hub };
    const answer = await post(world, address, JSON.stringify(enrolment));
    const enrolled = readAnswer(address, answer);
    return { address: address.href, enrolled, publicKey, seed };
  };
}

/** Requires TLS except on this computer, although the code sent there works only once. */
function addressOf(text: string): URL {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username + url.password !== "") {
    throw explainedError("VALIDATION_ERROR", "chain_address");
  }
  url.search = "";
  url.hash = "";
  return url;
}

interface EnrolAnswer {
  status: number;
  text: string;
}

async function post(world: World, address: URL, body: string): Promise<EnrolAnswer> {
  const http = createHttpClient({ connectTimeoutMs: ENROL_MS, keepAlive: false });
  const target = new URL(address);
  target.pathname = `${address.pathname.replace(/\/$/, "")}/enroll`;
  try {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const response = await http.post(target, { headers, body, signal: world.timers.timeoutSignal(ENROL_MS) });
    const { bytes, end } = await readBody(response, ANSWER_BYTES);
    if (end !== "whole") throw new Error(`the answer is ${end}`);
    return { status: response.statusCode ?? 0, text: bytes.toString() };
  } catch (error) {
    world.log.warn({ err: error, address: address.href }, "the headquarters to enrol at cannot be reached");
    throw explainedError("UPSTREAM_UNAVAILABLE", "chain_unreachable", { address: address.href });
  } finally {
    http.stop();
  }
}

/** Reasons of a refusal by headquarters' error code. An answer with another code, or none, is not from headquarters. */
const refusals = {
  ENROLMENT_CODE_WRONG: "chain_code_unknown",
  ENROLMENT_CODE_EXPIRED: "chain_code_expired",
  ENROLMENT_CODE_USED: "chain_code_used",
  HUB_IN_USE: "chain_hub_in_use",
  TOO_MANY_TRIES: "chain_too_many_codes",
} as const;
const Refused = z.object({ errorCode: z.enum(Object.keys(refusals) as (keyof typeof refusals)[]) });

function readAnswer(address: URL, { status, text }: EnrolAnswer): Enrolled {
  const answer = parseJson(text);
  const refused = Refused.safeParse(answer);
  if (refused.success) throw explainedError("FORBIDDEN", refusals[refused.data.errorCode]);
  const enrolled = Enrolled.safeParse(answer);
  if ((status === 200 || status === 201) && enrolled.success) return enrolled.data;
  throw explainedError("UPSTREAM_UNAVAILABLE", "chain_no_headquarters", { address: address.href });
}
