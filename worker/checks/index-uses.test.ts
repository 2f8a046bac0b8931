import { describe, expect, it } from 'vitest'
import { env } from '../testing/harness.ts'

/**
 * The indexes of the tables that sign-up, sign-in, sign-out and an extended session write: each costs a row for each of them.
 * Each serves a statement, which is here with what it is for.
 */
const uses: Record<string, Record<string, readonly [reader: string, sql: string]>> = {
  users: {
    sqlite_autoindex_users_1: ['the user of an id', 'select * from users where id = ?'],
    users_email_unique: ['sign-in by address; one account for an address', 'select * from users where email = ?'],
    users_username: ['sign-in by username', 'select * from users where username = ?'],
    users_phone_number: ['sign-in by phone number', 'select * from users where phone_number = ?'],
    users_creation: [
      'list-users; numbers of sign-ups',
      'select * from users order by created_at desc, id desc limit 20',
    ],
    users_name: ['list-users by name', 'select * from users order by name collate nocase, id limit 20'],
    users_domain: [
      'the users of a verified domain',
      "select id from users where substr(email, instr(email, '@') + 1) = 'acme.example'",
    ],
    users_guests: [
      'the deletion of guests',
      `select * from users where is_anonymous = 1 and
       case when guest_seen_at is null then created_at else guest_seen_at end <= 5`,
    ],
    users_staff: [
      'the list of administrators',
      "select * from users where role <> 'user' order by created_at desc, id desc",
    ],
    users_banned: [
      'the list of banned users',
      'select * from users where banned = 1 order by created_at desc, id desc',
    ],
  },
  accounts: {
    sqlite_autoindex_accounts_1: ['unlink-account', "select * from accounts where id = 'a'"],
    accounts_identity: [
      'the user of an identity; one account for an identity',
      'select * from accounts where provider_id = ? and account_id = ?',
    ],
    accounts_user: ['the password and the sign-in methods of a user', 'select * from accounts where user_id = ?'],
  },
  sessions: {
    sqlite_autoindex_sessions_1: ['the end of a session by its id', 'select * from sessions where id = ?'],
    sessions_token_unique: ['each request with a session', 'select * from sessions where token = ?'],
    sessions_user: ['the list of sessions; the end of all of them', 'select * from sessions where user_id = ?'],
    sessions_expiry: ['the deletion of expired sessions', 'delete from sessions where expires_at <= 5'],
    sessions_use: [
      'numbers of active users',
      'select * from sessions where updated_at >= 5 and updated_at < 9 and updated_at > created_at',
    ],
    sessions_active_organization: [
      'the deletion of an organization',
      'select * from sessions where active_organization_id = ?',
    ],
    sessions_connection: [
      'the end of a connection',
      "select * from sessions where method = 'sso-acme' and substr(method, 1, 4) = 'sso-'",
    ],
    sessions_impersonator: ['the end of impersonations', 'select * from sessions where impersonated_by = ?'],
  },
  security_events: {
    sqlite_autoindex_security_events_1: ['the event of a webhook', 'select * from security_events where id = ?'],
    security_events_user: [
      'the log of a user; its maximum',
      'select * from security_events where user_id = ? order by created_at desc, id desc limit 50',
    ],
    security_events_age: [
      'the retention; the log of all users; numbers of sign-ins',
      'select * from security_events where created_at <= 5 order by created_at limit 1000',
    ],
    security_events_sign_ins: [
      'the notice of a new device or country',
      `select 1 from security_events indexed by security_events_sign_ins
       where user_id = ? and type = 'sign-in' and country is ? and user_agent = ?`,
    ],
  },
  sign_in_methods: {
    sqlite_autoindex_sign_in_methods_1: [
      'the last use of a method',
      'select * from sign_in_methods where user_id = ? and method = ?',
    ],
  },
  audit_records: {
    audit_records_subject: [
      'the records about a user',
      'select * from audit_records where subject_id = ? order by seq desc limit 50',
    ],
    audit_records_actor: [
      'the records of an administrator',
      'select * from audit_records where actor_id = ? and actor_id is not subject_id order by seq desc limit 50',
    ],
    audit_records_organization: [
      "an organization's log; one record for a number",
      'select * from audit_records where organization_id = ? and organization_seq < ? order by organization_seq desc limit 50',
    ],
  },
  audit_budgets: {
    sqlite_autoindex_audit_budgets_1: [
      'the budget of a day',
      'select * from audit_budgets where party = ? and day = ?',
    ],
    audit_budgets_day: ['the deletion of earlier days', 'delete from audit_budgets where day < 5'],
    audit_budgets_left_out: [
      'records that count what was left out',
      'select * from audit_budgets where left_out_since <= 5 order by left_out_since limit 20',
    ],
  },
  jobs: {
    sqlite_autoindex_jobs_1: ['the claim and the end of a job', 'select * from jobs where id = ?'],
    jobs_due: ['jobs that are due', "select * from jobs where kind = ? and next_at <= 5 and state = 'pending'"],
    jobs_order: ['jobs of a kind in order', "select 1 from jobs where kind = ? and key = ? and state = 'pending'"],
    jobs_age: ['the oldest waiting job', "select min(created_at) from jobs where state = 'pending'"],
    jobs_held: ['the release of held jobs', "update jobs set state = 'pending' where state = 'held' and key = ?"],
    jobs_settled: [
      'the deletion of what is done',
      "delete from jobs where state = 'done' and state <> 'pending' and next_at <= 5",
    ],
    jobs_undelivered: [
      'the list of what failed',
      `select * from jobs where (state = 'failed' or (state = 'pending' and attempts > 0))
       order by created_at desc limit 20`,
    ],
  },
}

describe.each(Object.entries(uses))('%s', (table, indexes) => {
  it('has no index without a use', async () => {
    const { results } = await env.DB.prepare("select name from sqlite_master where type = 'index' and tbl_name = ?")
      .bind(table)
      .all<{ name: string }>()
    expect(results.map(({ name }) => name).sort()).toEqual(Object.keys(indexes).sort())
  })

  it.each(Object.entries(indexes))('%s serves its statement', async (name, [, sql]) => {
    const values = Array.from(sql.matchAll(/\?/g), () => 'a')
    const { results } = await env.DB.prepare(`explain query plan ${sql}`)
      .bind(...values)
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail).join('\n')).toMatch(new RegExp(`INDEX ${name}\\b`))
  })
})
