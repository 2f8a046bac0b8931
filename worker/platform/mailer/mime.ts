import { Buffer } from 'node:buffer'
import type { Letter, Sender } from './mail.ts'

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** One encoded word holds at most 75 characters, which leaves 45 bytes (RFC 2047, section 2). */
const wordBytes = 45

/** A header's text: plain where it can be, else encoded words, one a line and never cut inside a character (RFC 2047). */
export function encodeHeader(text: string): string {
  if (/^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')) return text
  const words = ['']
  for (const character of text) {
    if (Buffer.byteLength(words.at(-1)! + character) > wordBytes) words.push('')
    words[words.length - 1] += character
  }
  return words.map((word) => `=?UTF-8?B?${base64(word)}?=`).join('\r\n ')
}

/** `name <address>`; a plain name is quoted (RFC 5322, section 3.4). */
function mailbox({ address, name }: Sender): string {
  if (!name) return `<${address}>`
  const encoded = encodeHeader(name)
  return `${encoded === name ? `"${name.replace(/["\\]/g, '\\$&')}"` : encoded} <${address}>`
}

const part = (type: string, text: string): string =>
  [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(text.replace(/\r?\n/g, '\r\n')).match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n')

/**
 * A mail as an Internet message (RFC 5322) of two alternatives (RFC 2046), the text first. It is ASCII, its lines are
 * short and none begins with a dot, so that SMTP can take it as it is.
 * @param mail with its subject and addresses already free of control characters, see `mailer`
 */
export function mimeMessage(mail: Letter, from: Sender, sentAt: Date): string {
  const boundary = `=_${crypto.randomUUID()}`
  return [
    `From: ${mailbox(from)}`,
    `To: <${mail.to}>`,
    `Subject: ${encodeHeader(mail.subject)}`,
    `Date: ${sentAt.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${crypto.randomUUID()}@${from.address.split('@')[1]}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
    '',
    `--${boundary}`,
    part('text/plain', mail.text),
    `--${boundary}`,
    part('text/html', mail.html),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}
