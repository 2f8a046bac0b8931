import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, useRules } from './current.tsx'
import { membersTexts } from './members.texts.ts'
import { chosenRoles, RoleChoice, roleField } from './role-choice.tsx'
import { organizationTexts } from './texts.ts'

/** Opens the dialog that invites; nothing for those who may not. */
export function InviteButton(current: Current) {
  const t = useTexts(membersTexts)
  const [open, setOpen] = useState(false)
  if (!current.may({ invitation: ['create'] })) return null
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden size={17} />
        {t.invite}
      </Button>
      <Dialog open={open} title={t.inviteTitle} onClose={() => setOpen(false)}>
        <InviteForm
          {...current}
          close={() => setOpen(false)}
          done={(email) => {
            setOpen(false)
            toast(t.invited(email))
          }}
        />
      </Dialog>
    </>
  )
}

function InviteForm({ organization, mayGrant, close, done }: Current & { close(): void; done(email: string): void }) {
  const t = useTexts(membersTexts)
  const org = useTexts(organizationTexts)
  const lifetime = useLifetime('invitation')
  const core = useTexts()
  const known = Object.keys(useRules().roles)
  const first = roleField(known[0] ?? '')
  const teams = organization.teams ?? []
  const form = useForm({
    fields: ['email', 'team', ...known.map(roleField)],
    check: (values) => ({
      email: !values.email?.trim() ? core.required.email : !looksLikeEmail(values.email) && core.invalidEmail,
      [first]: chosenRoles(values, known).length === 0 && org.roleRequired,
    }),
    send: ({ email = '', team, ...roles }) =>
      auth.organization.inviteMember({
        email: email.trim(),
        role: chosenRoles(roles, known),
        organizationId: organization.id,
        ...(team ? { teamId: team } : {}),
      }),
    at: {
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'email',
      USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'email',
    },
    errors: { ...org.errors, TOO_MANY_REQUESTS: org.tooManyInvitations },
    done: ({ email }) => done(email),
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p>{t.inviteWhat(lifetime)}</p>
      <Field {...form.field('email')} label={org.email} type="email" autoComplete="off" inputMode="email" />
      <RoleChoice checked={['member']} mayGrant={mayGrant} error={form.field(first).error} />
      {teams.length > 0 && (
        <SelectField {...form.field('team')} label={t.inTeam} optional>
          <option value="">{t.anyTeam}</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Submit form={form} onCancel={close}>
        {t.inviteAction}
      </Submit>
    </form>
  )
}
