import { expect, test } from 'vitest'
import type { MailboxEntry } from './mailbox.ts'
import { mailboxPage } from './mailbox-page.ts'

const entry: MailboxEntry = {
  id: '1',
  channel: 'email',
  to: 'ada@people.example',
  subject: '<script>alert(1)</script>',
  text: 'Hello </pre><script>alert(2)</script>',
  html: `<p>Hello</p><script>alert(3)</script>"'`,
  sentAt: '2026-11-21T10:00:00.000Z',
  links: ['https://x.example/v?a=1&b="2'],
  codes: ['123456'],
}

test('shows the entries in their order, links to follow and codes to copy', () => {
  const page = mailboxPage([entry, { ...entry, channel: 'sms', subject: '', html: '', to: '+15550001111', links: [] }])
  expect(page).toContain('<a href="https://x.example/v?a=1&amp;b=&quot;2">')
  expect(page).toContain('<code>123456</code>')
  expect(page.indexOf('ada@people.example')).toBeLessThan(page.indexOf('+15550001111'))
  expect(page.match(/<iframe sandbox srcdoc="/g)).toHaveLength(1)
})

test('nothing of a message becomes markup of the page', () => {
  expect(mailboxPage([entry])).not.toMatch(/<script/i)
  expect(mailboxPage([entry])).not.toContain(`"'"`)
})

test('says what to do when it is empty', () => {
  expect(mailboxPage([])).toContain('Nothing has been sent yet')
})
