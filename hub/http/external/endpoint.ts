import { Readable } from "node:stream";
import type { Scope } from "@comanda/protocol";
import type { z } from "zod";
import type { KeyHolder } from "../../keys/key-store.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request that may be answered: its caller is known and allowed, its body has the right shape. */
export interface Call<Body = undefined> {
  key: KeyHolder;
  /** The `:name` segments of the path, decoded once. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Body;
}

/** What goes out; a string is JSON already, and so is what a stream gives. */
export interface Reply {
  status: number;
  body: object | string | Readable;
}

export const isJsonText = ({ body }: Reply): boolean => typeof body === "string" || body instanceof Readable;

/** One route below `/external/v1`: who may, what comes in, what happens and what goes out. */
export interface Endpoint {
  method: Method;
  /** Below the prefix; `:name` stands for one URL-encoded segment. */
  path: string;
  scope: Scope;
  /** Absent when no body is read. */
  body?: z.ZodType;
  handle(call: Call<never>): Promise<Reply> | Reply;
}

/** Ties the body that a handler gets to the schema that lets it in. */
export function endpoint<S extends z.ZodType = z.ZodUndefined>(spec: {
  method: Method;
  path: string;
  scope: Scope;
  body?: S;
  handle(call: Call<z.infer<S>>): Promise<Reply> | Reply;
}): Endpoint {
  return spec;
}

export const ok = (body: object | string): Reply => ({ status: 200, body });
