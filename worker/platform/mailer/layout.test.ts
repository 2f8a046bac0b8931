import { expect, test } from 'vitest'
import { looks } from '../../kit/looks.ts'
import { layOutMail } from './layout.ts'
import { codesOf, linksOf } from './mailbox.ts'

const url = 'https://x.example/verify?token=a.b&callbackURL=%2Fhome'
const style = {
  language: 'en',
  brand: {
    name: 'Gatehouse',
    logo: null,
    favicon: null,
    accent: { light: '#2350c0', dark: '#9dbcff' },
    colours: looks.plain.colours,
    theme: 'system',
    themeIsFixed: false,
    corners: [8, 14],
    font: null,
    texts: {},
    languages: ['en'],
    terms: null,
    privacy: null,
    support: null,
  },
} as const

const content = {
  subject: 'Verify',
  heading: 'Verify your address',
  name: 'Ada',
  paragraphs: ['Please confirm.'],
  button: 'Verify email',
  url,
  code: '123456',
  note: 'Ignore this if it was not you.',
}

/** The readable texts of the HTML, in order. */
const visible = (html: string) =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<div style="display: none[\s\S]*?<\/div>/, '')
    .replaceAll('<wbr />', '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

test('the text twin says what the HTML says, with address and code on lines of their own', () => {
  const mail = layOutMail(style, content)
  expect(mail).toMatchObject({ subject: content.subject })
  const lines = mail.text.split('\n').filter(Boolean)
  expect(lines).toEqual([
    'Verify your address',
    'Hello Ada,',
    'Please confirm.',
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
  expect(visible(mail.html)).toEqual(
    expect.arrayContaining(['Hello Ada,', ...content.paragraphs, content.code, url, content.note]),
  )
})

test('a mail gives exactly its link and its code back', () => {
  const mail = layOutMail(style, content)
  expect(linksOf(mail)).toEqual([url])
  expect(codesOf(mail.text)).toEqual(['123456'])
})

test('everything is escaped', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
  const address = `https://x.example/?q=${evil}`
  const brand = {
    ...style.brand,
    name: evil,
    logo: { light: address, dark: address },
    texts: {},
    languages: ['en'],
    terms: address,
    privacy: address,
    support: address,
  }
  const { html, text } = layOutMail(
    { language: 'en', brand },
    {
      name: evil,
      subject: evil,
      heading: evil,
      paragraphs: [evil],
      button: evil,
      url: address,
      code: evil,
      note: evil,
    },
  )
  expect(html).not.toMatch(/<script|<img src=x|onerror='/)
  expect(html.match(/<img /g)).toHaveLength(1)
  expect(html.match(/href="[^"]*"/g)).toHaveLength(5)
  expect(text).toContain(evil)
})

test('what is not given is not there', () => {
  const { html, text } = layOutMail(style, {
    subject: 'Verify',
    paragraphs: ['Please confirm.'],
  })
  expect(html).not.toMatch(/undefined|null|class="button"|class="ink code"|<img|<a /)
  expect(text).toBe('Verify\n\nHello,\n\nPlease confirm.\n\n-- \nGatehouse\n')
})
