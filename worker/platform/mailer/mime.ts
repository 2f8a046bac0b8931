import { encodeWord } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import type { Letter, Sender } from './mail.ts'

/** A mail never makes the library read a file or an address. */
const closed = { disableFileAccess: true, disableUrlAccess: true }

/** Text that looks like an encoded word is encoded, so that readers show it unchanged (RFC 2047). */
const asText = (text: string) =>
  text.includes('=?') ? { prepared: true, foldLines: true, value: encodeWord(text, 'B', 52) } : text

/** A mail (RFC 5322) of two alternatives (RFC 2046) in base64: short ASCII lines, none of which begins with a dot. */
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
