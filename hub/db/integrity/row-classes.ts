/** Decides whether the rows of a table are sealed with a checksum, and how the hub handles damaged rows. */
export type RowClass =
  /** Money, the kitchen or an acknowledgement depends on it: sealed; a row with a wrong seal is reported. */
  | { kind: "sealed"; except?: Readonly<Record<string, string>> }
  /** Only a copy of data with another source: sealed; a row with a wrong seal is deleted. */
  | { kind: "copy"; except?: Readonly<Record<string, string>> }
  /** No decision depends on it. */
  | { kind: "unsealed"; reason: string };

const ROW_NUMBER = "only where the row lies; the check of the structure finds one that is out of order";
const BODY = "has a checksum of its own, the one of the plain body";
const RETRIES = "only when it is tried again, and how often it was";
const SHOWN = "is shown and decides nothing";

/**
 * Every table of the data file. The seal of a row covers all columns, including new ones, except those in `except`, each with
 * its reason. After this list changes, the next start recomputes the seals.
 */
export const rowClasses: Readonly<Record<string, RowClass>> = {
  hub_state: {
    kind: "sealed",
    except: {
      seq: "every commit writes it; the note of the last place finds one that is behind",
      is_clean: "the end of each run writes it; a wrong one costs a check, or is found by the lost log",
      file_name: "names the file in lists of backups",
    },
  },
  seals: { kind: "sealed" },

  orders: {
    kind: "sealed",
    except: {
      search_text: "only finds the order by a text",
      packing: "how its versions are stored, which they say themselves",
    },
  },
  order_versions: { kind: "sealed", except: { id: ROW_NUMBER, body: BODY, packed: BODY, earlier: BODY } },
  removed_orders: {
    kind: "sealed",
    except: {
      search_text: "only finds the order by a text",
      packing: "how its versions are stored, which they say themselves",
    },
  },
  order_counts: { kind: "unsealed", reason: "the number above the list of orders" },
  joined_tables: { kind: "sealed" },
  version_floors: { kind: "sealed" },
  version_people: { kind: "sealed" },
  mutations: { kind: "sealed", except: { id: ROW_NUMBER } },
  ticket_counters: { kind: "sealed" },
  plugin_records: { kind: "sealed" },

  takings: { kind: "sealed" },
  refunds: { kind: "sealed" },
  tills: { kind: "sealed" },
  shifts: { kind: "sealed" },
  shift_events: { kind: "sealed", except: { id: ROW_NUMBER } },
  till_money: { kind: "sealed", except: { id: ROW_NUMBER } },
  payment_identities: { kind: "sealed" },
  unapplied_payments: { kind: "sealed", except: { id: ROW_NUMBER } },
  kept_changes: { kind: "sealed", except: { id: ROW_NUMBER } },
  unconfirmed_credit: { kind: "sealed" },
  order_ncf: { kind: "sealed" },
  fiscal_requests: { kind: "sealed", except: { attempts: RETRIES, next_attempt_at: RETRIES } },
  hub_events: {
    kind: "sealed",
    except: {
      attempts: RETRIES,
      refusals: RETRIES,
      next_attempt_at: RETRIES,
      is_alone: RETRIES,
      error: SHOWN,
      error_code: SHOWN,
      done_outcome: SHOWN,
      done_ms: SHOWN,
    },
  },
  forward_attempts: { kind: "unsealed", reason: "a log of attempts, which is shown" },

  tickets: { kind: "sealed", except: { id: ROW_NUMBER } },
  ticket_orders: { kind: "sealed" },
  packed_tickets: { kind: "unsealed", reason: "only finds a ticket by its id; the pack itself says which it holds" },
  item_states: { kind: "sealed" },
  tables: { kind: "sealed" },
  leases: { kind: "sealed" },

  restores: { kind: "sealed" },
  losses: { kind: "sealed" },
  lookup_questions: { kind: "sealed" },

  chain_link: { kind: "sealed" },
  chain_facts: { kind: "sealed", except: { id: ROW_NUMBER } },
  chain_proposals: { kind: "sealed", except: { rank: ROW_NUMBER } },

  printers: { kind: "sealed" },
  print_routes: { kind: "sealed" },
  print_jobs: { kind: "sealed", except: { id: ROW_NUMBER, error: SHOWN, printed_at: SHOWN } },

  people: { kind: "sealed" },
  pin_misses: { kind: "sealed" },
  hourly_counts: { kind: "sealed", except: { id: ROW_NUMBER } },
  device_people: { kind: "sealed" },
  actor_tokens: { kind: "sealed" },
  ended_sessions: { kind: "sealed" },
  terminal_sessions: { kind: "sealed" },
  external_keys: { kind: "sealed", except: { last_used_at: SHOWN } },
  terminals: {
    kind: "sealed",
    except: { last_seen_at: SHOWN, client_version: SHOWN, address: SHOWN, clock_offset_ms: SHOWN },
  },
  audit_log: { kind: "unsealed", reason: "a log of what was done, which is shown" },

  webhook_subscriptions: {
    kind: "sealed",
    except: {
      consecutive_failures: SHOWN,
      last_success_at: SHOWN,
      last_failure_at: SHOWN,
      last_failure_status: SHOWN,
      last_failure_error: SHOWN,
    },
  },
  webhook_events: { kind: "sealed", except: { id: ROW_NUMBER } },
  webhook_deliveries: {
    kind: "sealed",
    except: { attempts: RETRIES, next_attempt_at: RETRIES, settled_at: SHOWN, dead_status: SHOWN, dead_error: SHOWN },
  },
  webhook_attempts: { kind: "unsealed", reason: "a log of attempts, which is shown" },

  remembered: { kind: "copy" },
  identities: { kind: "copy" },
  customers: { kind: "copy" },
};
