/**
 * Compression dictionary of packed orders and tickets: field names and usual values as the hub writes them. A pack can only be
 * read with the dictionary it was written with, so this text must never change; a test checks its checksum. A better
 * dictionary needs a second text with its own first byte in pack.ts.
 */
export const DICTIONARY =
  '{"id":"","posReference":"Orden ","stationId":"","stationName":"Cocina","stationId":null,"stationName":null,' +
  '"orderType":"takeout","tableId":null,"checkNumber":null,"ticketNumber":"T-001","customerName":null,"sentAt":"2026-01-01T' +
  '00:00:00.000Z","sentBy":"","terminalId":"","late":true,"queuedAt":"2026-","seen":[{"stationId":"","at":"2026-01-01T00:00:00.000Z"}],' +
  '"serving":false,"lines":[{"lineId":"","productId":"1","name":"","quantity":1,"preparedQuantity":1,"cancelledQuantity":0,' +
  '"state":"ready","kitchenLineId":"","isSeen":true,"isServed":false,"note":null,"specialRequest":null,"seat":null,' +
  '"course":null,"shares":[{"posReference":"Orden ","lineId":"","quantity":1,"preparedQuantity":1,"cancelledQuantity":0,' +
  '"voidedQuantity":1,"takenBack":true}],"readyAt":"2026-01-01T00:00:00.000Z"},{"lineId":"","productId":2,"name":"",' +
  '"quantity":2,"preparedQuantity":0,"cancelledQuantity":2,"state":"cancelled","kitchenLineId":"","isSeen":true,' +
  '"isServed":true,"modifiers":[{"name":"","quantity":1}],"note":"","specialRequest":"","seat":1,"course":"","soldOut":true,' +
  '"shares":[{"posReference":"Orden ","lineId":"","quantity":1,"preparedQuantity":1,"cancelledQuantity":0}],' +
  '"state":"served","kitchenLineId":"","isSeen":true,"isServed":true,"note":null,"specialRequest":null,"seat":null,' +
  '"course":null,"shares":[{"posReference":""}],"readyAt":null,"isOver":true,"expired":true}' +
  '{"versions":[{"version":1,"origin":"","userName":"","kind":"created","isContent":1,"at":17,"checksum":1,"length":1},' +
  '{"version":2,"origin":"","userName":null,"kind":"sent","isContent":0,"kind":"edited","kind":"seen","kind":"bumped",' +
  '"kind":"served","kind":"checkout","kind":"paid","isContent":1,"kind":"closed"}],"tickets":[{"place":1,"ticketId":"",' +
  '"seq":1,"checksum":1,"length":1}]}\n' +
  '{"posReference":"Orden ","version":1,"tableId":null,"terminalId":"hub","createdAt":"2026-01-01 00:00:00","updatedAt":' +
  '"2026-01-01 00:00:00","snapshot":{"orderType":"dine_in","tableId":1,"customerName":"","customerId":null,"notes":"",' +
  '"guestCount":2,"staffName":"","lines":[{"id":"","productId":"1","name":"","productName":"","quantity":1,"unitPrice":100,' +
  '"price":100,"total":100,"taxIds":["1","2"],"taxAmount":18,"discount":0,"modifiers":[{"id":"","name":"","quantity":1,' +
  '"price":0}],"note":"sin ","seat":1,"course":"","specialRequest":"","voided":true,"voidedQuantity":1,' +
  '"sentVoidedQuantity":1,"splitOf":"","splitFrom":"","menuCheck":"unknown","kitchenLineId":"","kitchenSentAt":"2026-01-01T' +
  '00:00:00.000Z","sentQuantity":1,"preparedQuantity":1,"kitchenTicketId":"","kitchenItemStatus":"pending"},{"id":"",' +
  '"productId":2,"quantity":2,"unitPrice":50,"total":100,"taxIds":[],"taxAmount":0,"menuCheck":"ok","kitchenLineId":"",' +
  '"kitchenSentAt":"2026-01-01T00:00:00.000Z","sentQuantity":2,"preparedQuantity":0,"kitchenTicketId":"",' +
  '"kitchenItemStatus":"preparing"},{"id":"","productId":"3","quantity":1,"unitPrice":75.5,"total":75.5,"taxIds":["1"],' +
  '"taxAmount":13.59,"menuCheck":"unknown","kitchenLineId":"","kitchenSentAt":"2026-01-01T00:00:00.000Z","sentQuantity":1,' +
  '"preparedQuantity":1,"kitchenTicketId":"","kitchenItemStatus":"ready"},"kitchenItemStatus":"served"},' +
  '"kitchenItemStatus":"cancelled"}],"totals":{"subtotal":100,"tax":18,"service":10,"tip":0,"discount":0,"total":118},' +
  '"posReference":"Orden ","status":"closed","checkNumber":1,"ticketNumber":"D-001","createdAt":"2026-01-01T00:00:00.000Z",' +
  '"updatedAt":"2026-01-01T00:00:00.000Z","tenders":[{"tenderId":"","methodId":1,"amount":100,"at":"","by":""}],' +
  '"paymentId":"","payments":[{"methodId":1,"amount":118,"tip":0,"reference":""}],"fiscal":{"status":"none"},' +
  '"fiscal":{"status":"issued","type":"B02","ncf":"B0200000001","rnc":null},"discount":0,"tip":0,"change":0,' +
  '"paidAt":"2026-01-01T00:00:00.000Z","paidBy":"","status":"paid","status":"checkout"}}';
