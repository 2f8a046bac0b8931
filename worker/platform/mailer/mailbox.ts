export interface MailboxEntry {
  id: string
  channel: 'email' | 'sms'
  to: string
  subject: string
  text: string
  html: string
  sentAt: string
  links: string[]
  codes: string[]
}
export async function deliverToMailbox(
  kv: KVNamespace,
  m: { channel: 'email' | 'sms'; to: string; subject: string; text: string; html: string },
) {
  const id = `${String(9e15 - Date.now())}-${crypto.randomUUID()}`
  await kv.put(
    `dev:mailbox:${id}`,
    JSON.stringify({
      id,
      ...m,
      sentAt: new Date().toISOString(),
      links: m.text.match(/https?:\S+/g) ?? [],
      codes: m.text.match(/\b\d{6}\b/g) ?? [],
    }),
  )
}
export async function readMailbox(kv: KVNamespace): Promise<MailboxEntry[]> {
  const { keys } = await kv.list({ prefix: 'dev:mailbox:' })
  return Promise.all(keys.map(async ({ name }) => (await kv.get(name, 'json')) as MailboxEntry))
}
export async function clearMailbox(kv: KVNamespace) {
  for (const { name } of (await kv.list({ prefix: 'dev:mailbox:' })).keys) await kv.delete(name)
}
