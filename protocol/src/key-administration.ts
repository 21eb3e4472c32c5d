import { z } from "zod";
import { Deleted, type HttpApi } from "./http-route.ts";
import { ApiKey, CreateKey, UpdateKey } from "./keys.ts";

export const KeyList = z.object({ keys: z.array(ApiKey) });
export const KeyCreated = z.object({ keyId: z.string(), token: z.string() });
export type KeyCreated = z.infer<typeof KeyCreated>;
export const KeyChanged = z.object({ keyId: z.string(), enabled: z.boolean() });

export const keyRoutes = {
  listKeys: {
    method: "GET",
    path: "/external-keys",
    access: "manager",
    summary: "Lists the API keys, without their tokens.",
    answerSummary: "The keys.",
    answer: KeyList,
  },
  createKey: {
    method: "POST",
    path: "/external-keys",
    access: "manager",
    summary: "Creates an API key; its token is returned only here.",
    body: CreateKey,
    answerSummary: "The key was created.",
    answer: KeyCreated,
    status: 201,
  },
  updateKey: {
    method: "PATCH",
    path: "/external-keys/:keyId",
    access: "manager",
    summary: "Disables a key, with effect at the next request, or enables it again.",
    body: UpdateKey,
    answerSummary: "The key was changed.",
    answer: KeyChanged,
  },
  deleteKey: {
    method: "DELETE",
    path: "/external-keys/:keyId",
    access: "manager",
    summary: "Deletes a key.",
    answerSummary: "The key was deleted.",
    answer: Deleted,
  },
} as const satisfies HttpApi["routes"];

/** What managers do with API keys: for integrators' scripts and the hub's screens. */
export const keyAdministrationApi = {
  prefix: "/external-keys",
  budgets: ["peer", "keyAdministration"],
  credential: "manager",
  routes: keyRoutes,
} as const satisfies HttpApi;
