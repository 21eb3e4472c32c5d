import { splitTexts } from "../../lib/language.ts";

export const kitchenTexts = splitTexts({
  title: ["Cocina", "Kitchen"],
  about: [
    "Qué se envió, qué estación lo mostró y qué está listo. Las comandas que nadie ha visto van primero.",
    "What was sent, which station showed it, and what is ready. Tickets that nobody has seen come first.",
  ],
  show: ["Mostrar", "Show"],
  open: ["Pendientes", "Waiting"],
  ready: ["Listas", "Ready"],
  states: {
    unseen: ["Nadie la ha visto", "Nobody has seen it"],
    seen: ["Vista", "Seen"],
    started: ["En preparación", "Started"],
    ready: ["Lista", "Ready"],
  },
  late: ["Llegó tarde", "Arrived late"],
  lateAbout: [
    "Pasó {{duration}} en el terminal antes de llegar. Quizá ya se sirvió: pregunte antes de cocinar.",
    "It was held on the terminal for {{duration}} before it arrived. It may already have been served: ask before cooking.",
  ],
  sent: ["Enviada", "Sent"],
  by: ["por {{name}}", "by {{name}}"],
  seenAt: ["{{station}} a las {{time}}", "{{station}} at {{time}}"],
  progress: ["{{prepared}} de {{quantity}}", "{{prepared}} of {{quantity}}"],
  voided: ["anulado", "voided"],
  emptyTitle: ["La cocina está al día", "The kitchen is up to date"],
  empty: [
    "Aquí aparece cada comanda con la prueba de que una estación la mostró.",
    "Every ticket appears here with the proof that a station showed it.",
  ],
  emptyReadyTitle: ["Todavía nada listo", "Nothing ready yet"],
  emptyReady: ["Las últimas 100 comandas terminadas aparecen aquí.", "The last 100 finished tickets appear here."],
  station: ["Estación", "Station"],
  anyStation: ["Todas las estaciones", "All stations"],
  took: ["tardó {{duration}}", "took {{duration}}"],
});
