import type { FailureCode } from "../lib/hub-failure.ts";
import type { SameKeys } from "../lib/texts.ts";

/** For every code: `what` happened and what it means, and what `todo`. */
const es = {
  again: "Intentar de nuevo",
  "HUB-VALIDATION_ERROR": {
    what: "El hub no acepta estos datos.",
    todo: "Corrija lo que se nombra abajo y guarde de nuevo.",
  },
  "HUB-TOTALS_MISMATCH": {
    what: "El total no coincide con la suma de las líneas.",
    todo: "Revise los importes de las líneas.",
  },
  "HUB-UNKNOWN_TABLE": {
    what: "Esa mesa no existe en el plano.",
    todo: "Elija una mesa del plano o actualice el plano en el back-office.",
  },
  "HUB-UNKNOWN_TYPE": { what: "El hub no conoce este mensaje.", todo: "Actualice esta página o el terminal." },
  "HUB-UNAUTHENTICATED": {
    what: "La sesión no es válida.",
    todo: "Inicie sesión con una cuenta de gerente del back-office.",
  },
  "HUB-FORBIDDEN": { what: "Esta cuenta no puede hacerlo.", todo: "Inicie sesión con una cuenta de gerente." },
  "HUB-NOT_FOUND": { what: "Esto ya no existe.", todo: "Vuelva a la lista: alguien pudo haberlo quitado." },
  "HUB-NO_ACTIVE_SESSION": {
    what: "La caja está cerrada.",
    todo: "Abra la sesión del punto de venta en el back-office.",
  },
  "HUB-TABLE_OCCUPIED": {
    what: "La mesa ya tiene una cuenta abierta.",
    todo: "Abra esa cuenta y agregue ahí lo que falta.",
  },
  "HUB-ORDER_LOCKED": {
    what: "La cuenta ya está en cobro o pagada y no se puede cambiar.",
    todo: "Si está en cobro, reábrala en un terminal.",
  },
  "HUB-SENT_LINES_IMMUTABLE": {
    what: "La cocina ya tiene una de esas líneas.",
    todo: "Anule la línea en un terminal en vez de quitarla.",
  },
  "HUB-CONFLICT": {
    what: "Alguien cambió esto mientras tanto. No se escribió nada.",
    todo: "Mire el estado actual y repita la acción.",
  },
  "HUB-LEASE_HELD": {
    what: "Otro terminal está trabajando en esta cuenta.",
    todo: "Espere a que termine o libere la cuenta en Terminales.",
  },
  "HUB-LIMIT_REACHED": {
    what: "Ya hay tantos como se permiten.",
    todo: "Libere o borre alguno que no haga falta y repita la acción.",
  },
  "HUB-MUTATION_TOO_OLD": {
    what: "El cambio es demasiado viejo para aplicarlo con seguridad.",
    todo: "Haga el cambio de nuevo a mano.",
  },
  "HUB-PAYLOAD_TOO_LARGE": { what: "El envío es demasiado grande.", todo: "Envíe menos de una vez." },
  "HUB-MISDIRECTED_REQUEST": {
    what: "El hub no atiende bajo esta dirección.",
    todo: "Use la dirección IP del hub o agregue este nombre a los permitidos.",
  },
  "HUB-PROTOCOL_TOO_OLD": { what: "El terminal es demasiado viejo para este hub.", todo: "Actualice el terminal." },
  "HUB-RATE_LIMITED": { what: "Demasiadas solicitudes en un minuto.", todo: "Espere un minuto e intente de nuevo." },
  "HUB-INTERNAL_ERROR": {
    what: "Algo falló dentro del hub. El servicio sigue.",
    todo: "Intente de nuevo; si se repite, envíe el paquete de diagnóstico (Sistema).",
  },
  "HUB-UPSTREAM_UNAVAILABLE": {
    what: "El back-office no responde. El servicio sigue con lo que el hub ya sabe.",
    todo: "Revise la línea de internet y el servidor; el hub reintenta solo.",
  },
  "HUB-NOT_CONFIGURED": {
    what: "El hub no tiene cuenta para el back-office.",
    todo: "Ponga usuario y contraseña en Sistema, Ajustes.",
  },
  "HUB-STORAGE_FULL": {
    what: "El disco está lleno: el hub no puede guardar más.",
    todo: "Libere espacio ahora; nada de lo guardado se pierde.",
  },
  "HUB-NO_CONNECTION": {
    what: "Esta página no alcanza el hub.",
    todo: "Revise que la PC del hub esté encendida y en la misma red.",
  },
  "HUB-UNEXPECTED_ANSWER": {
    what: "El hub respondió algo que esta página no entiende.",
    todo: "Recargue la página; quizá el hub acaba de actualizarse.",
  },
} satisfies Record<FailureCode | "again", unknown>;

