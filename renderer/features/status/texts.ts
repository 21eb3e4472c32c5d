import { splitTexts } from "../../lib/language.ts";

export const statusTexts = splitTexts({
  label: ["Estado general", "Overall state"],
  look: ["Ver y resolver", "View and resolve"],
  says: {
    connecting: ["Conectando con el hub…", "Connecting to the hub…"],
    lost: ["Sin conexión con el hub desde las {{time}}.", "No connection to the hub since {{time}}."],
    dataFile_corrupt: [
      "Una parte del archivo de datos del hub está dañada.",
      "A part of the hub's data file is damaged.",
    ],
    dataFile_damaged_records: [
      "Hay registros dañados en el archivo de datos del hub.",
      "The hub's data file holds damaged records.",
    ],
    dataFile_lost_changes: [
      "Faltan cambios que el hub ya había guardado.",
      "Changes that the hub had saved are missing.",
    ],
    dataFile_disk_failed: ["El hub no puede escribir en su disco.", "The hub cannot write to its disk."],
    diskLow: ["Queda poco espacio en el disco del hub.", "The hub's disk is almost full."],
    devAuth: [
      "El modo de desarrollo está activo: cualquiera puede entrar sin contraseña.",
      "Development mode is on: anyone can sign in without a password.",
    ],
    refused: ["El back-office rechaza la cuenta del hub.", "The back-office rejects the hub's account."],
    notConfigured: ["El hub no tiene cuenta en el back-office.", "The hub has no back-office account."],
    unappliedPayments_one: [
      "Un pago cobrado no se pudo aplicar a su cuenta.",
      "A payment was taken but could not be applied to its check.",
    ],
    unappliedPayments_other: [
      "{{count}} pagos cobrados no se pudieron aplicar a sus cuentas.",
      "{{count}} payments were taken but could not be applied to their checks.",
    ],
    losses_one: [
      "Falta algo que estaba antes de restaurar la copia de seguridad.",
      "Something is missing since a backup was restored.",
    ],
    losses_other: [
      "Faltan {{count}} cosas que estaban antes de restaurar la copia de seguridad.",
      "{{count}} things are missing since a backup was restored.",
    ],
    attention_one: ["El back-office rechazó una orden pagada.", "The back-office rejected a paid order."],
    attention_other: [
      "El back-office rechazó {{count}} órdenes pagadas.",
      "The back-office rejected {{count}} paid orders.",
    ],
    backOfficeDown: [
      "El back-office no responde desde hace {{duration}}.",
      "The back-office has not responded for {{duration}}.",
    ],
    signedOut: [
      "La sesión del hub en el back-office terminó y se está renovando.",
      "The hub's back-office session ended and is being renewed.",
    ],
    unsent_one: [
      "Un terminal tiene {{pending}} cambios sin enviar al hub desde hace {{duration}}.",
      "A terminal has had {{pending}} unsent changes for {{duration}}.",
    ],
    unsent_other: [
      "{{count}} terminales tienen {{pending}} cambios sin enviar al hub desde hace {{duration}}.",
      "{{count}} terminals have had {{pending}} unsent changes for {{duration}}.",
    ],
    kitchenUnseen_one: [
      "Nadie en la cocina ha visto una comanda desde hace {{duration}}.",
      "Nobody in the kitchen has seen a ticket for {{duration}}.",
    ],
    kitchenUnseen_other: [
      "Nadie en la cocina ha visto {{count}} comandas desde hace {{duration}}.",
      "Nobody in the kitchen has seen {{count}} tickets for {{duration}}.",
    ],
    webhooksDead_one: [
      "Una notificación a una integración no se pudo entregar.",
      "A notification to an integration could not be delivered.",
    ],
    webhooksDead_other: [
      "{{count}} notificaciones a integraciones no se pudieron entregar.",
      "{{count}} notifications to integrations could not be delivered.",
    ],
    backupFails: ["El hub no puede hacer la copia de seguridad diaria.", "The hub cannot make its daily backup."],
    noBackup: [
      "No hay una copia de seguridad buena de hoy ni de ayer.",
      "There is no good backup from today or yesterday.",
    ],
    closed: ["La caja está cerrada.", "The register is closed."],
    noTerminals: [
      "El hub está listo, pero ningún terminal está conectado.",
      "The hub is ready, but no terminal is connected.",
    ],
    good_one: ["Todo bien: 1 terminal conectado.", "All good: 1 terminal connected."],
    good_other: ["Todo bien: {{count}} terminales conectados.", "All good: {{count}} terminals connected."],
    goodSync_one: ["Todo bien: 1 terminal, última sincronización {{ago}}.", "All good: 1 terminal, last sync {{ago}}."],
    goodSync_other: [
      "Todo bien: {{count}} terminales, última sincronización {{ago}}.",
      "All good: {{count}} terminals, last sync {{ago}}.",
    ],
  },
  means: {
    connecting: ["", ""],
    lost: [
      "Lo que se ve abajo es de esa hora. Los terminales pueden seguir trabajando; esta página se reconecta sola.",
      "What you see below is from that time. Terminals may still be working; this page reconnects by itself.",
    ],
    dataFile_corrupt: [
      "El servicio continúa con lo que se puede leer. Reinicie el hub en cuanto pueda: revisará todo el archivo y ofrecerá la última copia de seguridad buena.",
      "Service continues with what can be read. Restart the hub as soon as you can: it will check the whole file and offer the newest good backup.",
    ],
    dataFile_damaged_records: [
      "Las cuentas dañadas no se muestran; las demás están bien. Busque las que falten en una copia de seguridad anterior.",
      "Damaged checks are not shown; the others are fine. Look for the missing ones in an earlier backup.",
    ],
    dataFile_lost_changes: [
      "Los últimos cambios antes del corte no están en el archivo. Revise las cuentas abiertas con los meseros; los terminales reenvían lo que tienen.",
      "The last changes before the interruption are not in the file. Review the open checks with the waiters; terminals resend what they have.",
    ],
    dataFile_disk_failed: [
      "No se guarda nada nuevo; los terminales conservan su trabajo. Libere espacio o revise el disco; el hub sigue intentando.",
      "Nothing new is saved; terminals keep their work. Free some space or check the disk; the hub keeps trying.",
    ],
    diskLow: [
      "Cuando se llene, el hub ya no podrá guardar órdenes. Libere espacio antes del próximo turno.",
      "When it is full, the hub can no longer save orders. Free some space before the next shift.",
    ],
    devAuth: [
      "No use este modo en un restaurante. Quite HUB_DEV_AUTH y reinicie el hub.",
      "Do not use this mode in a restaurant. Remove HUB_DEV_AUTH and restart the hub.",
    ],
    refused: [
      "El servicio continúa y las órdenes pagadas esperan. Corrija el usuario o la contraseña del hub.",
      "Service continues and paid orders wait. Correct the hub's user or password.",
    ],
    notConfigured: [
      "Las órdenes pagadas esperan en el hub y no llegan a contabilidad.",
      "Paid orders wait in the hub and do not reach accounting.",
    ],
    unappliedPayments: [
      "El dinero se cobró. Un gerente debe indicar cómo se registró.",
      "The money was taken. A manager must say how it was recorded.",
    ],
    losses: [
      "Un gerente debe decidir qué se recupera antes de cerrar el turno.",
      "A manager must decide what to recover before the shift is closed.",
    ],
    attention: [
      "No se pierde nada, pero no llegará a contabilidad hasta que alguien lo revise.",
      "Nothing is lost, but it will not reach accounting until someone reviews it.",
    ],
    backOfficeDown_zero: [
      "Falla la conexión entre el hub y el back-office, o el internet. El servicio continúa y nada está esperando.",
      "The connection between the hub and the back-office, or the internet, is down. Service continues and nothing is waiting.",
    ],
    backOfficeDown_one: [
      "Falla la conexión entre el hub y el back-office, o el internet. El servicio continúa; una orden pagada espera y se enviará sola.",
      "The connection between the hub and the back-office, or the internet, is down. Service continues; one paid order is waiting and will be sent automatically.",
    ],
    backOfficeDown_other: [
      "Falla la conexión entre el hub y el back-office, o el internet. El servicio continúa; {{count}} órdenes pagadas esperan y se enviarán solas.",
      "The connection between the hub and the back-office, or the internet, is down. Service continues; {{count}} paid orders are waiting and will be sent automatically.",
    ],
    signedOut: ["El hub vuelve a iniciar sesión solo.", "The hub signs in again by itself."],
    unsent: [
      "Falla la conexión entre el terminal y el hub (la Wi-Fi). Acerque el terminal o revíselo; no borre sus datos.",
      "The connection between the terminal and the hub (the Wi-Fi) is down. Move the terminal closer or check it; do not clear its data.",
    ],
    kitchenUnseen: ["Revise que la pantalla de cocina esté encendida.", "Check that the kitchen screen is on."],
    webhooksDead: [
      "El servicio no se afecta. Se pueden reenviar cuando el receptor funcione.",
      "Service is not affected. They can be sent again once the receiver works.",
    ],
    backupFails: [
      "El servicio continúa. La causa está en Copias de seguridad; casi siempre falta espacio en el disco.",
      "Service continues. The cause is shown under Backups; usually the disk is almost full.",
    ],
    noBackup: [
      "Haga una ahora; tarda unos segundos y no interrumpe el servicio.",
      "Make one now; it takes seconds and does not interrupt service.",
    ],
    closed: [
      "Abra la sesión en el back-office para tomar órdenes.",
      "Open the session in the back-office to take orders.",
    ],
    noTerminals: [
      "Conecte el primero con el código o la dirección.",
      "Connect the first one with the code or the address.",
    ],
    good: ["", ""],
  },
});
