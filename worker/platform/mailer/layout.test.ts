import { expect, test } from 'vitest'
import { composeMail } from './layout.ts'
import { codesOf, linksOf } from './mailbox.ts'

const url = 'https://x.example/verify?token=a.b&callbackURL=%2Fhome'
const content = {
  kind: 'email-verification',
  to: 'ada@people.example',
  subject: 'Verify',
  heading: 'Verify your address',
  paragraphs: ['Hello Ada,', 'please confirm.'],
  action: { label: 'Verify email', url },
  code: '123456',
  note: 'Ignore this if it was not you.',
  appName: 'Gatehouse',
}

/** What a person reads in the HTML, in order. */
const visible = (html: string) =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<div style="display: none[\s\S]*?<\/div>/, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

test('the text twin says what the HTML says, with address and code on lines of their own', () => {
  const mail = composeMail(content)
  expect(mail).toMatchObject({ to: content.to, subject: content.subject })
  const lines = mail.text.split('\n').filter(Boolean)
  expect(lines).toEqual([
    'Verify your address',
    'Hello Ada,',
    'please confirm.',
    '123456',
    'Verify email:',
    url,
    'Ignore this if it was not you.',
    '-- ',
    'Gatehouse',
  ])
  for (const line of visible(mail.html)) {
    if (!line.startsWith('If the button')) expect(mail.text).toContain(line)
  }
  expect(visible(mail.html)).toEqual(expect.arrayContaining([...content.paragraphs, content.code, url, content.note]))
})

test('a mail gives exactly its link and its code back', () => {
  const mail = composeMail(content)
  expect(linksOf(mail)).toEqual([url])
  expect(codesOf(mail.text)).toEqual(['123456'])
})

test('everything is escaped', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
  const { html, text } = composeMail({
    kind: content.kind,
    to: content.to,
    subject: evil,
    preheader: evil,
    heading: evil,
    paragraphs: [evil],
    action: { label: evil, url: `https://x.example/?q=${evil}` },
    code: evil,
    note: evil,
    appName: evil,
  })
  expect(html).not.toMatch(/<script|<img|onerror='/)
  expect(html.match(/href="[^"]*"/g)).toHaveLength(2)
  expect(text).toContain(evil)
})

test('what is not given is not there', () => {
  const { html, text } = composeMail({ ...content, action: undefined, code: undefined, note: undefined })
  expect(html).not.toMatch(/undefined|class="button"|class="ink code"/)
  expect(text).toBe('Verify your address\n\nHello Ada,\n\nplease confirm.\n\n-- \nGatehouse\n')
})
