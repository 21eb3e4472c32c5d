import { z } from "zod";

/**
 * The hub's own sentences that screens show in the user's language. They are stored and sent by name with their values. The log
 * and integrators get the English text below; the screens have a text of the same name in each language.
 */
export const hubSentences = {
  // Errors of the back-office connection, stored with each attempt to forward an order.
  back_office_status: "the back-office answered {status}",
  back_office_no_json: "the back-office answered {status} with no JSON",
  back_office_unexpected: "the back-office answered something unexpected ({where})",
  back_office_no_answer_in_time: "the back-office did not answer in time",
  back_office_no_connection: "the back-office cannot be reached ({code})",
  back_office_unreachable: "the back-office cannot be reached",
  back_office_broke_off: "the back-office's answer broke off",
  back_office_answer_too_large: "the back-office's answer is too large",
  back_office_mismatched: "the back-office's answer belongs to another request",
  back_office_busy: "too many people are waiting for the back-office; try again",
  back_office_no_result: "the back-office gave no result for this order",
  back_office_no_session: "the back-office gave no session",
  back_office_session_dead: "the back-office session is dead",
  back_office_second_factor: "the back-office asks this user for a second factor",
  back_office_larger_than_accepted: "larger than the back-office, or a proxy in front of it, accepts",
  no_credentials: "the hub has no back-office credentials",

  // Why a paid order needs a manager.
  no_such_endpoint: "the back-office has no such endpoint",
  refused_without_a_word: "refused without a word",
  number_of_another_order: "the back-office gave {ncf}, which order {posReference} already has",
  receipt_of_other_number: "the back-office has this order under {ncf}, not {own}",
  receipt_rejected: "the tax office rejects the receipt",
  receipt_unsigned: "the back-office has not signed the receipt for 24 hours",
  totals_differ: "the back-office has this order with a total of {there}, but {here} was paid here",
  paid_before_restore:
    "the back-office already had this check from before the restore: the guest may have paid twice; compare both payments, then try again to accept it",
  order_damaged: "the stored order is damaged; compare it with a backup",

  // Why a setting was not changed.
  setting_unknown: "values.{setting}: there is no such setting",
  setting_local_only: "values.{setting}: cannot be changed over the network, only on the hub's own computer",
  setting_of_environment: "values.{setting}: cannot be changed here, the environment sets it",
  setting_not_changeable: "values.{setting}: cannot be changed here, it is changed where this hub is run",
  setting_unwritable: "values.{setting}: line breaks, and all kinds of quotes at once, cannot be kept",
  setting_password_needed: "values.{setting}: has to be given again when ERP_URL, ERP_DB, ERP_USER change",
  setting_address_credentials:
    "values.{setting}: must be without user and password, which are ERP_USER and ERP_PASSWORD",
  setting_second_folder: 'values: HUB_BACKUP_SECOND_DIR is "{folder}", but {problem}',
  setting_invalid: "values: {problem}",

  // Why a hub was not enrolled in a chain.
  chain_address: "address: must be the https address of the headquarters, without user and password",
  chain_code_form: "code: has 8 letters and digits",
  chain_code_unknown: "the headquarters do not know this code",
  chain_code_expired: "this code has expired: ask the headquarters for another",
  chain_code_used: "this code was used already: ask the headquarters for another",
  chain_hub_in_use: "at the headquarters this hub still is that of another restaurant: they have to cut it there first",
  chain_too_many_codes: "the headquarters got too many wrong codes: try again in 10 minutes",
  chain_unreachable: "the headquarters cannot be reached at {address}",
  chain_no_headquarters: "what answers at {address} is no headquarters",

  // Why a proposal of headquarters was refused.
  proposal_unknown_products: "the menu of this restaurant has no products {products}",
  proposal_setting_of_house: "{setting} is decided at the restaurant alone",

  // Why a manager's action was refused.
  backup_unreadable: "this backup cannot be read: {problem}",
  backup_unusable: "this backup cannot be used: {problem}",
  backup_folder_unwritable: "the folder of the backups, {folder}, cannot be written: {problem}",
  backup_not_confirmed: "confirm: repeat the name of the backup",
  loss_of_closed_order: "order {posReference} is closed: there is nothing to take over",
  loss_without_content: "nobody knows the content of order {posReference}",
  merge_target_missing:
    "none of the checks that order {posReference} was merged into is known: its lines would be billed nowhere",
  delivery_under_way: "delivery {id} is under way",
  forward_done: "forward event {id} is done",
  set_aside_until: "until: must be ahead, and at most 30 days",
  version_is_current: "version: the order is at this version",
  payment_unreadable: "what was paid cannot be read any more: settle it by hand",
  change_unreadable: "what was changed cannot be read any more: dismiss it and do it by hand",
  order_without_lines: "order {posReference} has no lines: there is nothing to pay",
  order_discarded: "order {posReference} was discarded and cannot come back",
  order_paid_before_restore: "order {posReference} was paid before the restore",
  payment_without_order: "there is no order {posReference}, and its content did not come with the payment",
  number_type_missing: "type: the payment named none",
  number_of_no_sale: "{type} is a type of notes or purchases, not of a sale",
  no_number_to_replace: "order {posReference} was not refused for a number that the back-office holds for it",
  booking_unknown_table: "the floor plan has no table {tableId}",
  limited_item_without_count: "left: a limited item says how many are left",
  print_job_under_way: "it is being printed, or waits to be",
  print_job_empty: "there is nothing in it to be printed again",
  no_receipt_printer: "neither this terminal nor the house has a printer for receipts",
  printer_removed: "its printer is no more, and no other one takes its place",
  printer_id_taken: "id: there is a printer {printerId}",
  too_many_printers: "a hub prints on at most {limit} printers",
  fallback_unknown: "fallback: there is no printer {printerId}",
  fallback_is_itself: "fallback: a printer cannot stand in for itself",
  route_unknown_printer: "{field}: there is no printer {printerId}",
  route_unknown_station: "{field}: there is no station {stationId}",
  too_many_screens: "too many screens are connected to this hub",

  // Notes that the hub writes into the audit log, and to entries that a manager has settled.
  note_version: "to version {version}",
  note_kept_aside: "kept aside: {path}",
  note_damaged: "damaged",
  note_with_all_waiting: "with all in pending",
  note_with_all_refused: "with all in attention",
  note_applied_later: "applied by a later attempt",
  note_given_back: "given back",
  note_item_available: "available",
  note_item_out: "out",
  note_item_limited: "limited: {left}",
  note_made_by: "{id}, made by {createdBy}",
  note_float: "with a float of {amount}",
  note_cash_in: "{amount} put in",
  note_cash_out: "{amount} taken out",
  note_cash_drop: "{amount} to the safe",
  note_approved_by: "approved by {name}",
  note_amount: "{amount}",
  note_applied: "applied {amount}",
  note_applied_part: "applied {amount}, {due} to be collected",
  note_applied_too_much: "applied {amount}, {giveBack} to be given back",
} as const;

