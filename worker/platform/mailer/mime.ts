import { encodeWord } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import type { Letter, Sender } from './mail.ts'

/** Nothing is ever read from a file or an address on behalf of a mail. */
const closed = { disableFileAccess: true, disableUrlAccess: true }

/** Text that looks like an encoded word is encoded, or a reader would be shown what nobody has checked (RFC 2047). */
const asText = (text: string) =>
  text.includes('=?') ? { prepared: true, foldLines: true, value: encodeWord(text, 'B', 52) } : text

/**
 * A mail as an Internet message (RFC 5322) of two alternatives (RFC 2046), the text first. Both parts are in base64:
 * its lines are short ASCII and none begins with a dot, so that SMTP can take it as it is.
 */
export async function mimeMessage(mail: Letter, from: Sender, sentAt: Date): Promise<string> {
  const message = new MimeNode('multipart/alternative', { ...closed, textEncoding: 'B' })
  message.setHeader({
    from,
    to: { name: '', address: mail.to },
    subject: asText(mail.subject),
    date: sentAt.toUTCString().replace('GMT', '+0000'),
    'message-id': `<${mail.id}@${from.address.split('@')[1]}>`,
    'auto-submitted': 'auto-generated',
  })
  const parts = [
    ['text/plain; charset=utf-8', mail.text],
    ['text/html; charset=utf-8', mail.html],
  ] as const
  for (const [type, text] of parts) {
    const part = message.createChild(type)
    part.setHeader('content-transfer-encoding', 'base64')
    part.setContent(text.replace(/\r?\n/g, '\r\n'))
  }
  return String(await message.build())
}
