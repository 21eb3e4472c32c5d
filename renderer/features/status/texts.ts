import type { SameKeys } from "../../lib/texts.ts";

const es = {
  label: "Estado general",
  look: "Ver y resolver",
  says: {
    connecting: "Conectando con el hub…",
    lost: "Sin conexión con el hub desde las {{time}}.",
    dataFile_corrupt: "Una parte del archivo de datos del hub está dañada.",
    dataFile_damaged_records: "Hay registros dañados en el archivo de datos del hub.",
    dataFile_lost_changes: "Faltan cambios que el hub ya había guardado.",
    dataFile_disk_failed: "El hub no puede escribir en su disco.",
    diskLow: "Al disco del hub le queda poco espacio.",
    devAuth: "El modo de desarrollo está activo: cualquiera puede entrar sin contraseña.",
    refused: "El back-office rechaza la cuenta del hub.",
    notConfigured: "El hub no tiene cuenta para el back-office.",
    unappliedPayments_one: "Un pago recibido no se pudo aplicar a su cuenta.",
    unappliedPayments_other: "{{count}} pagos recibidos no se pudieron aplicar a sus cuentas.",
    attention_one: "El back-office rechazó una orden pagada.",
    attention_other: "El back-office rechazó {{count}} órdenes pagadas.",
    backOfficeDown: "El back-office no responde desde hace {{duration}}.",
    signedOut: "La sesión del hub en el back-office terminó y se está renovando.",
    unsent_one: "Un terminal tiene {{pending}} cambios sin entregar al hub desde hace {{duration}}.",
    unsent_other: "{{count}} terminales tienen {{pending}} cambios sin entregar al hub desde hace {{duration}}.",
    kitchenUnseen_one: "Nadie en cocina ha visto una comanda desde hace {{duration}}.",
    kitchenUnseen_other: "Nadie en cocina ha visto {{count}} comandas desde hace {{duration}}.",
    webhooksDead_one: "Una notificación a una integración no se pudo entregar.",
    webhooksDead_other: "{{count}} notificaciones a integraciones no se pudieron entregar.",
    noBackup: "No hay un respaldo bueno de las últimas 24 horas.",
    closed: "La caja está cerrada.",
    noTerminals: "El hub está listo y ningún terminal está conectado.",
    good_one: "Todo bien: 1 terminal conectado.",
    good_other: "Todo bien: {{count}} terminales conectados.",
    goodSync_one: "Todo bien: 1 terminal, última sincronización {{ago}}.",
    goodSync_other: "Todo bien: {{count}} terminales, última sincronización {{ago}}.",
  },
  means: {
    connecting: "",
    lost: "Lo que se ve abajo es de entonces. Los terminales pueden seguir trabajando; esta página se reconecta sola.",
    dataFile_corrupt:
      "El servicio sigue hasta donde se pueda leer. Reinicie el hub en cuanto pueda: revisará todo el archivo y ofrecerá la última copia de seguridad buena.",
    dataFile_damaged_records:
      "Las cuentas dañadas no se muestran; las demás siguen bien. Busque las que falten en una copia de seguridad anterior.",
    dataFile_lost_changes:
      "Lo último antes del corte no está en el archivo. Revise las cuentas abiertas con los meseros; los terminales devuelven lo que tienen.",
    dataFile_disk_failed:
      "Nada nuevo se guarda y los terminales esperan con lo suyo. Libere espacio o revise el disco; el hub sigue intentando.",
    diskLow: "Cuando se llene, el hub ya no podrá guardar órdenes. Libere espacio antes del próximo turno.",
    devAuth: "No use este modo en un restaurante. Quite HUB_DEV_AUTH y reinicie el hub.",
    refused: "El servicio sigue y las órdenes pagadas esperan. Corrija usuario o contraseña del hub.",
    notConfigured: "Las órdenes pagadas esperan en el hub y no llegan a contabilidad.",
    unappliedPayments: "El dinero se cobró. Un gerente debe decir cómo se registró.",
    attention: "No se pierde nada, pero no llegará a contabilidad hasta que alguien lo vea.",
    backOfficeDown_zero: "El enlace roto es hub–back-office (o internet). El servicio sigue y nada está esperando.",
    backOfficeDown_one:
      "El enlace roto es hub–back-office (o internet). El servicio sigue; una orden pagada espera y se enviará sola.",
    backOfficeDown_other:
      "El enlace roto es hub–back-office (o internet). El servicio sigue; {{count}} órdenes pagadas esperan y se enviarán solas.",
    signedOut: "El hub vuelve a iniciar sesión solo.",
    unsent: "El enlace roto es terminal–hub (la Wi-Fi). Acerque el terminal o revíselo; no borre sus datos.",
    kitchenUnseen: "Revise que la pantalla de cocina esté encendida.",
    webhooksDead: "El servicio no se afecta. Se pueden reenviar cuando el receptor funcione.",
    noBackup: "Haga uno ahora; tarda unos segundos y no interrumpe el servicio.",
    closed: "Abra la sesión en el back-office para tomar órdenes.",
    noTerminals: "Conecte el primero con el código o la dirección.",
    good: "",
  },
};

