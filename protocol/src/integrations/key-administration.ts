import { z } from "zod";
import { Deleted, route, type HttpApi } from "../http/http-route.ts";
import { ApiKey, CreateKey, UpdateKey } from "../access/keys.ts";

export const KeyList = z.object({ keys: z.array(ApiKey) });
export const KeyCreated = z.object({ keyId: z.string(), token: z.string() });
export type KeyCreated = z.infer<typeof KeyCreated>;
export const KeyChanged = z.object({ keyId: z.string(), enabled: z.boolean() });

export const keyRoutes = {
  listKeys: route("GET", "/external-keys", "manager", {
    needsConfirmation: true,
    summary: "Lists the API keys, without their tokens.",
    answerSummary: "The keys.",
    answer: KeyList,
  }),
  createKey: route("POST", "/external-keys", "manager", {
    needsConfirmation: true,
    summary: "Creates an API key. Its token is returned only here.",
    body: CreateKey,
    answerSummary: "The key was created.",
    answer: KeyCreated,
    status: 201,
  }),
  updateKey: route("PATCH", "/external-keys/:keyId", "manager", {
    needsConfirmation: true,
    summary: "Disables a key from its next request on, or enables it again.",
    body: UpdateKey,
    answerSummary: "The key was changed.",
    answer: KeyChanged,
  }),
  deleteKey: route("DELETE", "/external-keys/:keyId", "manager", {
    needsConfirmation: true,
    summary: "Deletes a key.",
    answerSummary: "The key was deleted.",
    answer: Deleted,
  }),
};

/** The API to manage API keys, for integrators' scripts and the hub's screens. */
export const keyAdministrationApi = {
  prefix: "/external-keys",
  budgets: ["peer", "keyAdministration"],
  credential: "manager",
  routes: keyRoutes,
} as const satisfies HttpApi;
