/** The queues of 0.2.0 (0033_previous-version.sql), and what their ids have before them in `jobs`. 0.4.0 drops them. */
const queues = {
  tasks: '',
  webhook_deliveries: '',
  billing_webhooks: 'billing-inbox:',
  billing_usage_events: 'billing-usage:',
}

/** Tables that only the Worker of 0.2.0 writes. */
export const previousTables: readonly string[] = [...Object.keys(queues), 'admin_audit']

/**
 * Deletes what the Worker of 0.2.0 wrote while this version was being deployed, once the jobs that triggers made of it are
 * gone. A row stays as long as its job, because its trigger deletes the job with it: one that failed can still be repeated.
 */
export async function deleteRowsOfPreviousVersion(db: D1Database): Promise<void> {
  const ended = Object.entries(queues).map(([table, prefix]) =>
    db.prepare(`delete from ${table} where not exists (select 1 from jobs where jobs.id = '${prefix}' || ${table}.id)`),
  )
  // Each of the last ones is an audit record.
  await Promise.all([...ended, db.prepare('delete from admin_audit')].map((one) => one.run()))
}
