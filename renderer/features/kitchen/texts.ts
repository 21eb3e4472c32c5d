import type { SameKeys } from "../../lib/texts.ts";

const es = {
  title: "Cocina",
  about: "Qué se envió, qué estación lo mostró, qué está listo. Las que nadie ha visto van primero.",
  show: "Mostrar",
  open: "Pendientes",
  ready: "Listas",
  states: { unseen: "Nadie la ha visto", seen: "Vista", started: "En preparación", ready: "Lista" },
  late: "Llegó tarde",
  lateAbout: "Estuvo {{duration}} en el terminal antes de llegar. Quizá ya se sirvió: pregunte antes de cocinar.",
  sent: "Enviada",
  by: "por {{name}}",
  seenAt: "{{station}} a las {{time}}",
  progress: "{{prepared}} de {{quantity}}",
  voided: "anulado",
  emptyTitle: "La cocina está al día",
  empty: "Aquí aparece cada comanda con la prueba de que una estación la mostró.",
  emptyReadyTitle: "Todavía nada listo",
  emptyReady: "Las últimas 100 comandas terminadas aparecen aquí.",
  count_one: "1 comanda",
  count_other: "{{count}} comandas",
  station: "Estación",
  anyStation: "Todas las estaciones",
  took: "tardó {{duration}}",
};

const en: SameKeys<typeof es> = {
  title: "Kitchen",
  about: "What was sent, which station showed it, what is ready. Those that nobody has seen come first.",
  show: "Show",
  open: "Waiting",
  ready: "Ready",
  states: { unseen: "Nobody has seen it", seen: "Seen", started: "Started", ready: "Ready" },
  late: "Came late",
  lateAbout:
    "It stayed on the terminal for {{duration}} before it arrived. It may have been served already: ask before cooking.",
  sent: "Sent",
  by: "by {{name}}",
  seenAt: "{{station}} at {{time}}",
  progress: "{{prepared}} of {{quantity}}",
  voided: "voided",
  emptyTitle: "The kitchen is up to date",
  empty: "Every ticket appears here with the proof that a station showed it.",
  emptyReadyTitle: "Nothing ready yet",
  emptyReady: "The last 100 finished tickets appear here.",
  count_one: "1 ticket",
  count_other: "{{count}} tickets",
  station: "Station",
  anyStation: "All stations",
  took: "took {{duration}}",
};

export const kitchenTexts = { es, en };
