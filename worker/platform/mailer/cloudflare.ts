import { reasonOf } from '../log.ts'
import type { Transport } from './mail.ts'

/** Cloudflare Email Service: the structured `send_email` binding. @throws Error that says what to change */
export function cloudflareTransport(binding: SendEmail | undefined): Transport {
  if (!binding) {
    throw new Error(
      'mail.transport is \'cloudflare\', but there is no binding named EMAIL: add `[[send_email]]` with `name = "EMAIL"` to wrangler.toml, and deploy again.',
    )
  }
  return async ({ to, subject, text, html }, { address, name }) => {
    try {
      await binding.send({ from: { email: address, name }, to, subject, text, html })
    } catch (thrown) {
      throw new Error(
        `Cloudflare did not take a mail (${reasonOf(thrown)}): check that the domain of mail.from.address is set up under Email Sending in the dashboard, and that the binding allows the recipient.`,
        { cause: thrown },
      )
    }
  }
}
