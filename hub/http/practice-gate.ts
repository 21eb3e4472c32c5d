import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Context, Middleware } from "koa";
import type { PracticeService } from "../practice/practice-service.ts";
import { HubError } from "../platform/errors.ts";
import type { Peers } from "../platform/peer-address.ts";
import type { UpgradeVerdict } from "./port/port-server.ts";

/** The practice hub answers below this path on the hub's port. */
const PREFIX = "/practice";
/** Only the terminals' API: the practice hub offers no administration, keys or API documents. */
const SERVED = /^\/practice(\/terminal\/v1\/.*)$/;

/** Headers not passed on: they belong to one connection or identify the caller, and the practice hub knows only this hub. */
const dropped: ReadonlySet<string> = new Set([
  "connection",
  "cookie",
  "forwarded",
  "host",
  "keep-alive",
  "origin",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-forwarded-for",
]);

type Practice = Pick<PracticeService, "port" | "makePlace" | "hold">;

/** Forwards requests of practising devices to the practice hub. `gate` throws for pages that may not call. */
export function practiceGate(
  practice: Pick<Practice, "port">,
  gate: (path: string, request: IncomingMessage) => void,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) return next();
    gate(ctx.path, ctx.req);
    const path = SERVED.exec(ctx.path)?.[1];
    const port = practice.port();
    if (path === undefined || port === null) throw new HubError("NOT_FOUND", "there is no practice under way here");
    const answer = await relay(ctx, port, path + ctx.search);
    ctx.status = answer.statusCode ?? 502;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !dropped.has(name)) ctx.set(name, value);
    }
    // Koa sends no body with these statuses, and would leave it unread.
    if (ctx.status === 204 || ctx.status === 304) answer.resume();
    else ctx.body = answer;
  };
}

function relay({ req: incoming, res, ip }: Context, port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: "127.0.0.1",
      port,
      path,
      method: incoming.method,
      headers: { ...Object.fromEntries(endToEndHeaders(incoming)), "x-forwarded-for": ip },
      agent: false,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", () => reject(new HubError("NOT_FOUND", "the practice has ended")));
    // The device has its answer or has hung up.
    res.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
}

/** Connects a practising device to the practice hub. */
export function upgradeToPractice(
  practice: Practice,
  peerOf: Peers["addressOf"],
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): UpgradeVerdict {
  const port = practice.port();
  if (port === null) return "404 Not Found";
  const address = peerOf(request);
  if (!practice.makePlace(address)) return "503 Service Unavailable";
  const hub = connect(port, "127.0.0.1");
  const headers = [
    ["Host", `127.0.0.1:${port}`],
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ["X-Forwarded-For", address],
    ...endToEndHeaders(request),
  ];
  hub.write(`GET / HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  hub.write(head);
  // When either end closes, the other is closed too.
  for (const [one, other] of [
    [socket, hub],
    [hub, socket],
  ] as const) {
    one.on("error", () => one.destroy());
    one.once("close", () => other.destroy());
    one.pipe(other);
  }
  practice.hold(socket, address);
  return "taken";
}

function endToEndHeaders({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || dropped.has(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
}

/** Whether an upgrade is for the practice hub's terminals. */
export function isPracticePath(path: string | undefined): boolean {
  return path === `${PREFIX}/`;
}