const en: SameKeys<typeof es> = {
  label: "Overall state",
  look: "Look and resolve",
  says: {
    connecting: "Connecting to the hub…",
    lost: "No connection to the hub since {{time}}.",
    dataFile_corrupt: "A part of the hub's data file is damaged.",
    dataFile_damaged_records: "The hub's data file holds damaged records.",
    dataFile_lost_changes: "Changes that the hub had stored are missing.",
    dataFile_disk_failed: "The hub cannot write to its disk.",
    diskLow: "The hub's disk is almost full.",
    devAuth: "Development mode is on: anybody can get in without a password.",
    refused: "The back-office refuses the hub's account.",
    notConfigured: "The hub has no back-office account.",
    unappliedPayments_one: "A payment was taken and could not be put on its check.",
    unappliedPayments_other: "{{count}} payments were taken and could not be put on their checks.",
    attention_one: "The back-office refused a paid order.",
    attention_other: "The back-office refused {{count}} paid orders.",
    backOfficeDown: "The back-office has not answered for {{duration}}.",
    signedOut: "The hub's back-office session ended and is being renewed.",
    unsent_one: "A terminal has had {{pending}} changes not handed to the hub for {{duration}}.",
    unsent_other: "{{count}} terminals have had {{pending}} changes not handed to the hub for {{duration}}.",
    kitchenUnseen_one: "Nobody in the kitchen has seen a ticket for {{duration}}.",
    kitchenUnseen_other: "Nobody in the kitchen has seen {{count}} tickets for {{duration}}.",
    webhooksDead_one: "A notification to an integration could not be delivered.",
    webhooksDead_other: "{{count}} notifications to integrations could not be delivered.",
    noBackup: "There is no good backup of the last 24 hours.",
    closed: "The register is closed.",
    noTerminals: "The hub is ready and no terminal is connected.",
    good_one: "All good: 1 terminal connected.",
    good_other: "All good: {{count}} terminals connected.",
    goodSync_one: "All good: 1 terminal, last sync {{ago}}.",
    goodSync_other: "All good: {{count}} terminals, last sync {{ago}}.",
  },
  means: {
    connecting: "",
    lost: "What you see below is from then. Terminals may still be working; this page reconnects by itself.",
    dataFile_corrupt:
      "Service goes on as far as it can be read. Restart the hub as soon as you can: it will check the whole file and offer the newest good backup.",
    dataFile_damaged_records:
      "Damaged checks are not shown; the others are fine. Look for what is missing in an earlier backup.",
    dataFile_lost_changes:
      "What came last before the interruption is not in the file. Go through the open checks with the waiters; terminals give back what they hold.",
    dataFile_disk_failed:
      "Nothing new is stored, and terminals wait with what they have. Free some space or check the disk; the hub keeps trying.",
    diskLow: "When it is full the hub can no longer store orders. Free space before the next shift.",
    devAuth: "Do not use this mode in a restaurant. Remove HUB_DEV_AUTH and restart the hub.",
    refused: "Service goes on and paid orders wait. Correct the hub's user or password.",
    notConfigured: "Paid orders wait in the hub and do not reach accounting.",
    unappliedPayments: "The money was taken. A manager has to say how it was accounted for.",
    attention: "Nothing is lost, but it will not reach accounting until somebody looks at it.",
    backOfficeDown_zero:
      "The broken link is hub–back-office (or the internet). Service goes on and nothing is waiting.",
    backOfficeDown_one:
      "The broken link is hub–back-office (or the internet). Service goes on; one paid order waits and will be sent by itself.",
    backOfficeDown_other:
      "The broken link is hub–back-office (or the internet). Service goes on; {{count}} paid orders wait and will be sent by themselves.",
    signedOut: "The hub signs in again by itself.",
    unsent:
      "The broken link is terminal–hub (the Wi-Fi). Bring the terminal closer or check it; do not clear its data.",
    kitchenUnseen: "Check that the kitchen screen is on.",
    webhooksDead: "Service is not affected. They can be sent again once the receiver works.",
    noBackup: "Make one now; it takes seconds and does not interrupt service.",
    closed: "Open the session in the back-office to take orders.",
    noTerminals: "Connect the first one with the code or the address.",
    good: "",
  },
};

export const statusTexts = { es, en };
