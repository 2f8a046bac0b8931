import type { Mail } from './mailer.ts'
export const composeMail = (m: {
  to: string
  appName: string
  subject: string
  heading: string
  paragraphs: string[]
  action?: { label: string; url: string }
  code?: string
  note?: string
}): Mail => ({
  to: m.to,
  subject: m.subject,
  html: '',
  text: [m.heading, ...m.paragraphs, m.action?.url, m.code, m.note].join('\n\n'),
})
