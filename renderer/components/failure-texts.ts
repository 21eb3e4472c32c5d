import type { FailureCode } from "../lib/hub-failure.ts";
import { splitTexts, type Text } from "../lib/language.ts";

/** `what` happened and what it means, and what `todo` about it. */
type FailureText = { what: Text; todo: Text };

const table: Record<FailureCode, FailureText> & { again: Text } = {
  again: ["Intentar de nuevo", "Try again"],
  "HUB-VALIDATION_ERROR": {
    what: ["El hub no acepta estos datos.", "The hub does not accept this data."],
    todo: ["Corrija lo que se indica abajo y guarde de nuevo.", "Correct what is listed below and save again."],
  },
  "HUB-TOTALS_MISMATCH": {
    what: ["El total no coincide con la suma de las líneas.", "The total differs from the sum of the lines."],
    todo: ["Revise los importes de las líneas.", "Check the amounts of the lines."],
  },
  "HUB-UNKNOWN_TABLE": {
    what: ["Esa mesa no existe en el plano.", "That table is not on the floor plan."],
    todo: [
      "Elija una mesa del plano o actualice el plano en el back-office.",
      "Choose a table on the plan, or update the plan in the back-office.",
    ],
  },
  "HUB-UNKNOWN_TYPE": {
    what: ["El hub no conoce este mensaje.", "The hub does not know this message."],
    todo: ["Actualice esta página o el terminal.", "Update this page or the terminal."],
  },
  "HUB-UNAUTHENTICATED": {
    what: ["La sesión no es válida.", "Your session is not valid."],
    todo: ["Inicie sesión con una cuenta de gerente del back-office.", "Sign in with a manager's back-office account."],
  },
  "HUB-FORBIDDEN": {
    what: ["Esta cuenta no tiene permiso para hacer esto.", "This account is not allowed to do this."],
    todo: ["Inicie sesión con una cuenta de gerente.", "Sign in with a manager's account."],
  },
  "HUB-DEVICE_TAKEN": {
    what: ["Este terminal lo usa otra persona.", "Another person uses this terminal."],
    todo: [
      "Inicie sesión con la cuenta de esa persona o de un gerente, u olvide el terminal en la pantalla Terminales.",
      "Sign in as that person or as a manager, or forget the terminal on the Terminals screen.",
    ],
  },
  "HUB-NOT_FOUND": {
    what: ["Esto ya no existe.", "This no longer exists."],
    todo: [
      "Vuelva a la lista: es posible que alguien lo haya eliminado.",
      "Go back to the list: someone may have removed it.",
    ],
  },
  "HUB-NO_ACTIVE_SESSION": {
    what: ["La caja está cerrada.", "The register is closed."],
    todo: [
      "Abra la sesión del punto de venta en el back-office.",
      "Open the point-of-sale session in the back-office.",
    ],
  },
  "HUB-TABLE_OCCUPIED": {
    what: ["La mesa ya tiene una cuenta abierta.", "The table already has an open check."],
    todo: ["Abra esa cuenta y agregue ahí lo que falta.", "Open that check and add to it."],
  },
  "HUB-ORDER_LOCKED": {
    what: [
      "La cuenta está en cobro o ya está pagada y no se puede cambiar.",
      "The check is being paid or is already paid, and cannot be changed.",
    ],
    todo: ["Si está en cobro, reábrala en un terminal.", "If it is being paid, reopen it on a terminal."],
  },
  "HUB-SENT_LINES_IMMUTABLE": {
    what: ["La cocina ya tiene una de esas líneas.", "The kitchen already has one of these lines."],
    todo: ["Anule la línea en un terminal en vez de quitarla.", "Void the line on a terminal instead of removing it."],
  },
  "HUB-CONFLICT": {
    what: [
      "Alguien cambió esto mientras tanto. No se guardó nada.",
      "Someone changed this in the meantime. Nothing was saved.",
    ],
    todo: ["Revise cómo quedó y repita la acción.", "Check its current state and try again."],
  },
  "HUB-LEASE_HELD": {
    what: ["Otro terminal está trabajando en esta cuenta.", "Another terminal is working on this check."],
    todo: [
      "Espere a que termine o libere la cuenta en la pantalla Terminales.",
      "Wait until it is done, or release the check on the Terminals screen.",
    ],
  },
  "HUB-LIMIT_REACHED": {
    what: ["Ya se alcanzó el máximo permitido.", "The maximum has been reached."],
    todo: [
      "Libere o elimine alguno que no haga falta y repita la acción.",
      "Release or delete one that is not needed and try again.",
    ],
  },
  "HUB-MUTATION_TOO_OLD": {
    what: [
      "El cambio es demasiado antiguo para aplicarlo con seguridad.",
      "The change is too old to be applied safely.",
    ],
    todo: ["Haga el cambio de nuevo.", "Make the change again."],
  },
  "HUB-PAYLOAD_TOO_LARGE": {
    what: ["El envío es demasiado grande.", "The request is too large."],
    todo: ["Envíe menos cada vez.", "Send less at a time."],
  },
  "HUB-MISDIRECTED_REQUEST": {
    what: ["El hub no responde en esta dirección.", "The hub does not answer at this address."],
    todo: [
      "Use la dirección IP del hub o agregue este nombre a los permitidos.",
      "Use the hub's IP address, or add this name to the allowed hosts.",
    ],
  },
  "HUB-PROTOCOL_TOO_OLD": {
    what: [
      "El terminal usa un protocolo demasiado antiguo para este hub.",
      "The terminal's protocol is too old for this hub.",
    ],
    todo: ["Actualice el terminal.", "Update the terminal."],
  },
  "HUB-CLIENT_TOO_OLD": {
    what: [
      "El terminal tiene una versión que el back-office ya no acepta.",
      "The terminal runs a version that the back-office no longer accepts.",
    ],
    todo: ["Actualice el terminal.", "Update the terminal."],
  },
  "HUB-RATE_LIMITED": {
    what: ["Demasiadas solicitudes en un minuto.", "Too many requests in a minute."],
    todo: ["Espere un minuto e intente de nuevo.", "Wait a minute and try again."],
  },
  "HUB-INTERNAL_ERROR": {
    what: [
      "Hubo un error interno en el hub. El servicio continúa.",
      "The hub had an internal error. Service continues.",
    ],
    todo: [
      "Intente de nuevo; si se repite, envíe el paquete de diagnóstico (Sistema).",
      "Try again; if it happens again, send the diagnostics bundle (System).",
    ],
  },
  "HUB-UPSTREAM_UNAVAILABLE": {
    what: [
      "El back-office no responde. El servicio continúa con los datos que el hub ya tiene.",
      "The back-office does not respond. Service continues with the data that the hub has.",
    ],
    todo: [
      "Revise la conexión a internet y el servidor; el hub reintenta solo.",
      "Check the internet connection and the server; the hub retries by itself.",
    ],
  },
  "HUB-NOT_CONFIGURED": {
    what: ["El hub no tiene cuenta en el back-office.", "The hub has no back-office account."],
    todo: [
      "Escriba el usuario y la contraseña en Sistema, Ajustes.",
      "Enter the user and password under System, Settings.",
    ],
  },
  "HUB-STORAGE_FULL": {
    what: [
      "El disco está lleno: el hub no puede guardar nada más.",
      "The disk is full: the hub cannot save anything more.",
    ],
    todo: [
      "Libere espacio ahora; lo que ya está guardado no se pierde.",
      "Free some space now; nothing already saved is lost.",
    ],
  },
  "HUB-NO_CONNECTION": {
    what: ["Esta página no puede conectarse con el hub.", "This page cannot connect to the hub."],
    todo: [
      "Revise que la PC del hub esté encendida y en la misma red.",
      "Check that the hub's PC is on and on the same network.",
    ],
  },
  "HUB-UNEXPECTED_ANSWER": {
    what: [
      "El hub respondió algo que esta página no entiende.",
      "The hub answered something that this page does not understand.",
    ],
    todo: [
      "Recargue la página; quizá el hub acaba de actualizarse.",
      "Reload the page; the hub may just have been updated.",
    ],
  },
};

export const failureTexts = splitTexts(table);
