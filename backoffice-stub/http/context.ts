import type { ParameterizedContext } from "koa";
import type { Body } from "./read-body.ts";

/** What earlier steps leave for later ones. */
export interface RequestState {
  body: Body;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
