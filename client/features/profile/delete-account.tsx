import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formClass, Page, Section } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Loaded, Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { profileTexts } from './texts.ts'

const staleSession = [
  'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
  'SESSION_IS_NOT_FRESH',
  'USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN',
]

export default function DeleteAccount() {
  const t = useTexts(profileTexts)
  const accounts = useAccounts()
  const [sent, setSent] = useState(false)
  if (sent) {
    return (
      <Page key="sent" title={t.deleteSentTitle}>
        <Note>{t.deleteSent}</Note>
      </Page>
    )
  }
  return (
    <Page key="ask" title={t.deleteTitle} intro={t.deleteIntro}>
      <Section danger>
        <div>
          <p>{t.deleteWhat}</p>
          <ul className="mt-2 list-disc ps-5 text-soft">
            {t.deleteList.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
        <Loaded of={accounts}>
          {(list) => <DeleteForm askPassword={hasPassword(list)} onSent={() => setSent(true)} />}
        </Loaded>
      </Section>
    </Page>
  )
}

function DeleteForm({ askPassword, onSent }: { askPassword: boolean; onSent(): void }) {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  // A guest has no address that anybody could know.
  const phrase = isPlaceholder(user.email) ? t.deletePhrase : user.email
  const [, navigate] = useLocation()
  const form = useForm({
    fields: ['phrase', 'password'],
    check: (values) => ({
      phrase: values.phrase.trim().toLowerCase() !== phrase && core.confirmMismatch(phrase),
      password: askPassword && !values.password && core.required.password,
    }),
    send: ({ password }) => auth.deleteUser({ ...(askPassword ? { password } : {}), callbackURL: '/goodbye' }),
    at: {
      INVALID_PASSWORD: 'password',
      USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: 'password',
    },
    done: ({ message }) => (message === 'User deleted' ? navigate('/goodbye', { replace: true }) : onSent()),
  })
  const mustSignIn = staleSession.includes(form.problem?.code ?? '')
  return (
    <form {...form.props} className={formClass}>
      <Field
        {...form.field('phrase')}
        label={core.confirmByTyping(phrase)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {askPassword && <PasswordField {...form.field('password')} kind="current" label={t.deletePassword} />}
      <Submit form={form} look="danger">
        {t.deleteAction}
      </Submit>
      {mustSignIn && <SignInAgain />}
    </form>
  )
}

/** A session that is too old to delete an account: only a new one will do. */
function SignInAgain() {
  const t = useTexts(profileTexts)
  const [, navigate] = useLocation()
  const signOut = useAction(
    () => auth.signOut(),
    () => navigate('/sign-in?callbackURL=%2Faccount%2Fdelete'),
  )
  return (
    <Button className="justify-self-start" busy={signOut.busy} onClick={signOut.run}>
      {t.signInAgain}
    </Button>
  )
}
