import { foreignCallback } from '../../lib/after-sign-in.ts'
import { auth } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { startedMethod } from '../../lib/last-used.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { EmailForm } from '../../ui/email-form.tsx'
import { magicLinkTexts } from './texts.ts'

/** The link leads to another site, or to our page with the result. */
export async function sendLink(email: string) {
  const answer = await auth.signIn.magicLink({
    email,
    callbackURL: foreignCallback() ?? `/magic-link${continuation().query}`,
  })
  if (!answer.error) startedMethod.set('magic-link')
  return answer
}

export function LinkForm({ onSent }: { onSent(email: string): void }) {
  const t = useTexts(magicLinkTexts)
  return <EmailForm at={['USER_NOT_FOUND']} errors={t.errors} send={sendLink} done={onSent} action={t.send} />
}
