import { useState } from 'react'
import { useLocation } from 'wouter'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, useAccounts, useQuery } from '../../lib/queries.ts'
import { askToStepUp } from '../../lib/step-up.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmTexts, PhraseField } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Words } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorPanel, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { profileTexts } from './texts.ts'

/** At the end of the profile page: what prevents the deletion, or its consequences and the confirmation. */
export function DeleteAccount() {
  const t = useTexts(profileTexts)
  const [open, setOpen] = useAddressed('delete-account')
  const [sent, setSent] = useState(false)
  return (
    <Section id="delete" title={t.deleteTitle} intro={t.deleteIntro} danger>
      {sent ? (
        <Note live>{t.deleteSent}</Note>
      ) : (
        <Button look="danger" className="justify-self-start" onClick={() => setOpen(true)}>
          {t.deleteTitle}
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

/** Organizations with other members that have no other owner: they prevent the deletion. */
function useOwnedAlone() {
  const { user } = useMember()
  const { features, organization: rules } = useConfig()
  return useQuery(['ownedAlone'], async (): Promise<Result<Owned[]>> => {
    if (!features.organization || !rules) return { data: [], error: null }
    const list = await auth.organization.list()
    if (list.error) return list
    const answers = await Promise.all(
      list.data.map(({ id }) => auth.organization.getFullOrganization({ query: { organizationId: id } })),
    )
    const failed = answers.find(({ error }) => error)
    if (failed?.error) return failed
    const data = answers.flatMap(({ data: organization }) => {
      if (!organization) return []
      const { id, name, members } = organization
      const owners = members.filter(({ role }) => splitRoles(role).includes(rules.creatorRole))
      return members.length > 1 && owners.length === 1 && owners[0]?.userId === user.id ? [{ id, name }] : []
    })
    return { data, error: null }
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
                {Object.values(t.deleteList).map((line) => (
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
            <p className="font-medium">
              <Words>{name}</Words>
            </p>
            <div className="flex flex-wrap gap-2">
              <Button aria-label={t.inTheWayMembers(name)} onClick={() => open.run(id, '/organization/members')}>
                {t.inTheWayTo.members}
              </Button>
              <Button aria-label={t.inTheWaySettings(name)} onClick={() => open.run(id, '/organization/settings')}>
                {t.inTheWayTo.settings}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {open.error && <ErrorPanel error={open.error} />}
      <Button className="justify-self-end" onClick={close}>
        {t.close}
      </Button>
    </div>
  )
}

/** Without a password the session must be recent; this endpoint has its own code for that. */
async function deleteUser(input: { password?: string; callbackURL: string }): ReturnType<typeof auth.deleteUser> {
  const answer = await auth.deleteUser(input)
  if (answer.error?.code !== 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION') return answer
  const { data } = await auth.stepUp.methods()
  return data && (await askToStepUp(data)) ? auth.deleteUser(input) : answer
}

interface DeleteFormProps {
  askPassword: boolean
  close(): void
  onSent(): void
}

function DeleteForm({ askPassword, close, onSent }: DeleteFormProps) {
  const t = useTexts(profileTexts)
  const { confirmMismatch } = useTexts(confirmTexts)
  const { user } = useMember()
  // A guest has no known address.
  const phrase = isPlaceholder(user.email) ? t.deletePhrase : user.email
  const [, navigate] = useLocation()
  const form = useForm({
    fields: ['phrase', 'password'],
    check: (values) => ({
      phrase: values.phrase.trim().toLowerCase() !== phrase && confirmMismatch(phrase),
      password: askPassword && !values.password && t.required.password,
    }),
    send: ({ password }) => deleteUser({ ...(askPassword ? { password } : {}), callbackURL: '/goodbye?for=deletion' }),
    at: {
      INVALID_PASSWORD: 'password',
      USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: 'password',
    },
    done: ({ message }) =>
      message === 'User deleted' ? navigate('/goodbye?for=deletion', { replace: true }) : onSent(),
  })
  return (
    <form {...form.props} className="grid gap-5">
      <PhraseField {...form.field('phrase')} phrase={phrase} />
      {askPassword && <PasswordField {...form.field('password')} kind="current" label={t.yourPassword} />}
      <Submit form={form} look="destroy" onCancel={close}>
        {t.deleteAction}
      </Submit>
    </form>
  )
}