const en: SameKeys<typeof es> = {
  again: "Try again",
  "HUB-VALIDATION_ERROR": {
    what: "The hub does not accept this data.",
    todo: "Correct what is named below and save again.",
  },
  "HUB-TOTALS_MISMATCH": {
    what: "The total differs from the sum of the lines.",
    todo: "Check the amounts of the lines.",
  },
  "HUB-UNKNOWN_TABLE": {
    what: "That table is not in the floor plan.",
    todo: "Choose a table of the plan, or update the plan in the back-office.",
  },
  "HUB-UNKNOWN_TYPE": { what: "The hub does not know this message.", todo: "Update this page or the terminal." },
  "HUB-UNAUTHENTICATED": { what: "The sign-in is not valid.", todo: "Sign in with a manager's back-office account." },
  "HUB-FORBIDDEN": { what: "This account may not do that.", todo: "Sign in with a manager's account." },
  "HUB-NOT_FOUND": { what: "This is no longer there.", todo: "Go back to the list: somebody may have removed it." },
  "HUB-NO_ACTIVE_SESSION": {
    what: "The register is closed.",
    todo: "Open the point-of-sale session in the back-office.",
  },
  "HUB-TABLE_OCCUPIED": { what: "The table already has an open check.", todo: "Open that check and add to it." },
  "HUB-ORDER_LOCKED": {
    what: "The check is being paid or is paid, and cannot be changed.",
    todo: "If it is being paid, reopen it on a terminal.",
  },
  "HUB-SENT_LINES_IMMUTABLE": {
    what: "The kitchen already has one of these lines.",
    todo: "Void the line on a terminal instead of removing it.",
  },
  "HUB-CONFLICT": {
    what: "Somebody changed this meanwhile. Nothing was written.",
    todo: "Look at how it is now and do it again.",
  },
  "HUB-LEASE_HELD": {
    what: "Another terminal is working on this check.",
    todo: "Wait until it is done, or release the check under Terminals.",
  },
  "HUB-LIMIT_REACHED": {
    what: "There are as many as are allowed.",
    todo: "Release or delete one that is not needed and do it again.",
  },
  "HUB-MUTATION_TOO_OLD": {
    what: "The change is too old to be applied safely.",
    todo: "Make the change again by hand.",
  },
  "HUB-PAYLOAD_TOO_LARGE": { what: "That is too large to send.", todo: "Send less at once." },
  "HUB-MISDIRECTED_REQUEST": {
    what: "The hub does not answer under this address.",
    todo: "Use the hub's IP address, or add this name to the allowed ones.",
  },
  "HUB-PROTOCOL_TOO_OLD": { what: "The terminal is too old for this hub.", todo: "Update the terminal." },
  "HUB-RATE_LIMITED": { what: "Too many requests in a minute.", todo: "Wait a minute and try again." },
  "HUB-INTERNAL_ERROR": {
    what: "Something failed inside the hub. Service goes on.",
    todo: "Try again; if it happens again, send the diagnostics bundle (System).",
  },
  "HUB-UPSTREAM_UNAVAILABLE": {
    what: "The back-office does not answer. Service goes on with what the hub knows.",
    todo: "Check the internet line and the server; the hub tries again by itself.",
  },
  "HUB-NOT_CONFIGURED": {
    what: "The hub has no back-office account.",
    todo: "Enter user and password under System, Settings.",
  },
  "HUB-STORAGE_FULL": {
    what: "The disk is full: the hub cannot store any more.",
    todo: "Free some space now; nothing that is stored is lost.",
  },
  "HUB-NO_CONNECTION": {
    what: "This page cannot reach the hub.",
    todo: "Check that the hub's PC is on and in the same network.",
  },
  "HUB-UNEXPECTED_ANSWER": {
    what: "The hub answered something that this page does not understand.",
    todo: "Reload the page; the hub may just have been updated.",
  },
};

export const failureTexts = { es, en };