export type SentenceName = keyof typeof hubSentences;
export const sentenceNames = Object.keys(hubSentences) as SentenceName[];

type ValueName<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ValueName<Rest> : never;

/** A value in a sentence, or a list of values. */
type SentenceValue = string | readonly string[];

/** The values of a sentence as a rest argument; empty if the sentence has none. */
export type SentenceValues<Name extends SentenceName> = [ValueName<(typeof hubSentences)[Name]>] extends [never]
  ? []
  : [values: Readonly<Record<ValueName<(typeof hubSentences)[Name]>, SentenceValue | number>>];

/** Returns a sentence with its values, in English. */
export function hubSentence<Name extends SentenceName>(name: Name, ...[values]: SentenceValues<Name>): string {
  return fillIn(hubSentences[name], values ?? {});
}

function fillIn(sentence: string, values: Readonly<Record<string, SentenceValue | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, key: string) => valueText(values[key]));
}

/** Returns a value as text for a sentence. */
export function valueText(value: SentenceValue | number = ""): string {
  return typeof value === "object" ? value.join(", ") : String(value);
}

/**
 * A failure or note as the hub stores and sends it: one of its sentences with values, a person's or another system's own words,
 * or both, with the words as a remark after the sentence. `about` is a prefix, such as a number.
 */
export const Sentence = z.object({
  about: z.string().optional(),
  reason: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  words: z.string().optional(),
});
export type Sentence = z.infer<typeof Sentence>;

/** Builds one of the hub's sentences, to be put into words by its reader. */
export function sentence<Name extends SentenceName>(reason: Name, ...[values]: SentenceValues<Name>): Sentence {
  const texts = Object.entries<SentenceValue | number>(values ?? {}).map(([name, value]) => [
    name,
    typeof value === "object" ? [...value] : String(value),
  ]);
  return { reason, ...(texts.length > 0 && { values: Object.fromEntries(texts) as NonNullable<Sentence["values"]> }) };
}

/** Returns the English text, for the log, integrators and fields that hold a sentence. */
export function sentenceInEnglish({ about, reason, values = {}, words }: Sentence): string {
  const name = sentenceNames.find((each) => each === reason);
  const text = name === undefined ? [words] : [fillIn(hubSentences[name], values), words];
  return [about, text.filter(Boolean).join(": ")].filter(Boolean).join(": ");
}
