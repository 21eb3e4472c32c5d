import type { HttpApi, HttpRoute, externalApi, operatorApi, terminalApi } from "@comanda/protocol";
import type { Context } from "koa";
import type { z } from "zod";
import type { KeyHolder } from "../keys/key-store.ts";
import type { Manager, SessionUser } from "./access/access.ts";

/** The handlers of a route table; input and answer are typed by the route's entry. */
export type Handlers<R extends HttpApi["routes"]> = {
  readonly [N in keyof R]: (call: Call<R[N]>) => Answer<R[N]> | Promise<Answer<R[N]>>;
};

export type ExternalHandlers = Handlers<typeof externalApi.routes>;
export type OperatorHandlers = Handlers<typeof operatorApi.routes>;
export type TerminalHandlers = Handlers<typeof terminalApi.routes>;

/** A request whose caller, path, query and body have passed all checks of its route. */
export type Call<R extends HttpRoute> = CallerOf<R["access"]> & {
  /** The `:name` segments of the path, decoded once. */
  params: ParamsOf<R["path"]>;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  /** The session token that came with the request, even if it cannot be confirmed now. */
  shownToken: string | null;
  ctx: Context;
};

/** The content of a download and its file name. */
export interface Download {
  name: string;
  type: string;
  content: string | Buffer | NodeJS.ReadableStream;
}

/** An answer sent as is: JSON text (a string, or a stream of it), or one with another status. */
export class Reply {
  readonly body: unknown;
  readonly status: number | undefined;
  constructor(body: unknown, status?: number) {
    this.body = body;
    this.status = status;
  }
}

type CallerOf<A> = A extends "public"
  ? { manager: Manager | null }
  : A extends "manager"
    ? { manager: Manager }
    : A extends "terminal"
      ? { user: SessionUser }
      : A extends "device"
        ? { deviceId: string }
        : { key: KeyHolder };
type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamsOf<Head> & ParamsOf<Tail>
  : Path extends `:${infer Name}`
    ? Record<Name, string>
    : unknown;
type Parsed<R, K extends "query" | "body"> = R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;
type Answer<R> = R extends { file: true }
  ? Download
  : R extends { stream: true }
    ? undefined
    : R extends { answer: infer S extends z.ZodType }
      ? z.input<S> | Reply
      : never;
