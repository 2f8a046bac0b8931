import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { unwrap } from '../../lib/call-error.ts'
import { useForm } from '../../lib/form.ts'
import { splitRoles } from '../../lib/permissions.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ErrorPanel, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { profileTexts } from './texts.ts'

const staleSession = [
  'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
  'SESSION_IS_NOT_FRESH',
  'USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN',
]

/** At the end of the profile: what stands in the way, else what is deleted and the way to do it. */
export function DeleteAccount() {
  const t = useTexts(profileTexts)
  const [open, setOpen] = useState(false)
  const [sent, setSent] = useState(false)
  return (
    <Section id="delete" title={t.deleteTitle} intro={t.deleteIntro} danger>
      {sent ? (
        <Note live>{t.deleteSent}</Note>
      ) : (
        <Button look="danger" className="justify-self-start" onClick={() => setOpen(true)}>
          {t.deleteOpen}
        </Button>
      )}
      <Dialog open={open} title={t.deleteQuestion} onClose={() => setOpen(false)}>
        <Question
          close={() => setOpen(false)}
          onSent={() => {
            setOpen(false)
            setSent(true)
          }}
        />
      </Dialog>
    </Section>
  )
}

interface Owned {
  id: string
  name: string
}

/** Organizations with other members in which nobody else is an owner: they stand in the way. */
function useOwnedAlone() {
  const { user } = useMember()
  const { features, organization: rules } = useConfig()
  return useQuery({
    queryKey: ['ownedAlone'],
    staleTime: 0,
    queryFn: async (): Promise<Owned[]> => {
      if (!features.organization || !rules) return []
      const list = await unwrap(auth.organization.list())
      const all = await Promise.all(
        list.map(({ id }) => unwrap(auth.organization.getFullOrganization({ query: { organizationId: id } }))),
      )
      return all.flatMap((organization) => {
        if (!organization) return []
        const { id, name, members } = organization
        const owners = members.filter(({ role }) => splitRoles(role).includes(rules.creatorRole))
        return members.length > 1 && owners.length === 1 && owners[0]?.userId === user.id ? [{ id, name }] : []
      })
    },
  })
}

function Question({ close, onSent }: { close(): void; onSent(): void }) {
  const t = useTexts(profileTexts)
  const accounts = useAccounts()
  const owned = useOwnedAlone()
  return (
    <Loaded of={owned} skeleton={<Skeleton lines={4} />}>
      {(organizations) =>
        organizations.length > 0 ? (
          <InTheWay organizations={organizations} close={close} />
        ) : (
          <>
            <div>
              <p>{t.deleteWhat}</p>
              <ul className="mt-2 list-disc ps-5 text-soft">
                {t.deleteList.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
            <Loaded of={accounts} skeleton={<Skeleton lines={3} />}>
              {(list) => <DeleteForm askPassword={hasPassword(list)} close={close} onSent={onSent} />}
            </Loaded>
          </>
        )
      }
    </Loaded>
  )
}

function InTheWay({ organizations, close }: { organizations: Owned[]; close(): void }) {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const [, navigate] = useLocation()
  const open = useAction(
    (organizationId: string, _to: string) => auth.organization.setActive({ organizationId }),
    (_answer, _id, to) => navigate(to),
  )
  return (
    <div className="grid gap-4">
      <p>{t.inTheWay}</p>
      <ul className="grid gap-3">
        {organizations.map(({ id, name }) => (
          <li key={id} className="grid gap-2 rounded border p-3">
            <p className="font-medium">{name}</p>
            <div className="flex flex-wrap gap-2">
              <Button aria-label={t.inTheWayMembers(name)} onClick={() => open.run(id, '/organization/members')}>
                {core.navigation.members}
              </Button>
              <Button aria-label={t.inTheWaySettings(name)} onClick={() => open.run(id, '/organization/settings')}>
                {core.navigation.organizationSettings}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {open.error && <ErrorPanel error={open.error} />}
      <Button className="justify-self-end" onClick={close}>
        {core.close}
      </Button>
    </div>
  )
}

interface DeleteFormProps {
  askPassword: boolean
  close(): void
  onSent(): void
}

function DeleteForm({ askPassword, close, onSent }: DeleteFormProps) {
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
    send: ({ password }) =>
      auth.deleteUser({ ...(askPassword ? { password } : {}), callbackURL: '/goodbye?for=deletion' }),
    at: {
      INVALID_PASSWORD: 'password',
      USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: 'password',
    },
    done: ({ message }) =>
      message === 'User deleted' ? navigate('/goodbye?for=deletion', { replace: true }) : onSent(),
  })
  const mustSignIn = staleSession.includes(form.problem?.code ?? '')
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('phrase')}
        label={core.confirmByTyping(phrase)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {askPassword && <PasswordField {...form.field('password')} kind="current" label={t.deletePassword} />}
      <Submit form={form} look="destroy" onCancel={close}>
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
    () => navigate(`/sign-in?callbackURL=${encodeURIComponent('/account/profile#delete')}`),
  )
  return (
    <Button className="justify-self-end" busy={signOut.busy} onClick={signOut.run}>
      {t.signInAgain}
    </Button>
  )
}
