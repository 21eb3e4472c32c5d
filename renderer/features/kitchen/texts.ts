import type { SameKeys } from "../../lib/language.ts";

const es = {
  title: "Cocina",
  about: "Qué se envió, qué estación lo mostró y qué está listo. Las comandas que nadie ha visto van primero.",
  show: "Mostrar",
  open: "Pendientes",
  ready: "Listas",
  states: { unseen: "Nadie la ha visto", seen: "Vista", started: "En preparación", ready: "Lista" },
  late: "Llegó tarde",
  lateAbout: "Pasó {{duration}} en el terminal antes de llegar. Quizá ya se sirvió: pregunte antes de cocinar.",
  sent: "Enviada",
  by: "por {{name}}",
  seenAt: "{{station}} a las {{time}}",
  progress: "{{prepared}} de {{quantity}}",
  voided: "anulado",
  emptyTitle: "La cocina está al día",
  empty: "Aquí aparece cada comanda con la prueba de que una estación la mostró.",
  emptyReadyTitle: "Todavía nada listo",
  emptyReady: "Las últimas 100 comandas terminadas aparecen aquí.",
  station: "Estación",
  anyStation: "Todas las estaciones",
  took: "tardó {{duration}}",
};

const en: SameKeys<typeof es> = {
  title: "Kitchen",
  about: "What was sent, which station showed it, and what is ready. Tickets that nobody has seen come first.",
  show: "Show",
  open: "Waiting",
  ready: "Ready",
  states: { unseen: "Nobody has seen it", seen: "Seen", started: "Started", ready: "Ready" },
  late: "Arrived late",
  lateAbout:
    "It was held on the terminal for {{duration}} before it arrived. It may already have been served: ask before cooking.",
  sent: "Sent",
  by: "by {{name}}",
  seenAt: "{{station}} at {{time}}",
  progress: "{{prepared}} of {{quantity}}",
  voided: "voided",
  emptyTitle: "The kitchen is up to date",
  empty: "Every ticket appears here with the proof that a station showed it.",
  emptyReadyTitle: "Nothing ready yet",
  emptyReady: "The last 100 finished tickets appear here.",
  station: "Station",
  anyStation: "All stations",
  took: "took {{duration}}",
};

export const kitchenTexts = { es, en };
