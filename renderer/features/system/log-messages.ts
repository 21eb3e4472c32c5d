/**
 * What the log lines mean that a manager may need to understand; the others are for support and stay as the hub wrote them.
 * English readers get the line itself.
 */
export const logMessages: Readonly<Partial<Record<string, string>>> = {
  "terminal connected": "Se conectó un terminal",
  "terminal disconnected": "Se desconectó un terminal",
  "somebody signed in at a terminal": "Alguien inició sesión en un terminal",
  "a manager signed in at the screens": "Un gerente inició sesión en estas pantallas",
  "a sign-in failed": "No se aceptó un inicio de sesión",
  "a PIN was set": "Una persona puso su clave",
  "signed in at the back-office": "El hub inició sesión en el back-office",
  "the back-office answers": "El back-office responde",
  "the back-office cannot be reached": "No hay conexión con el back-office",
  "the back-office refuses the hub's own sign-in": "El back-office rechaza el usuario del hub",
  "the back-office refuses a fiscal number": "El back-office no da un comprobante (NCF)",
  "a paid order needs attention": "Una cuenta pagada necesita atención",
  "a paid order cannot be read": "Una cuenta pagada no se puede leer",
  "an order cannot be read": "Una cuenta no se puede leer",
  "a webhook receiver does not accept deliveries": "Un receptor no acepta las notificaciones",
  "a webhook delivery was dead-lettered": "Una notificación no se pudo entregar",
  "a webhook test was not answered": "Un receptor no respondió a la prueba",
  "API key created": "Se creó una llave",
  "API key changed": "Cambió una llave",
  "API key deleted": "Se eliminó una llave",
  "daily backup made": "Se hizo la copia de seguridad diaria",
  "the daily backup could not be made": "No se pudo hacer la copia de seguridad diaria",
  "the backup folder cannot be read": "No se puede leer la carpeta de las copias de seguridad",
  "a backup is restored at the next start": "La copia de seguridad se restaura en el próximo arranque",
  "a backup could not be restored": "No se pudo restaurar una copia de seguridad",
  "data file checked": "Se revisó el archivo de datos",
  "the data file has a problem": "El archivo de datos tiene un problema",
  "the data file is damaged": "El archivo de datos está dañado",
  "the data file can be written again": "Ya se puede escribir en el archivo de datos",
  "the hub restarts": "El hub se reinicia",
  "this computer's clock differs from the back-office's; set it right":
    "La hora de esta PC no coincide con la del back-office",
  "the machine slept: every lease gets a fresh grace": "La PC estuvo dormida; ninguna cuenta en uso se pierde por eso",
  "announced on the local network": "El hub se anuncia en la red",
  "the hub could not be announced; terminals can be given its address":
    "El hub no se pudo anunciar en la red; use su dirección en los terminales",
  "HUB_DEV_AUTH is on: anyone on this network may use this hub without signing in":
    "Está activo entrar sin contraseña: cualquiera en la red puede usar este hub",
  "a request failed": "Falló una solicitud",
};
