import type { ParameterizedContext } from "koa";
import type { Body } from "./read-body.ts";

/** Values that earlier middleware sets for later. */
export interface RequestState {
  body: Body;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
