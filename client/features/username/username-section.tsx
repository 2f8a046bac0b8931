import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { formClass, Section } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { usernameErrors, usernameTexts } from './texts.ts'
import UsernameField from './username-field.tsx'

/** The username on the profile page. An empty field gives it up. */
export default function UsernameSection() {
  const t = useTexts(usernameTexts)
  const language = useLanguage()
  const { user } = useMember()
  const { usernameLength } = useConfig()
  const shown = user.displayUsername ?? user.username ?? ''
  const form = useForm({
    fields: ['username'],
    guard: true,
    check: ({ username }) => ({
      username:
        username !== '' &&
        (!/^[\w.]+$/.test(username)
          ? t.invalid
          : username.length < (usernameLength?.min ?? 3) && t.tooShort(usernameLength?.min ?? 3)),
    }),
    send: ({ username }) => auth.updateUser({ username: username || null }),
    at: Object.fromEntries(Object.keys(usernameErrors.en).map((code) => [code, 'username' as const])),
    errors: usernameErrors[language],
    done: (_answer, { username }) => toast(username ? t.saved : t.removed),
  })
  return (
    <Section title={t.title} intro={t.intro}>
      <form {...form.props} className={formClass}>
        <UsernameField {...form.field('username')} own={user.username} defaultValue={shown} />
        <Submit form={form} look="secondary">
          {t.save}
        </Submit>
      </form>
    </Section>
  )
}
