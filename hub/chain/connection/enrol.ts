import { Enrolled, type Enrolment, EnrolmentCode } from "@comanda/protocol/chain.ts";
import { explainedError } from "../../platform/errors.ts";
import { createHttpClient, readBody } from "../../platform/http-client.ts";
import { isLoopback } from "../../platform/loopback.ts";
import type { World } from "../../platform/world.ts";

const ENROL_MS = 15_000;
/** A certificate authority is a few KiB. */
const ANSWER_BYTES = 64 * 1024;

/**
 * Presents a new key of this hub with the code at headquarters. The seed of the key stays here. Throws a HubError that a manager
 * understands.
 */
export async function enrolAt(
  world: World,
  hub: { hubId: string; hubName: string; version: string },
  given: { address: string; code: string },
): Promise<{ address: string; enrolled: Enrolled; publicKey: string; seed: string }> {
  const address = addressOf(given.address);
  const code = EnrolmentCode.safeParse(given.code);
  if (!code.success) throw explainedError("VALIDATION_ERROR", "chain_code_form");
  const { createUser } = await import("@nats-io/nkeys");
  const pair = createUser();
  const publicKey = pair.getPublicKey();
  const enrolment: Enrolment = { code: code.data, publicKey, ...hub };
  const answer = await post(world, address, JSON.stringify(enrolment));
  return {
    address: address.href,
    enrolled: readAnswer(address, answer),
    publicKey,
    seed: Buffer.from(pair.getSeed()).toString(),
  };
}

/** What is sent there is good for one code alone; still it goes through TLS, unless it stays on this computer. */
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

function readAnswer(address: URL, { status, text }: EnrolAnswer): Enrolled {
  if ([400, 401, 403, 404, 409, 410, 429].includes(status) && text.startsWith("{")) {
    throw explainedError("FORBIDDEN", "chain_code_refused");
  }
  try {
    if (status === 200 || status === 201) return Enrolled.parse(JSON.parse(text));
  } catch {
    // Below.
  }
  throw explainedError("UPSTREAM_UNAVAILABLE", "chain_no_headquarters", { address: address.href });
}
