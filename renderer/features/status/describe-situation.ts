import type { Translate } from "@comanda/ui/translation.ts";
import type { Format } from "@comanda/ui/format.ts";
import { isThisComputer } from "../../lib/this-computer.ts";
import type { Situation } from "./situation.ts";

/** Returns the sentence of a situation, and what it means for service. */
export function describeSituation(situation: Situation, t: Translate<"status">, format: Format, now: number) {
  // The count is that of orders waiting for the connection, unless the situation counts something else.
  const { name, pending, terminals = pending, count = terminals, address, lastSyncAt, ...facts } = situation;
  const { since, oldestAt, lasted, until, expiresOn, types = [], left } = facts;
  const began = since ?? oldestAt ?? now;
  const values = {
    ...facts,
    count,
    pending,
    address,
    time: format.timeExact(began),
    duration: format.age(lasted ?? now - new Date(began).getTime()),
    when: until && format.upcoming(until, now),
    day: expiresOn && format.date(expiresOn),
    types: format.list(types),
    left: left !== undefined && format.number(left),
    ago: lastSyncAt && format.ago(lastSyncAt, now),
  };
  if (name === "good")
    return { sentence: t(lastSyncAt == null ? "says.good" : "says.goodSync", values), explanation: "" };
  const sentence = t(`says.${name}`, values);
  if (name !== "backOfficeNeverReached" || address == null)
    return { sentence, explanation: t(`means.${name}`, values) };
  // On the hub's computer, a program has to be started. Elsewhere, the address or the network is at fault.
  const place = isThisComputer(address) ? "here" : "there";
  return { sentence, explanation: t(`means.backOfficeNeverReached_${place}`, values) };
}
