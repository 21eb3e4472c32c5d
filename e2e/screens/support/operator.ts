import { operatorRoutes } from "@comanda/protocol";
import type { Restaurant } from "../../support/restaurant.ts";

/** A manager who acts through the screens' API. */
export interface Operator {
  token: string;
  user: unknown;
  get<T>(path: string): Promise<T>;
  createKey(label: string): Promise<string>;
  createWebhook(url: string): Promise<void>;
  post(path: string, body?: unknown): Promise<unknown>;
  put(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  /** Repeats the request until the answer satisfies `matches`. */
  until<T>(path: string, matches: (answer: T) => boolean): Promise<T>;
}

export async function createOperator(restaurant: Restaurant): Promise<Operator> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const account = { login: "manager", password: "manager" };
  const signedIn = await call<{ token: string; user: unknown }>("POST", operatorRoutes.signIn.path, account);
  headers["Authorization"] = `Bearer ${signedIn.token}`;
  const get = <T>(path: string) => call<T>("GET", path);
  return {
    ...signedIn,
    get,
    async createKey(label) {
      const scopes = ["read", "orders:write", "webhooks:manage", "plugins:write"];
      return (await call<{ token: string }>("POST", operatorRoutes.createKey.path, { label, scopes })).token;
    },
    async createWebhook(url) {
      await call("POST", operatorRoutes.createWebhook.path, { url, events: ["*"] });
    },
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    delete: (path) => call("DELETE", path),
    async until<T>(path: string, matches: (answer: T) => boolean) {
      let answer = await get<T>(path);
      while (!matches(answer)) answer = await get<T>(path);
      return answer;
    },
  };

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(restaurant.hubUrl + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
