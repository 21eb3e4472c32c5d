import type { Restaurant } from "./restaurant.ts";

/** Calls the operator API, by default as a manager. `answer` is null if the body is empty. */
export async function callOperator(
  restaurant: Pick<Restaurant, "hubUrl" | "token">,
  method: string,
  path: string,
  { body, login = "manager" }: { body?: object | undefined; login?: string } = {},
): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(new URL(`/operator/v1/${path}`, restaurant.hubUrl), {
    method,
    headers: {
      authorization: `Bearer ${await restaurant.token(login)}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, answer: text === "" ? null : JSON.parse(text) };
}
