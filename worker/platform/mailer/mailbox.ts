import { newId } from '../../kit/random.ts'
import { withoutEnd } from '../../kit/text-end.ts'
import { hours } from '../../kit/time.ts'
import { bounded, timeouts } from '../bounded.ts'

/** One message of the local mailbox, as `/dev/mailbox.json` shows it. */
export interface MailboxEntry {
  id: string
  channel: 'email' | 'sms'
  to: string
  /** Empty for a text message, like `html`. */
  subject: string
  text: string
  html: string
  /** ISO 8601. */
  sentAt: string
  /** Every http(s) address in the text or the HTML, once. */
  links: string[]
  /** One-time codes in the text: 4 to 8 digits, also written as two groups of three. */
  codes: string[]
}

const prefix = 'mailbox:'
const lifetime = hours(24)
/** The number of messages on the page; also the maximum number of keys that KV reads at once. */
const shown = 100

/** The number of messages that are kept: a development server under load must not store all of a day. */
export const keptMessages = 1000
/** Messages between two deletions of older ones. */
export const betweenDeletions = 100

/** Orders messages of the same millisecond. */
let sequence = 0

/** KV lists keys in ascending order, so that newer messages need smaller keys. */
const keyAt = (time: number, id: string): string => {
  sequence = (sequence + 1) % 1_000_000
  return `${prefix}${String(10 ** 14 - time).padStart(15, '0')}-${String(999_999 - sequence).padStart(6, '0')}-${id}`
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const decode = (html: string): string => html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!)

const address = /https?:\/\/[^\s<>"]+/g

/** @returns the http(s) addresses of a message, those of the text first */
export function linksOf({ text, html }: { text: string; html: string }): string[] {
  const inText = (part: string) => [...part.matchAll(address)].map(([link]) => withoutEnd(link, '.,;:!?)'))
  const [body = '', ...signature] = text.split(/^-- $/m)
  const inHtml = [...html.matchAll(/\bhref="(https?:\/\/[^"]+)"/g)].map(([, link]) => decode(link!))
  const ofEveryMail = new Set(inText(signature.join()))
  const inBody = inText(body)
  return [...new Set([...inBody, ...inHtml.filter((link) => !ofEveryMail.has(link))])]
}

/** @returns the one-time codes in a text, without digits that belong to an address, a larger number or a date with its time */
export function codesOf(text: string): string[] {
  const withoutDates = text.replace(/^.*\d[:.]\d\d.*$/gm, (line) => line.replace(/\b(?:19|20)\d\d\b/g, ' '))
  const codes = withoutDates
    .replace(address, ' ')
    .matchAll(/(?<![\w.,:/+#@-])(?:\d{4,8}|\d{3}[ -]\d{3})(?![\w@/]|[ .,:-]\d)/g)
  return [...new Set([...codes].map(([code]) => code.replace(/\D/g, '')))]
}

/** Stores a message in the local mailbox for a day, while it is one of the newest. */
export async function sendToMailbox(
  kv: KVNamespace,
  message: Pick<MailboxEntry, 'channel' | 'to' | 'text'> & Partial<Pick<MailboxEntry, 'subject' | 'html'>>,
): Promise<void> {
  const { channel, to, subject = '', text, html = '' } = message
  const sentAt = new Date()
  const id = newId()
  const links = linksOf({ text, html })
  const entry: MailboxEntry = {
    id,
    channel,
    to,
    subject,
    text,
    html,
    sentAt: sentAt.toISOString(),
    links,
    codes: codesOf(text),
  }
  await bounded('KV', timeouts.required, () =>
    kv.put(keyAt(sentAt.getTime(), id), JSON.stringify(entry), { expirationTtl: lifetime }),
  )
  if (sequence % betweenDeletions === 0) await deleteOldest(kv)
}

/** Deletes what is older than the kept messages, up to a page of KV. */
async function deleteOldest(kv: KVNamespace): Promise<void> {
  const newest = await kv.list({ prefix, limit: keptMessages })
  if (newest.list_complete) return
  const { keys } = await kv.list({ prefix, cursor: newest.cursor })
  await Promise.all(keys.map(({ name }) => kv.delete(name)))
}

/** The newest hundred messages, newest first. */
export async function readMailbox(kv: KVNamespace): Promise<MailboxEntry[]> {
  const { keys } = await kv.list({ prefix, limit: shown })
  if (keys.length === 0) return []
  const names = keys.map(({ name }) => name)
  const entries = await kv.get<MailboxEntry>(names, 'json')
  return names.map((name) => entries.get(name) ?? null).filter((entry) => entry !== null)
}

/** Empties the mailbox. */
export async function clearMailbox(kv: KVNamespace): Promise<void> {
  for (;;) {
    const { keys, list_complete } = await kv.list({ prefix })
    await Promise.all(keys.map(({ name }) => kv.delete(name)))
    if (list_complete) return
  }
}
