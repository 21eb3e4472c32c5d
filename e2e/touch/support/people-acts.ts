import type { Page } from "@playwright/test";
import type { Restaurant } from "../../support/restaurant.ts";

/** Sets the PIN of one of the seed's users, as that user does after a full sign-in. */
export async function setPin(restaurant: Restaurant, login: string, pin: string): Promise<void> {
  const answer = await fetch(new URL("/terminal/v1/pin", restaurant.hubUrl), {
    method: "PUT",
    headers: { authorization: `Bearer ${await restaurant.token(login)}`, "content-type": "application/json" },
    body: JSON.stringify({ pin }),
  });
  if (!answer.ok) throw new Error(`the PIN of ${login} was not set: ${answer.status} ${await answer.text()}`);
}

/** Resets a person's PIN and tokens, as a manager does on the screens. */
export async function resetPin(restaurant: Restaurant, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
  const list = await fetch(new URL("/operator/v1/people", restaurant.hubUrl), { headers });
  const { people } = (await list.json()) as { people: { id: number; name: string }[] };
  const id = people.find((person) => person.name === name)?.id;
  const answer = await fetch(new URL(`/operator/v1/people/${id}/pin`, restaurant.hubUrl), {
    method: "DELETE",
    headers,
  });
  if (!answer.ok) throw new Error(`the PIN of ${name} was not reset: ${answer.status} ${await answer.text()}`);
}

/** Selects a person on the open pad and types the PIN. */
export async function enterPin(page: Page, name: RegExp, pin: string): Promise<void> {
  const pad = page.getByRole("dialog");
  await pad.getByRole("button", { name }).tap();
  await typePin(page, pin);
}

/** Types the PIN on the open pad. */
export async function typePin(page: Page, pin: string): Promise<void> {
  const pad = page.getByRole("dialog");
  for (const digit of pin) await pad.getByRole("button", { name: digit, exact: true }).tap();
  await pad.getByRole("button", { name: "Aceptar" }).tap();
}

/** Signs in with the form in a separate session, whose end does not affect other specs. Declines the offer of a PIN. */
export async function signInByForm(page: Page, login: string): Promise<void> {
  await declinePin(page);
  await page.getByRole("textbox", { name: "Usuario" }).fill(login);
  await page.getByLabel("Contraseña").fill(login);
  await page.getByRole("button", { name: "Entrar", exact: true }).tap();
}

/** Declines the PIN that a person without one is offered, once the hub has reported that there is none. */
async function declinePin(page: Page): Promise<void> {
  const offer = page.getByRole("dialog", { name: "¿Quiere una clave (PIN)?" });
  await page.addLocatorHandler(offer, () => offer.getByRole("button", { name: "Ahora no" }).tap(), { times: 1 });
}
