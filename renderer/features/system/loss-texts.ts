import type { TextTable } from "../../lib/language.ts";

export const lossTexts = {
  title: ["Lo que falta desde la copia de seguridad", "What is missing since the backup"],
  about: [
    "Al restaurar una copia de seguridad se pierde lo que se hizo después. Esto es lo que se sabe de ello; usted decide qué se recupera.",
    "Restoring a backup loses what was done after it. This is what is known of it; you decide what to recover.",
  ],
  none: ["No queda nada por decidir.", "Nothing is left to decide."],
  count_one: ["Falta 1 cosa por decidir", "1 item to decide"],
  count_other: ["Faltan {{count}} cosas por decidir", "{{count}} items to decide"],
  cause: {
    restore: ["Restaurada el {{time}} por {{by}}.", "Restored on {{time}} by {{by}}."],
    lost_tail: [
      "El {{time}} faltaba el final del archivo de datos.",
      "On {{time}} the end of the data file was missing.",
    ],
  },
  commandLine: ["la línea de comandos", "the command line"],
  read: {
    whole: ["El archivo anterior se pudo leer completo.", "The previous file could be read completely."],
    partly: [
      "El archivo anterior solo se pudo leer en parte; los terminales y el back-office aportan el resto.",
      "The previous file could be read only in part; terminals and the back-office provide the rest.",
    ],
    no: [
      "El archivo anterior no se pudo leer; solo se sabe lo que informan los terminales y el back-office.",
      "The previous file could not be read; only what terminals and the back-office report is known.",
    ],
    none: ["No había un archivo anterior.", "There was no previous file."],
  },
  unasked_one: ["Falta preguntar al back-office por 1 cuenta", "The back-office has not been asked about 1 check yet"],
  unasked_other: [
    "Falta preguntar al back-office por {{count}} cuentas",
    "The back-office has not been asked about {{count}} checks yet",
  ],
  what: ["Qué falta", "What is missing"],
  known: ["Lo que se sabe", "What is known"],
  now: ["Estado actual", "Current state"],
  sources: ["Quién lo sabe", "Who knows"],
  absent: ["No está", "Not here"],
  items_one: ["1 artículo", "1 item"],
  items_other: ["{{count}} artículos", "{{count}} items"],
  backOffice: ["Back-office: {{total}}", "Back-office: {{total}}"],
  kind: {
    order_missing: ["Falta la cuenta completa", "The whole check"],
    order_older: ["Faltan cambios de la cuenta", "Changes to the check"],
    order_paid: ["Falta el cobro", "The payment"],
    order_discarded: ["Falta la anulación", "That it was discarded"],
    payment: ["Pago sin aplicar", "Unapplied payment"],
    closed_by_back_office: ["Cobrada según el back-office", "Paid, according to the back-office"],
  },
  todo: {
    order_missing: ["Si se recupera, vuelve a estar abierta.", "If you recover it, it is open again."],
    order_older: [
      "Si se recuperan, lo añadido después se conserva.",
      "If you recover them, what was added since is kept.",
    ],
    order_paid: [
      "Si se recupera, queda cobrada y se envía al back-office.",
      "If you recover it, the check is paid and sent to the back-office.",
    ],
    order_discarded: ["Si se recupera, la cuenta se anula.", "If you recover it, the check is discarded."],
    payment: ["Ya está en los pagos sin aplicar.", "It is already among the unapplied payments."],
    closed_by_back_office: [
      "Se cerró aquí con otro total. Compare los dos y deje una nota.",
      "It was closed here with a different total. Compare both and leave a note.",
    ],
    compare: [
      "Ya no se puede recuperar aquí. Compare y deje una nota.",
      "It can no longer be recovered here. Compare and leave a note.",
    ],
  },
  will: {
    order_missing: [
      "La cuenta vuelve a estar abierta, con todo lo que se sabe de ella. La cocina conserva lo que ya tiene.",
      "The check is open again, with everything that is known of it. The kitchen keeps what it has.",
    ],
    order_older: [
      "La cuenta vuelve a su último estado conocido. Lo añadido desde la restauración se conserva, y la cocina conserva lo que ya tiene.",
      "The check returns to its last known state. What was added since the restore is kept, and the kitchen keeps what it has.",
    ],
    order_paid: [
      "La cuenta queda cobrada con el pago conocido, la mesa se libera y el cobro se envía al back-office, que lo registra una sola vez.",
      "The check becomes paid with the known payment, its table is freed, and the payment is sent to the back-office, which records it once.",
    ],
    order_discarded: [
      "La cuenta se anula y la mesa se libera. No se puede deshacer.",
      "The check is discarded and its table is freed. This cannot be undone.",
    ],
    payment: ["", ""],
    closed_by_back_office: ["", ""],
  },
  source: {
    replaced_file: ["archivo anterior", "previous file"],
    webhook_log: ["registro de notificaciones", "webhook log"],
    back_office: ["back-office", "back-office"],
    terminal: ["terminal {{id}}", "terminal {{id}}"],
  },
  recover: ["Recuperar", "Recover"],
  recoverOf: ["Recuperar {{reference}}", "Recover {{reference}}"],
  recovered: ["{{reference}} está recuperada.", "{{reference}} is recovered."],
  recoverAll: ["Recuperar todo", "Recover everything"],
  recoverAllTitle_one: ["Recuperar 1 cuenta", "Recover 1 check"],
  recoverAllTitle_other: ["Recuperar {{count}} cuentas", "Recover {{count}} checks"],
  recoverAllBody: [
    "Cada cuenta vuelve a su último estado conocido: abierta, cobrada o anulada. Lo cobrado se envía al back-office, que lo registra una sola vez. Lo añadido desde la restauración se conserva.",
    "Each check returns to its last known state: open, paid or discarded. What was paid is sent to the back-office, which records it once. What was added since the restore is kept.",
  ],
  recoveredAll_zero: ["No se recuperó ninguna.", "Nothing was recovered."],
  recoveredAll_one: ["Se recuperó 1 cuenta.", "1 check was recovered."],
  recoveredAll_other: ["Se recuperaron {{count}} cuentas.", "{{count}} checks were recovered."],
  refused: [
    "No se pudieron recuperar: {{references}}. Revíselas una por una.",
    "Could not be recovered: {{references}}. Review them one by one.",
  ],
  dismiss: ["Descartar", "Dismiss"],
  dismissOf: ["Descartar lo que falta de {{reference}}", "Dismiss what is missing of {{reference}}"],
  dismissBody: [
    "La cuenta queda como está. Lo que se sabía de ella se conserva en la lista, con su nota y su nombre.",
    "The check stays as it is. What was known of it is kept in the list, with your note and name.",
  ],
  dismissNote: [
    "Motivo (por ejemplo: el cliente ya pagó en efectivo, era una prueba)",
    "Reason (for example: the guest paid in cash, it was a test)",
  ],
  dismissed: ["Descartado.", "Dismissed."],
  settledList: ["Ya decidido", "Decided"],
  state: {
    open: ["", ""],
    taken_over: ["Recuperada: {{by}}, {{time}}", "Recovered: {{by}}, {{time}}"],
    dismissed: ["Descartada: {{by}}, {{time}}", "Dismissed: {{by}}, {{time}}"],
  },
} as const satisfies TextTable;
