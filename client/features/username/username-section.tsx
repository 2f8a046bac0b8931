import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { formClass } from '../../ui/page.tsx'
import { Save } from '../../ui/save.tsx'
import { Section } from '../../ui/section.tsx'
import { toast } from '../../ui/toasts.tsx'
import { usernameErrors, usernameTexts } from './texts.ts'
import UsernameField from './username-field.tsx'

/** The username on the profile page. An empty field removes it. */
export default function UsernameSection() {
  const t = useTexts(usernameTexts)
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
          : username.length < (usernameLength?.min ?? 3) && t.passwordTooShort(usernameLength?.min ?? 3)),
    }),
    send: ({ username }) => auth.updateUser({ username: username || null }),
    at: Object.fromEntries(usernameErrors.map((code) => [code, 'username' as const])),
    done: (_answer, { username }) => toast(username ? t.saved : t.removed),
  })
  return (
    <Section id="username" title={t.title} intro={t.intro}>
      <form {...form.props} className={formClass}>
        {/* The section has the name of the field. */}
        <UsernameField
          {...form.field('username')}
          className="[&_label]:sr-only"
          own={user.username}
          defaultValue={shown}
        />
        <Save form={form}>{t.save}</Save>
      </form>
    </Section>
  )
}
