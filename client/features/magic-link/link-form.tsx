import { auth } from '../../lib/api.ts'
import { type Continuation, useContinuation } from '../../lib/continuation.ts'
import { startedMethod } from '../../lib/last-used.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { EmailForm } from '../../ui/email-form.tsx'
import { magicLinkTexts } from './texts.ts'

/** The link leads to another site, or to our page with the result. */
export async function sendLink(email: string, { foreign, query }: Continuation) {
  const answer = await auth.signIn.magicLink({ email, callbackURL: foreign ?? `/magic-link${query}` })
  if (!answer.error) startedMethod.set('magic-link')
  return answer
}

export function LinkForm({ onSent }: { onSent(email: string): void }) {
  const t = useTexts(magicLinkTexts)
  const continuation = useContinuation()
  const send = (email: string) => sendLink(email, continuation)
  return <EmailForm at={['USER_NOT_FOUND']} errors={t.errors} send={send} done={onSent} action={t.send} />
}
