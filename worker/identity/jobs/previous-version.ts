/** The queues of 0.2.0 (0033_previous-version.sql), and the ids of their jobs. 0.4.0 drops them. */
const queues = {
  tasks: 'id',
  webhook_deliveries: 'id',
  billing_webhooks: "'billing-inbox:' || id",
  billing_usage_events: "'billing-usage:' || id",
}

/** Tables that only the Worker of 0.2.0 writes. */
export const previousTables = [...Object.keys(queues), 'admin_audit']

/**
 * Deletes what the Worker of 0.2.0 wrote while this version was being deployed, once the jobs that triggers made of it are
 * done. A row with a pending job stays for a rollback.
 */
export async function deleteRowsOfPreviousVersion(db: D1Database): Promise<void> {
  for (const [table, job] of Object.entries(queues)) {
    await db
      .prepare(
        `delete from ${table} where not exists (select 1 from jobs where jobs.id = ${job} and state = 'pending')`,
      )
      .run()
  }
  // Each of them is an audit record.
  await db.prepare('delete from admin_audit').run()
}
