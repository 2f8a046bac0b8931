import { expect, test } from 'vitest'
import type { Env } from '../env.ts'
import { mailer } from './mailer.ts'

const mail = { id: 'mail-1', to: 'ada@people.example', subject: 'Hi\r\nBcc: b@c.example', text: 'T', html: '<p>T</p>' }
const options = { transport: 'cloudflare', from: { address: 'a@b.example', name: 'Gate\nhouse' } } as const

test('hands the binding a structured mail whose headers are one line each', async () => {
  const sent: unknown[] = []
  const EMAIL = { send: async (message: unknown) => sent.push(message) } as unknown as SendEmail
  await mailer(options, { EMAIL } as Env)(mail)
  expect(sent).toEqual([
    {
      from: { email: 'a@b.example', name: 'Gate house' },
      to: 'ada@people.example',
      subject: 'Hi Bcc: b@c.example',
      text: 'T',
      html: '<p>T</p>',
    },
  ])
})

test('a missing binding says what to add to wrangler.toml', async () => {
  await expect(mailer(options, {} as Env)(mail)).rejects.toThrow(/\[\[send_email\]\].*EMAIL.*wrangler\.toml/)
})

test('a refusal keeps its cause and says what to check', async () => {
  const cause = new Error('sender not verified')
  const EMAIL = { send: () => Promise.reject(cause) } as unknown as SendEmail
  const refusal = await mailer(options, { EMAIL } as Env)(mail).catch((thrown: Error) => thrown)
  expect(refusal).toMatchObject({ message: expect.stringMatching(/sender not verified.*Email Sending/), cause })
})
